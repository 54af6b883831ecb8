// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/recent_paths.h"
#include "app/window/base/settings.h"
#include "app/window/pages/start_page.h"
#include "app/window/shell/actions.h"
#include <QDir>
#include <QMenu>

namespace mooring {
namespace {

constexpr int kKept = 8;
const QString kKey = QStringLiteral("recent");

} // namespace

RecentPaths::RecentPaths(const WindowParts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts) {
    connect(m_parts.start, &StartPage::pathChosen, this, &RecentPaths::chosen);
    show(openSettings()->value(kKey).toStringList());
}

void RecentPaths::remember(const QString& path) {
    // From the settings: another window may have opened something meanwhile.
    const auto settings = openSettings();
    QStringList paths = settings->value(kKey).toStringList();
    paths.removeAll(path);
    paths.prepend(path);
    while (paths.size() > kKept)
        paths.removeLast();
    settings->setValue(kKey, paths);
    show(paths);
}

void RecentPaths::show(const QStringList& paths) {
    m_parts.start->setRecent(paths);
    QMenu* menu = m_parts.actions->recentMenu;
    menu->clear();
    menu->setEnabled(!paths.isEmpty());
    for (const QString& path : paths)
        connect(menu->addAction(QDir::toNativeSeparators(path)), &QAction::triggered, this,
            [this, path] { Q_EMIT chosen(path); });
}

} // namespace mooring
