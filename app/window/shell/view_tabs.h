// SPDX-License-Identifier: GPL-3.0-or-later
// The views of the shown run, one tab each. Only the current tab is kept up to date; the others
// catch up when they become current.
#pragma once
#include "widgets/base/view.h"
#include <QTabWidget>
#include <functional>

namespace mooring {

class CommunitiesView;
class CompareView;
class OverviewView;

// In tab order. A new view is one line here.
std::vector<View*> makeViews(SelectionModel* selection, QWidget* parent);

class ViewTabs : public QTabWidget {
    Q_OBJECT
public:
    explicit ViewTabs(SelectionModel* selection, QWidget* parent = nullptr);

    void setRun(RunPtr run);
    void setFrames(FramePtr base, FramePtr tuned);
    void setPartitions(CommunitiesPtr communities);

    const std::vector<View*>& views() const { return m_views; }
    View* current() const { return m_views[static_cast<std::size_t>(currentIndex())]; }
    OverviewView* overview() const;
    CommunitiesView* communitiesView() const;
    CompareView* compareView() const;

private:
    // What a view has not been given yet.
    struct Stale {
        bool run = false;
        bool frames = false;
        bool partitions = false;
    };
    void catchUp(std::size_t index);
    std::vector<View*> m_views;
    std::vector<Stale> m_stale;
    RunPtr m_run;
    FramePtr m_base;
    FramePtr m_tuned;
    CommunitiesPtr m_communities;
};

} // namespace mooring
