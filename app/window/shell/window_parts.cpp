// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/window_parts.h"
#include "app/window/base/banner.h"
#include "app/window/docks/dock_title.h"
#include "app/window/docks/log_dock.h"
#include "app/window/docks/runs_dock.h"
#include "app/window/jobs/job_bar.h"
#include "app/window/pages/model_page.h"
#include "app/window/pages/ready_page.h"
#include "app/window/pages/start_page.h"
#include "app/window/shell/actions.h"
#include "app/window/shell/command_palette.h"
#include "app/window/shell/progress_strip.h"
#include "app/window/shell/view_tabs.h"
#include "widgets/charts/timeline.h"
#include "widgets/live/live_panel.h"
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

namespace mooring {
namespace {

void buildCenter(WindowParts& parts) {
    auto* center = new QWidget(parts.window);
    auto* column = new QVBoxLayout(center);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    parts.banner = new Banner(center);
    parts.jobs = new JobBar(center);
    parts.pages = new QStackedWidget(center);
    parts.start = new StartPage(parts.pages);
    parts.ready = new ReadyPage(parts.pages);
    parts.model = new ModelPage(parts.pages);
    parts.views = new ViewTabs(parts.selection, parts.pages);
    for (QWidget* page : {static_cast<QWidget*>(parts.start), static_cast<QWidget*>(parts.ready),
             static_cast<QWidget*>(parts.model), static_cast<QWidget*>(parts.views)})
        parts.pages->addWidget(page);
    column->addWidget(parts.banner);
    column->addWidget(parts.jobs);
    column->addWidget(parts.pages, 1);
    parts.window->setCentralWidget(center);
}

QDockWidget* addDock(const WindowParts& parts, const char* name, const QString& title,
    QWidget* content, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, parts.window);
    dock->setObjectName(QLatin1String(name));
    dock->setWidget(content);
    dock->setTitleBarWidget(new DockTitle(dock));
    parts.window->addDockWidget(area, dock);
    parts.actions->docksMenu->addAction(dock->toggleViewAction());
    return dock;
}

void buildDocks(WindowParts& parts) {
    QMainWindow* window = parts.window;
    // The side docks reach down to the status bar; the timeline stands under the views.
    window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    parts.runs = new RunsDock(window);
    parts.live = new LivePanel(window);
    parts.timeline = new TimelineWidget(parts.selection, window);
    parts.log = new LogDock(window);
    const auto add
        = [&](const char* name, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
              return addDock(parts, name, title, content, area);
          };
    QDockWidget* runs = add("runs", QCoreApplication::translate("mooring::MainWindow", "Runs"),
        parts.runs, Qt::LeftDockWidgetArea);
    QDockWidget* live = add("live", QCoreApplication::translate("mooring::MainWindow", "Live"),
        parts.live, Qt::RightDockWidgetArea);
    QDockWidget* time
        = add("timeline", QCoreApplication::translate("mooring::MainWindow", "Timeline"),
            parts.timeline, Qt::BottomDockWidgetArea);
    QDockWidget* log = add("log", QCoreApplication::translate("mooring::MainWindow", "Log"),
        parts.log, Qt::BottomDockWidgetArea);
    window->splitDockWidget(time, log, Qt::Vertical);
    window->resizeDocks({runs, live}, {230, 270}, Qt::Horizontal);
    window->resizeDocks({time, log}, {80, 130}, Qt::Vertical);
}

void buildStrips(WindowParts& parts) {
    parts.progress = new ProgressStrip(parts.window);
    parts.progress->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    parts.actions->toolBar->addWidget(parts.progress);
    parts.status = new StatusStrip(parts.window);
    parts.window->statusBar()->addWidget(parts.status, 1);
    parts.window->statusBar()->setSizeGripEnabled(false);
}

} // namespace

WindowParts buildParts(QMainWindow* window) {
    WindowParts parts;
    parts.window = window;
    parts.selection = new SelectionModel(window);
    parts.actions = new Actions(window);
    parts.palette = new CommandPalette(window);
    buildCenter(parts);
    buildDocks(parts);
    buildStrips(parts);
    for (const View* view : parts.views->views())
        parts.actions->addTab(view->title());
    return parts;
}

} // namespace mooring
