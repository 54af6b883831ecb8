// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/view_tabs.h"
#include "widgets/views/communities_view.h"
#include "widgets/views/compare_view.h"
#include "widgets/views/overlap_view.h"
#include "widgets/views/overview_view.h"
#include "widgets/views/transitions_view.h"
#include "widgets/views/utilisation_view.h"
#include <QTabBar>

namespace mooring {

std::vector<View*> makeViews(SelectionModel* selection, QWidget* parent) {
    return {
        new OverviewView(selection, parent),
        new UtilisationView(selection, parent),
        new OverlapView(selection, parent),
        new CommunitiesView(selection, parent),
        new TransitionsView(selection, parent),
        new CompareView(selection, parent),
    };
}

ViewTabs::ViewTabs(SelectionModel* selection, QWidget* parent)
    : QTabWidget(parent)
    , m_views(makeViews(selection, this))
    , m_stale(m_views.size()) {
    setDocumentMode(true);
    tabBar()->setExpanding(false);
    tabBar()->setDrawBase(true);
    for (View* view : m_views)
        addTab(view, view->title());
    connect(this, &QTabWidget::currentChanged, this,
        [this](int index) { catchUp(static_cast<std::size_t>(index)); });
}

void ViewTabs::setRun(RunPtr run) {
    m_run = std::move(run);
    for (Stale& stale : m_stale)
        stale.run = true;
    catchUp(static_cast<std::size_t>(currentIndex()));
}

void ViewTabs::setFrames(FramePtr base, FramePtr tuned) {
    m_base = std::move(base);
    m_tuned = std::move(tuned);
    for (Stale& stale : m_stale)
        stale.frames = true;
    catchUp(static_cast<std::size_t>(currentIndex()));
}

void ViewTabs::setPartitions(CommunitiesPtr communities) {
    m_communities = std::move(communities);
    for (Stale& stale : m_stale)
        stale.partitions = true;
    catchUp(static_cast<std::size_t>(currentIndex()));
}

void ViewTabs::catchUp(std::size_t index) {
    const Stale stale = std::exchange(m_stale[index], {});
    if (stale.run)
        m_views[index]->setRun(m_run);
    if (stale.frames)
        m_views[index]->setFrames(m_base, m_tuned);
    if (stale.partitions)
        m_views[index]->setPartitions(m_communities);
}

OverviewView* ViewTabs::overview() const {
    for (View* view : m_views)
        if (auto* found = qobject_cast<OverviewView*>(view))
            return found;
    return nullptr;
}

CommunitiesView* ViewTabs::communitiesView() const {
    for (View* view : m_views)
        if (auto* found = qobject_cast<CommunitiesView*>(view))
            return found;
    return nullptr;
}

CompareView* ViewTabs::compareView() const {
    for (View* view : m_views)
        if (auto* found = qobject_cast<CompareView*>(view))
            return found;
    return nullptr;
}

} // namespace mooring
