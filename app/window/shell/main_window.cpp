// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/main_window.h"
#include "app/window/base/banner.h"
#include "app/window/base/diagnostics.h"
#include "app/window/base/language.h"
#include "app/window/docks/log_dock.h"
#include "app/window/docks/runs_dock.h"
#include "app/window/jobs/job_bar.h"
#include "app/window/pages/start_page.h"
#include "app/window/shell/action_states.h"
#include "app/window/shell/actions.h"
#include "app/window/shell/close_guard.h"
#include "app/window/shell/command_palette.h"
#include "app/window/shell/model_measuring.h"
#include "app/window/shell/open_comparison.h"
#include "app/window/shell/path_opener.h"
#include "app/window/shell/run_starter.h"
#include "app/window/shell/session_book.h"
#include "app/window/shell/session_display.h"
#include "app/window/shell/session_steering.h"
#include "app/window/shell/snapshot_actions.h"
#include "app/window/shell/view_tabs.h"
#include "app/window/shell/window_settings.h"
#include "widgets/charts/timeline.h"
#include <QAction>
#include <QActionGroup>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusBar>

namespace mooring {

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent) {
    setWindowTitle(tr("Mooring"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/mooring.svg")));
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    m_parts = buildParts(this);
    m_book = new SessionBook(this);
    m_comparison = new OpenComparison(m_parts, m_book, this);
    m_display = new SessionDisplay(m_parts, m_book, m_comparison, this);
    m_steering = new SessionSteering(m_parts, m_book, this);
    m_models = new ModelMeasuring(m_parts, m_book, this);
    m_starter = new RunStarter(m_parts, m_book, m_models, this);
    m_snapshots = new SnapshotActions(m_parts, m_book, this);
    m_opener = new PathOpener(m_parts, {m_book, m_comparison, m_models, m_starter}, this);
    m_guard = new CloseGuard(m_parts, m_book, this);
    connectControllers();
    connectRunActions();
    connectWindowActions();
    connectViews();
    resize(1480, 920);
    m_firstLayout = saveState();
    restoreWindow(m_parts);
    m_book->show(nullptr);
}

MainWindow::~MainWindow() {
    // Sessions first: they notify this window until their threads are gone.
    m_book->clear();
}

void MainWindow::connectControllers() {
    connect(m_display, &SessionDisplay::changed, this, &MainWindow::updateActions);
    connect(m_display, &SessionDisplay::failed, m_starter, &RunStarter::tellFailure);
    connect(m_starter, &RunStarter::readyChanged, this, &MainWindow::updateActions);
    connect(m_parts.pages, &QStackedWidget::currentChanged, this, &MainWindow::updateActions);
    connect(m_snapshots, &SnapshotActions::written, this, &MainWindow::snapshotWritten);
}

void MainWindow::connectRunActions() {
    const Actions& a = *m_parts.actions;
    const auto on
        = [this](QAction* action, auto slot) { connect(action, &QAction::triggered, this, slot); };
    on(a.demo, [this] { openDemo(); });
    on(a.newRun, [this] { m_starter->openDialog(); });
    on(a.start, [this] {
        if (!m_steering->resumePaused())
            startReady();
    });
    on(a.resumeRun, [this] { m_starter->resume(session()); });
    on(a.forkRun, [this] { m_starter->askForFork(session()); });
    on(a.closeRun, [this] { m_book->close(session()); });
    connect(m_parts.runs, &RunsDock::chosen, m_book, &SessionBook::show);
    connect(m_parts.runs, &RunsDock::closeWanted, m_book, &SessionBook::close);
    connect(m_parts.runs, &RunsDock::resumeWanted, m_starter, &RunStarter::resume);
    connect(m_parts.runs, &RunsDock::forkWanted, m_starter, &RunStarter::askForFork);
}

void MainWindow::connectWindowActions() {
    const Actions& a = *m_parts.actions;
    const auto on
        = [this](QAction* action, auto slot) { connect(action, &QAction::triggered, this, slot); };
    on(a.quit, [this] { close(); });
    on(a.palette, [this] { m_parts.palette->open(m_parts.actions->all()); });
    on(a.resetLayout, [this] { restoreState(m_firstLayout); });
    on(a.diagnostics, [this] { showDiagnostics(this, &m_watchdog); });
    on(a.about, [this] { showAbout(this); });
    connect(a.theme, &QActionGroup::triggered, this,
        [](const QAction* choice) { chooseTheme(choice->data().toString()); });
    connect(a.language, &QActionGroup::triggered, this, [this](const QAction* choice) {
        chooseLanguage(choice->data().toString());
        banner()->tell(Banner::Kind::Info, tr("The language changes at the next start."));
    });
}

void MainWindow::connectViews() {
    const Actions& a = *m_parts.actions;
    const auto on
        = [this](QAction* action, auto slot) { connect(action, &QAction::triggered, this, slot); };
    on(a.copyView, [this] { views()->current()->copy(); });
    on(a.tableView, [this] { views()->current()->showTable(); });
    const std::pair<QAction*, const char*> exports[]
        = {{a.exportPng, "png"}, {a.exportSvg, "svg"}, {a.exportPdf, "pdf"}, {a.exportCsv, "csv"}};
    for (const auto& [action, ending] : exports)
        on(action,
            [this, ending = QLatin1String(ending)] { views()->current()->chooseExport(ending); });
    on(a.previousFrame, [this] { m_parts.timeline->previousFrame(); });
    on(a.nextFrame, [this] { m_parts.timeline->nextFrame(); });
    on(a.latestFrame, [this] { m_parts.timeline->goTo(-1); });
    for (int i = 0; i < a.tabs.size(); ++i)
        on(a.tabs[i], [this, i] { views()->setCurrentIndex(i); });
    addActions(a.tabs); // their shortcuts hold while a menu is closed
    for (View* view : views()->views()) {
        connect(view, &View::actionRequested, this, &MainWindow::followView);
        connect(view, &View::message, this, [this](const QString& sentence) {
            m_parts.log->say(sentence);
            statusBar()->showMessage(sentence, 5000);
        });
    }
    connect(m_parts.start, &StartPage::demoWanted, this, &MainWindow::openDemo);
    connect(m_parts.log, &LogDock::stepChosen, m_parts.selection, &SelectionModel::setStep);
}

void MainWindow::followView(ViewAction action) {
    switch (action) {
    case ViewAction::TryDemo:
        return openDemo();
    case ViewAction::OpenModel:
        return m_parts.actions->openModel->trigger();
    case ViewAction::OpenRun:
        return m_parts.actions->openRun->trigger();
    case ViewAction::NewRun:
    case ViewAction::Probe: // the probe texts of a run stand in its configuration
        return m_starter->openDialog();
    }
}

void MainWindow::updateActions() {
    updateActionStates(m_parts, *m_book, m_starter->isReady());
}

void MainWindow::openPath(const QString& path) {
    m_opener->open(path);
}

RunSession* MainWindow::openRun(const QString& folder) {
    return m_book->openFolder(folder);
}

void MainWindow::openDemo() {
    m_starter->makeDemoReady();
}

void MainWindow::makeReady(const RunConfig& config) {
    m_starter->makeReady(config);
}

bool MainWindow::makeReady(const QString& toml) {
    return m_starter->makeReady(toml);
}

RunSession* MainWindow::startReady() {
    return m_starter->startReady();
}

void MainWindow::exportSnapshot(const QString& zip, std::optional<std::int64_t> step) {
    m_snapshots->exportTo(zip, step);
}

void MainWindow::stopAndQuit() {
    m_guard->stopAndQuit();
}

RunSession* MainWindow::session() const {
    return m_book->shown();
}

bool MainWindow::isBusy() const {
    return m_book->own() || m_snapshots->isBusy() || m_parts.jobs->count() > 0;
}

const Comparison& MainWindow::comparison() const {
    return m_comparison->comparison();
}

NewRunDialog* MainWindow::newRunDialog() const {
    return m_starter->dialog();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    event->setAccepted(m_guard->mayClose());
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_parts.actions)
        m_parts.actions->tint();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            return event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            openPath(url.toLocalFile());
    event->acceptProposedAction();
}

} // namespace mooring
