// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/screenshots.h"
#include "app/window/base/banner.h"
#include "app/window/session/comparison.h"
#include "app/window/session/run_session.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/snapshot_export.h"
#include "app/window/shell/view_tabs.h"
#include "widgets/style/theme.h"
#include "widgets/views/compare_view.h"
#include <QApplication>
#include <QDir>

namespace mooring {
namespace {

constexpr int kWaitMs = 100;
constexpr int kLongestWaits = 1200; // two minutes
constexpr int kSettleMs = 250; // time for layouts, colors and the graph to settle

Error notWritten(const QString& path) {
    return {ErrorCode::Output, "the image cannot be written", path.toStdString(),
        "choose another folder"};
}

} // namespace

Screenshots::Screenshots(MainWindow* window, const QString& folder)
    : QObject(window)
    , m_window(window)
    , m_folder(folder) {
    for (const char* theme : {"light", "dark"})
        for (int tab = 0; tab < m_window->views()->count(); ++tab)
            m_left.push_back({QLatin1String(theme), tab});
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Screenshots::waitForData);
    m_timer.start(kWaitMs);
}

void Screenshots::waitForData() {
    if (m_window->comparison().isRead() && !m_window->comparison().study().isEmpty()) {
        const int compare = m_window->views()->indexOf(m_window->views()->compareView());
        std::erase_if(m_left, [compare](const Shot& shot) { return shot.tab != compare; });
        return begin();
    }
    const RunSession* session = m_window->session();
    const Banner& banner = *m_window->banner();
    if (banner.isVisible() && banner.kind() == Banner::Kind::Error)
        return Q_EMIT finished(Error{ErrorCode::Input, banner.text().toStdString(), "", ""});
    const bool read = session && session->record();
    const CommunitiesPtr found = read && session->base() ? session->communities() : nullptr;
    const bool routed = found && found->transitions && !found->transitions->tokens.baseRows.empty();
    const bool without = read && !session->base() && m_waits > 20; // a run that has no probe
    if (routed || without)
        return begin();
    if (++m_waits > kLongestWaits)
        return Q_EMIT finished(Error{ErrorCode::Input, "the run could not be read", "", ""});
    m_timer.start(kWaitMs);
}

void Screenshots::begin() {
    if (!QDir().mkpath(m_folder))
        return Q_EMIT finished(notWritten(m_folder));
    disconnect(&m_timer, nullptr, this, nullptr);
    connect(&m_timer, &QTimer::timeout, this, &Screenshots::takeNext);
    takeNext();
}

// Each picture takes two events: first the window is set up, then, once settled, it is captured.
void Screenshots::takeNext() {
    if (m_left.empty())
        return Q_EMIT finished({});
    const Shot& next = m_left.front();
    const ThemeKind kind = next.theme == QLatin1String("dark") ? ThemeKind::Dark : ThemeKind::Light;
    const bool set = m_window->property("shot").toString()
        == QStringLiteral("%1 %2").arg(next.theme).arg(next.tab);
    if (!set) {
        applyTheme(*qApp, kind);
        m_window->views()->setCurrentIndex(next.tab);
        m_window->setProperty("shot", QStringLiteral("%1 %2").arg(next.theme).arg(next.tab));
        m_timer.start(kSettleMs);
        return;
    }
    if (!graphRests(*m_window->views()->current()) && ++m_waits < kLongestWaits) {
        m_timer.start(kSettleMs);
        return;
    }
    if (!save(next))
        return;
    m_left.erase(m_left.begin());
    m_timer.start(0);
}

bool Screenshots::save(const Shot& shot) {
    const QDir folder(m_folder);
    View& view = *m_window->views()->current();
    const QString name = QStringLiteral("%1-%2.png").arg(plotName(view), shot.theme);
    const QString window = folder.filePath(QStringLiteral("window-") + name);
    if (!m_window->grab().save(window)) {
        Q_EMIT finished(notWritten(window));
        return false;
    }
    QString why;
    if (!view.exportTo(folder.filePath(name), &why)) {
        Q_EMIT finished(Error{ErrorCode::Output, why.toStdString(), "", ""});
        return false;
    }
    return true;
}

} // namespace mooring
