// SPDX-License-Identifier: GPL-3.0-or-later
// The window: connects sessions with views and actions. All of it lives in the GUI thread.
#pragma once
#include "app/window/base/banner.h"
#include "app/window/base/opened_path.h"
#include "app/window/base/watchdog.h"
#include "app/window/session/run_session.h"
#include <QMainWindow>
#include <QTemporaryDir>

class QStackedWidget;

namespace mooring {

class Actions;
class CommandPalette;
class Comparison;
class JobBar;
class LivePanel;
class LogDock;
class ModelPage;
class NewRunDialog;
class ProgressStrip;
class ReadyPage;
class RunsDock;
class SelectionModel;
class StartPage;
class StatusStrip;
class TimelineWidget;
class ViewTabs;
enum class ViewAction;
struct ScopeFigures;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    // Opens anything: a model, run, snapshot or study folder, a zip, a data file, a configuration.
    // The banner shows what cannot be opened.
    void openPath(const QString& path);
    RunSession* openRun(const QString& folder, const QString& title = {});
    void openDemo(); // ready to start
    void makeReady(const RunConfig& config);
    bool makeReady(const QString& toml); // false: the banner says why
    RunSession* startReady(); // null: nothing is ready, or the banner says why not
    void exportSnapshot(const QString& zip, std::optional<std::int64_t> step = {});
    void stopAndQuit(); // saves first

    RunSession* session() const { return m_shown; } // null: none
    bool isBusy() const; // a run of this process, or a job
    ViewTabs* views() const { return m_views; }
    LivePanel* live() const { return m_live; }
    TimelineWidget* timeline() const { return m_timeline; }
    Comparison* comparison() const { return m_comparison; }
    RunsDock* runs() const { return m_runs; }
    LogDock* log() const { return m_log; }
    Banner* banner() const { return m_banner; }
    ModelPage* modelPage() const { return m_model; }
    Actions* actions() const { return m_actions; }
    SelectionModel* selection() const { return m_selection; }
    EventLoopWatchdog* watchdog() { return &m_watchdog; }
    CommandPalette* palettePopup() const { return m_palette; }
    NewRunDialog* newRunDialog() const { return m_newRun; } // null: never opened

Q_SIGNALS:
    void snapshotWritten(const QString& zip);

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    // main_window.cpp
    void buildCentral();
    void buildDocks();
    QDockWidget* addDock(
        const char* name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    void connectActions();
    void connectRunActions();
    void connectViews();
    void connectSteering();
    // main_window_open.cpp
    void askForFolder(const QString& title);
    void askForFile(const QString& title, const QString& filter);
    void openZip(const QString& zip);
    void openNewRun(const std::optional<RunConfig>& config);
    void openData(const QString& file);
    void remember(const QString& path);
    void updateRecent();
    void viewAction(ViewAction action);
    // main_window_model.cpp
    void openModel(const QString& folder);
    void measureModel(const QStringList& files);
    void showMeasured(
        const QString& model, const ScopeFigures& scope, std::unique_ptr<QTemporaryDir> place);
    // main_window_compare.cpp
    void connectComparison();
    void openStudy(const QString& folder);
    void compareOpenRuns();
    // main_window_run.cpp
    RunSession* addSession(std::unique_ptr<RunSession> session);
    void connectSession(RunSession* session);
    void showSession(RunSession* session); // null: the first screen
    void refreshRuns(); // the list of them
    void closeSession(RunSession* session);
    void sessionRecord(RunSession* session);
    void sessionEnded(RunSession* session);
    void sendWord(RunAction word);
    void startOrResume();
    void togglePause();
    bool mayTrain(); // one run at a time; false: the banner says why not
    void takeSnapshot();
    void askForSnapshot();
    void updateActions();
    void updateOverlays();
    void tellFailure(RunSession* session, const QString& sentence);
    RunSession* ownRun() const; // null: this process trains nothing
    // main_window_resume.cpp
    void resumeRun(RunSession* session);
    void askWhichConfig(RunSession* session, const QString& sentence);
    void askForFork(RunSession* session);
    RunSession* startFork(const RunConfig& config);
    // main_window_close.cpp
    void loadSettings();
    void saveSettings();
    void applyThemeChoice(const QString& choice);
    void askBeforeClosing();
    void spaceInView();

    SelectionModel* m_selection;
    Actions* m_actions;
    EventLoopWatchdog m_watchdog;
    Banner* m_banner;
    JobBar* m_jobs;
    QStackedWidget* m_stack;
    StartPage* m_start;
    ReadyPage* m_ready;
    ModelPage* m_model;
    ViewTabs* m_views;
    Comparison* m_comparison = nullptr;
    RunsDock* m_runs;
    LivePanel* m_live;
    TimelineWidget* m_timeline;
    LogDock* m_log;
    ProgressStrip* m_progress;
    StatusStrip* m_status;
    CommandPalette* m_palette;
    NewRunDialog* m_newRun = nullptr;
    QByteArray m_firstLayout;
    QStringList m_recent;

    std::vector<std::unique_ptr<RunSession>> m_sessions;
    std::map<RunSession*, std::unique_ptr<QTemporaryDir>> m_unpacked; // zips that are open
    RunSession* m_shown = nullptr;
    RunSession* m_measured = nullptr; // the base that was measured last
    bool m_measuring = false;
    std::optional<RunConfig> m_readyConfig;
    std::optional<ForkedRun> m_forking; // what the dialog's configuration is for
    int m_nextColor = 0;
    int m_exports = 0; // under way
    bool m_quitWhenEnded = false;
};

} // namespace mooring
