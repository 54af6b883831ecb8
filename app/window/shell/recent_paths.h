// SPDX-License-Identifier: GPL-3.0-or-later
// What was opened last: in the settings, in the menu and on the first page.
#pragma once
#include "app/window/shell/window_parts.h"
#include <QObject>

namespace mooring {

class RecentPaths : public QObject {
    Q_OBJECT
public:
    RecentPaths(const WindowParts& parts, QObject* parent);
    void remember(const QString& path);

Q_SIGNALS:
    void chosen(const QString& path);

private:
    void show(const QStringList& paths);
    WindowParts m_parts;
};

} // namespace mooring
