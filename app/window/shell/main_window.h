// SPDX-License-Identifier: GPL-3.0-or-later
// The window: builds its parts and its controllers, and connects them. What each controller does
// stands at the head of its header. All of it lives in the GUI thread.
#pragma once
#include "app/window/base/watchdog.h"
#include "app/window/shell/window_parts.h"
#include "core/config/run_config.h"
#include <QMainWindow>
#include <optional>

namespace mooring {

class CloseGuard;
class Comparison;
class ModelMeasuring;
class NewRunDialog;
class OpenComparison;
class PathOpener;
class RunSession;
class RunStarter;
class SessionBook;
class SessionDisplay;
class SessionSteering;
class SnapshotActions;
enum class ViewAction;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    // Opens anything: a model, run, snapshot or study folder, a zip, a data file, a configuration.
    // The banner shows what cannot be opened.
    void openPath(const QString& path);
    RunSession* openRun(const QString& folder);
    void openDemo(); // ready to start
    void makeReady(const RunConfig& config);
    bool makeReady(const QString& toml); // false: the banner says why
    RunSession* startReady(); // null: nothing is ready, or the banner says why not
    void exportSnapshot(const QString& zip, std::optional<std::int64_t> step = {});
    void stopAndQuit(); // saves first

    const WindowParts& parts() const { return m_parts; }
    Actions* actions() const { return m_parts.actions; }
    Banner* banner() const { return m_parts.banner; }
    ViewTabs* views() const { return m_parts.views; }
    RunSession* session() const; // the shown one; null: none
    bool isBusy() const; // a run of this process, or a job
    const Comparison& comparison() const;
    NewRunDialog* newRunDialog() const; // null: never opened
    EventLoopWatchdog* watchdog() { return &m_watchdog; }

Q_SIGNALS:
    void snapshotWritten(const QString& zip);

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void connectControllers();
    void connectRunActions();
    void connectWindowActions();
    void connectViews();
    void followView(ViewAction action);
    void updateActions();

    EventLoopWatchdog m_watchdog;
    WindowParts m_parts;
    SessionBook* m_book;
    OpenComparison* m_comparison;
    SessionDisplay* m_display;
    SessionSteering* m_steering;
    ModelMeasuring* m_models;
    RunStarter* m_starter;
    SnapshotActions* m_snapshots;
    PathOpener* m_opener;
    CloseGuard* m_guard;
    QByteArray m_firstLayout;
};

} // namespace mooring
