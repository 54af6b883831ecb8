// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the shown session into the views, the docks and the strips, and says what happens to all.
#pragma once
#include "app/window/shell/window_parts.h"
#include <QObject>

namespace mooring {

class OpenComparison;
class RunSession;
class SessionBook;

class SessionDisplay : public QObject {
    Q_OBJECT
public:
    SessionDisplay(
        const WindowParts& parts, SessionBook* book, OpenComparison* comparison, QObject* parent);

Q_SIGNALS:
    void changed(); // what can be done with the shown session may be something else now
    // Of any session. `beforeItsFolder`: the configuration is to blame, no run was begun.
    void failed(const QString& sentence, bool beforeItsFolder);

private:
    void follow(RunSession* session);
    void showShown(bool other);
    void showRecord(RunSession* session);
    void updateRecord(RunSession* session);
    void updateList();
    void updateOverlays();
    void tellFailure(RunSession* session, const QString& sentence);
    void tellEnd(RunSession* session);

    WindowParts m_parts;
    SessionBook* m_book;
    OpenComparison* m_comparison;
};

} // namespace mooring
