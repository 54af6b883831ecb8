// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/open_comparison.h"
#include "app/window/base/banner.h"
#include "app/window/shell/session_book.h"
#include "app/window/shell/view_tabs.h"
#include "widgets/views/compare_view.h"
#include <QFileInfo>
#include <QMainWindow>
#include <QStackedWidget>

namespace mooring {

OpenComparison::OpenComparison(const WindowParts& parts, SessionBook* book, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_book(book) {
    CompareView* view = m_parts.views->compareView();
    connect(&m_comparison, &Comparison::changed, view, &CompareView::setTable);
    connect(&m_comparison, &Comparison::failed, this,
        [this](const QString& sentence) { m_parts.banner->tell(Banner::Kind::Error, sentence); });
    connect(view, &CompareView::runActivated, this, [this](const QString& path) {
        Q_EMIT runWanted(path);
        m_parts.views->setCurrentIndex(0);
    });
    connect(view, &CompareView::sourceChosen, this,
        [this](int source) { m_comparison.showStudy(source == 0); });
    connect(m_parts.views, &QTabWidget::currentChanged, this, &OpenComparison::watch);
    connect(m_parts.pages, &QStackedWidget::currentChanged, this, &OpenComparison::watch);
}

void OpenComparison::watch() {
    m_comparison.setWatched(m_parts.pages->currentWidget() == m_parts.views
        && m_parts.views->current() == m_parts.views->compareView());
}

void OpenComparison::openStudy(const QString& folder) {
    m_parts.banner->clear();
    m_comparison.setStudy(folder);
    m_parts.views->compareView()->setSources({QFileInfo(folder).fileName(), tr("open runs")}, 0);
    m_parts.views->setCurrentWidget(m_parts.views->compareView());
    m_parts.pages->setCurrentWidget(m_parts.views);
    if (!m_book->shown())
        m_parts.window->setWindowTitle(tr("%1 \u2014 Mooring").arg(QFileInfo(folder).fileName()));
    Q_EMIT opened();
}

void OpenComparison::compareOpenRuns() {
    QStringList folders;
    for (const RunSession* session : m_book->all())
        if (!session->folder().isEmpty() && !session->measuredBase)
            folders.append(session->folder());
    m_comparison.setRuns(folders);
}

} // namespace mooring
