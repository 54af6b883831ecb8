// SPDX-License-Identifier: GPL-3.0-or-later
// What the Compare view shows in this window: a study's folder, or the open runs side by side.
#pragma once
#include "app/window/session/comparison.h"
#include "app/window/shell/window_parts.h"

namespace mooring {

class RunSession;
class SessionBook;

class OpenComparison : public QObject {
    Q_OBJECT
public:
    OpenComparison(const WindowParts& parts, SessionBook* book, QObject* parent);

    void openStudy(const QString& folder);
    void compareOpenRuns(); // a study that is open stays in its place
    bool hasStudy() const { return !m_comparison.study().isEmpty(); }
    const Comparison& comparison() const { return m_comparison; }

Q_SIGNALS:
    void runWanted(const QString& path); // somebody chose one of its runs
    void opened();

private:
    void watch();
    WindowParts m_parts;
    SessionBook* m_book;
    Comparison m_comparison;
};

} // namespace mooring
