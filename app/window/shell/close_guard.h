// SPDX-License-Identifier: GPL-3.0-or-later
// No window closes over a run that trains: it asks, stops the run first, or lets it go on hidden.
#pragma once
#include "app/window/shell/window_parts.h"
#include <QObject>

namespace mooring {

class SessionBook;

class CloseGuard : public QObject {
    Q_OBJECT
public:
    CloseGuard(const WindowParts& parts, SessionBook* book, QObject* parent);

    bool mayClose(); // false: it asks, and closes the window when it may
    void stopAndQuit(); // saves first

private:
    void ask();
    void keepInBackground();
    void quitIfWanted();
    WindowParts m_parts;
    SessionBook* m_book;
    bool m_quitWhenEnded = false;
};

} // namespace mooring
