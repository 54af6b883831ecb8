// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the window and connects its parts; what they do is in main_window_*.cpp.
#include "app/window/shell/main_window.h"
#include "app/window/base/diagnostics.h"
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
#include "widgets/views/communities_view.h"
#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QMenu>
#include <QScrollArea>
#include <QShortcut>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

namespace mooring {

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_selection(new SelectionModel(this))
    , m_actions(new Actions(this))
    , m_palette(new CommandPalette(this)) {
    setWindowTitle(tr("Mooring"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/mooring.svg")));
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    buildCentral();
    buildDocks();
    m_progress = new ProgressStrip(this);
    m_progress->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_actions->toolBar->addWidget(m_progress);
    m_status = new StatusStrip(this);
    statusBar()->addWidget(m_status, 1);
    statusBar()->setSizeGripEnabled(false);
    for (const View* view : m_views->views())
        m_actions->addTab(view->title());
    connectActions();
    connectRunActions();
    connectViews();
    connectSteering();
    connectComparison();
    resize(1480, 920);
    m_firstLayout = saveState();
    loadSettings();
    showSession(nullptr);
}

MainWindow::~MainWindow() {
    // Sessions first: they notify this window until their threads are gone.
    m_shown = nullptr;
    m_sessions.clear();
}

void MainWindow::buildCentral() {
    auto* center = new QWidget(this);
    auto* column = new QVBoxLayout(center);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_banner = new Banner(center);
    m_jobs = new JobBar(center);
    m_stack = new QStackedWidget(center);
    m_start = new StartPage(m_stack);
    m_ready = new ReadyPage(m_stack);
    m_model = new ModelPage(m_stack);
    m_views = new ViewTabs(m_selection, m_stack);
    m_stack->addWidget(m_start);
    m_stack->addWidget(m_ready);
    m_stack->addWidget(m_model);
    m_stack->addWidget(m_views);
    column->addWidget(m_banner);
    column->addWidget(m_jobs);
    column->addWidget(m_stack, 1);
    setCentralWidget(center);
}

QDockWidget* MainWindow::addDock(
    const char* name, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(QLatin1String(name));
    dock->setWidget(content);
    dock->setTitleBarWidget(new DockTitle(dock));
    addDockWidget(area, dock);
    m_actions->docksMenu->addAction(dock->toggleViewAction());
    return dock;
}

void MainWindow::buildDocks() {
    // The side docks reach down to the status bar; the timeline is below the views.
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_runs = new RunsDock(this);
    QDockWidget* runs = addDock("runs", tr("Runs"), m_runs, Qt::LeftDockWidgetArea);
    m_live = new LivePanel(this);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_live);
    QDockWidget* live = addDock("live", tr("Live"), scroll, Qt::RightDockWidgetArea);
    m_timeline = new TimelineWidget(m_selection, this);
    QDockWidget* time = addDock("timeline", tr("Timeline"), m_timeline, Qt::BottomDockWidgetArea);
    m_log = new LogDock(this);
    QDockWidget* log = addDock("log", tr("Log"), m_log, Qt::BottomDockWidgetArea);
    splitDockWidget(time, log, Qt::Vertical);
    resizeDocks({runs, live}, {230, 270}, Qt::Horizontal);
    resizeDocks({time, log}, {80, 130}, Qt::Vertical);
}

void MainWindow::connectActions() {
    const Actions& a = *m_actions;
    const auto on
        = [this](QAction* action, auto slot) { connect(action, &QAction::triggered, this, slot); };
    on(a.demo, [this] { openDemo(); });
    on(a.newRun, [this] { openNewRun(m_readyConfig); });
    on(a.openModel, [this] { askForFolder(tr("Open a model folder")); });
    on(a.openRun, [this] { askForFolder(tr("Open a run, snapshot or study folder")); });
    on(a.openData, [this] {
        askForFile(tr("Open training data"),
            tr("Data (*.jsonl *.ndjson *.json *.csv *.tsv *.parquet *.txt *.gz)"));
    });
    on(a.openFile, [this] {
        askForFile(tr("Open a snapshot or a configuration"),
            tr("Snapshots and configurations (*.mooring.zip *.zip *.toml)"));
    });
    on(a.exportSnapshot, [this] { askForSnapshot(); });
    on(a.closeRun, [this] { closeSession(m_shown); });
    on(a.quit, [this] { close(); });
    on(a.palette, [this] { m_palette->open(m_actions->all()); });
    on(a.resetLayout, [this] { restoreState(m_firstLayout); });
    on(a.diagnostics, [this] { showDiagnostics(this, &m_watchdog); });
    on(a.about, [this] { showAbout(this); });
    on(a.copyView, [this] { m_views->current()->copy(); });
    on(a.tableView, [this] { m_views->current()->showTable(); });
    on(a.exportPng, [this] { m_views->current()->chooseExport(QStringLiteral("png")); });
    on(a.exportSvg, [this] { m_views->current()->chooseExport(QStringLiteral("svg")); });
    on(a.exportPdf, [this] { m_views->current()->chooseExport(QStringLiteral("pdf")); });
    on(a.exportCsv, [this] { m_views->current()->chooseExport(QStringLiteral("csv")); });
    on(a.previousFrame, [this] { m_timeline->previousFrame(); });
    on(a.nextFrame, [this] { m_timeline->nextFrame(); });
    on(a.latestFrame, [this] { m_timeline->goTo(-1); });
    for (int i = 0; i < a.tabs.size(); ++i)
        on(a.tabs[i], [this, i] { m_views->setCurrentIndex(i); });
    connect(a.theme, &QActionGroup::triggered, this,
        [this](const QAction* choice) { applyThemeChoice(choice->data().toString()); });
    addActions(a.tabs); // their shortcuts hold while a menu is closed
}

void MainWindow::connectRunActions() {
    const Actions& a = *m_actions;
    const auto on
        = [this](QAction* action, auto slot) { connect(action, &QAction::triggered, this, slot); };
    on(a.start, [this] { startOrResume(); });
    on(a.pause, [this] { togglePause(); });
    on(a.stop, [this] {
        if (m_shown)
            m_shown->stop();
    });
    on(a.step, [this] { sendWord(RunAction::Step); });
    on(a.resumeRun, [this] { resumeRun(m_shown); });
    on(a.forkRun, [this] { askForFork(m_shown); });
    on(a.undo, [this] { m_live->undoLast(); });
    on(a.snapshot, [this] { takeSnapshot(); });
    on(a.checkpoint, [this] { sendWord(RunAction::Checkpoint); });
    on(a.evaluate, [this] { sendWord(RunAction::Evaluate); });
    on(a.sample, [this] { sendWord(RunAction::Sample); });
    auto* space = new QShortcut(Qt::Key_Space, m_views);
    space->setContext(Qt::WidgetWithChildrenShortcut);
    connect(space, &QShortcut::activated, this, &MainWindow::spaceInView);
}

void MainWindow::connectViews() {
    connect(m_start, &StartPage::demoWanted, this, &MainWindow::openDemo);
    connect(m_start, &StartPage::modelWanted, m_actions->openModel, &QAction::trigger);
    connect(m_start, &StartPage::runWanted, m_actions->openRun, &QAction::trigger);
    connect(m_start, &StartPage::pathChosen, this, &MainWindow::openPath);
    connect(m_ready, &ReadyPage::startWanted, this, &MainWindow::startReady);
    connect(m_ready, &ReadyPage::changeWanted, this, [this] { openNewRun(m_readyConfig); });
    connect(m_model, &ModelPage::measureWanted, this, &MainWindow::measureModel);
    connect(m_model, &ModelPage::routingWanted, this, [this] {
        if (m_measured)
            showSession(m_measured);
    });
    connect(m_model, &ModelPage::newRunWanted, this, [this] {
        RunConfig config = m_readyConfig.value_or(RunConfig{});
        config.model.path = m_model->folder().toStdString();
        config.model.init.reset();
        openNewRun(config);
    });
    for (View* view : m_views->views()) {
        connect(view, &View::actionRequested, this, &MainWindow::viewAction);
        connect(view, &View::message, this, [this](const QString& sentence) {
            m_log->say(sentence);
            statusBar()->showMessage(sentence, 5000);
        });
    }
    connect(m_runs, &RunsDock::chosen, this, &MainWindow::showSession);
    connect(m_runs, &RunsDock::pathChosen, this, &MainWindow::openPath);
    connect(m_runs, &RunsDock::resumeWanted, this, &MainWindow::resumeRun);
    connect(m_runs, &RunsDock::forkWanted, this, &MainWindow::askForFork);
    connect(m_runs, &RunsDock::closeWanted, this, &MainWindow::closeSession);
    connect(m_runs, &RunsDock::overlaysChanged, this, &MainWindow::updateOverlays);
    connect(m_log, &LogDock::stepChosen, m_selection, &SelectionModel::setStep);
}

// Choices in views and in the live panel go to the shown session.
void MainWindow::connectSteering() {
    connect(m_views->communitiesView(), &CommunitiesView::partitionsRequested, this,
        [this](double rho, double resolution) {
            if (m_shown)
                m_shown->setCommunityRequest(rho, resolution);
        });
    connect(m_live, &LivePanel::commandWanted, this, [this](const Command& command) {
        const auto sent = m_shown ? m_shown->send(command) : Result<void>();
        if (!sent.ok())
            m_banner->tell(Banner::Kind::Error, QString::fromStdString(sent.error().message()));
    });
    connect(m_selection, &SelectionModel::changed, this,
        [this](const Selection& now, const Selection& before) {
            if (!m_shown || now.step == before.step)
                return;
            m_shown->showStep(now.step);
            m_runs->showRetention(m_shown, now.step);
        });
}

} // namespace mooring
