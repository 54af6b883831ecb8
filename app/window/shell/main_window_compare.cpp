// SPDX-License-Identifier: GPL-3.0-or-later
// Compare: a study's folder, or the open runs side by side.
#include "app/window/session/comparison.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/view_tabs.h"
#include "widgets/views/compare_view.h"
#include <QFileInfo>
#include <QStackedWidget>

namespace mooring {

void MainWindow::connectComparison() {
    m_comparison = new Comparison(this);
    CompareView* view = m_views->compareView();
    connect(m_comparison, &Comparison::changed, view, &CompareView::setTable);
    connect(m_comparison, &Comparison::failed, this,
        [this](const QString& sentence) { m_banner->tell(Banner::Kind::Error, sentence); });
    connect(view, &CompareView::runActivated, this, [this](const QString& path) {
        openPath(path);
        m_views->setCurrentIndex(0);
    });
    connect(view, &CompareView::sourceChosen, this,
        [this](int source) { m_comparison->showStudy(source == 0); });
    const auto watch = [this, view] {
        m_comparison->setWatched(m_stack->currentWidget() == m_views && m_views->current() == view);
    };
    connect(m_views, &QTabWidget::currentChanged, this, watch);
    connect(m_stack, &QStackedWidget::currentChanged, this, watch);
}

void MainWindow::openStudy(const QString& folder) {
    m_banner->clear();
    m_comparison->setStudy(folder);
    m_views->compareView()->setSources({QFileInfo(folder).fileName(), tr("open runs")}, 0);
    m_views->setCurrentWidget(m_views->compareView());
    m_stack->setCurrentWidget(m_views);
    if (!m_shown)
        setWindowTitle(tr("%1 \u2014 Mooring").arg(QFileInfo(folder).fileName()));
    updateActions();
}

// Runs and snapshots; a study that is open stays in its place.
void MainWindow::compareOpenRuns() {
    QStringList folders;
    for (const auto& session : m_sessions)
        if (!session->folder().isEmpty() && session.get() != m_measured)
            folders.append(session->folder());
    m_comparison->setRuns(folders);
}

} // namespace mooring
