// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions: showing one, steering it, and what happens when it ends.
#include "app/window/docks/log_dock.h"
#include "app/window/docks/runs_dock.h"
#include "app/window/jobs/job_bar.h"
#include "app/window/pages/ready_page.h"
#include "app/window/session/comparison.h"
#include "app/window/shell/actions.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/progress_strip.h"
#include "app/window/shell/snapshot_export.h"
#include "app/window/shell/view_tabs.h"
#include "widgets/charts/timeline.h"
#include "widgets/live/live_panel.h"
#include "widgets/views/overview_view.h"
#include <QAction>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QUrl>

namespace mooring {

RunSession* MainWindow::addSession(std::unique_ptr<RunSession> session) {
    session->colorIndex = m_nextColor++;
    RunSession* added = session.get();
    m_sessions.push_back(std::move(session));
    connectSession(added);
    return added;
}

void MainWindow::connectSession(RunSession* session) {
    connect(session, &RunSession::recordChanged, this, [this, session] { sessionRecord(session); });
    connect(session, &RunSession::framesChanged, this, [this, session] {
        if (session != m_shown)
            return;
        m_views->setFrames(session->base(), session->tuned());
        if (!session->communities())
            m_views->setPartitions(nullptr);
    });
    connect(session, &RunSession::communitiesChanged, this, [this, session] {
        if (session == m_shown)
            m_views->setPartitions(session->communities());
    });
    connect(session, &RunSession::progressChanged, this, [this, session] {
        if (session == m_shown)
            m_progress->show(session);
        updateActions();
    });
    connect(session, &RunSession::logsChanged, this, [this, session] {
        if (session != m_shown)
            return;
        m_log->show(session);
        refreshRuns();
    });
    connect(session, &RunSession::notice, this,
        [this, session](const QString& text) { m_log->say(session->name() + ": " + text); });
    connect(session, &RunSession::failed, this,
        [this, session](const QString& text) { tellFailure(session, text); });
    connect(session, &RunSession::folderKnown, this, [this, session] {
        if (session->isOwn())
            remember(session->folder());
        m_log->say(tr("%1 writes to %2").arg(session->name(), session->folder()));
    });
    connect(session, &RunSession::configAsked, this,
        [this, session](const QString& sentence) { askWhichConfig(session, sentence); });
    connect(session, &RunSession::ended, this, [this, session] { sessionEnded(session); });
}

RunSession* MainWindow::ownRun() const {
    for (const auto& session : m_sessions)
        if (session->isOwn())
            return session.get();
    return nullptr;
}

bool MainWindow::isBusy() const {
    return ownRun() || m_exports > 0 || m_jobs->count() > 0;
}

void MainWindow::showSession(RunSession* session) {
    if (m_shown && m_shown != session)
        m_shown->setShown(false);
    const bool other = m_shown != session;
    m_shown = session;
    refreshRuns();
    if (other) {
        Selection fresh;
        fresh.domain = m_selection->value().domain;
        m_selection->set(fresh); // another run has other steps
        m_views->setPartitions(session ? session->communities() : nullptr);
        m_views->setFrames(
            session ? session->base() : nullptr, session ? session->tuned() : nullptr);
    }
    m_views->setRun(session ? session->record() : nullptr);
    m_timeline->setRun(session ? session->record() : nullptr);
    m_live->setRun(session ? session->record() : nullptr);
    m_runs->showRetention(session, m_selection->value().step);
    m_log->show(session);
    if (session) {
        session->showStep(m_selection->value().step);
        session->setShown(true);
        m_stack->setCurrentWidget(m_views);
        setWindowTitle(tr("%1 \u2014 Mooring").arg(session->name()));
    } else if (m_comparison && !m_comparison->study().isEmpty()) {
        m_stack->setCurrentWidget(m_views);
    } else {
        m_stack->setCurrentIndex(0);
        setWindowTitle(tr("Mooring"));
    }
    updateOverlays();
    updateActions();
}

void MainWindow::refreshRuns() {
    std::vector<RunSession*> all;
    for (const auto& each : m_sessions)
        all.push_back(each.get());
    m_runs->setSessions(all, m_shown);
    compareOpenRuns();
}

void MainWindow::closeSession(RunSession* session) {
    if (!session || session->isOwn())
        return;
    const auto at = std::find_if(m_sessions.begin(), m_sessions.end(),
        [session](const auto& each) { return each.get() == session; });
    if (at == m_sessions.end())
        return;
    // Both are removed at the end, the folder last: until then it may be in use.
    const auto unpacked = m_unpacked.extract(session);
    const std::unique_ptr<RunSession> closing = std::move(*at);
    m_sessions.erase(at);
    if (m_measured == session)
        m_measured = nullptr;
    if (m_shown == session) {
        m_shown = nullptr;
        showSession(m_sessions.empty() ? nullptr : m_sessions.back().get());
    } else {
        showSession(m_shown);
    }
}

void MainWindow::sessionRecord(RunSession* session) {
    if (!m_runs->updateSession(session))
        refreshRuns();
    if (session == m_shown) {
        m_views->setRun(session->record());
        m_timeline->setRun(session->record());
        m_live->setRun(session->record());
        m_runs->showRetention(session, m_selection->value().step);
        m_log->show(session);
        m_progress->show(session);
        setWindowTitle(tr("%1 \u2014 Mooring").arg(session->name()));
        if (const QString why = session->failure(); !why.isEmpty() && !session->failureTold)
            tellFailure(session, why);
    }
    const auto overlays = m_runs->overlays();
    if (std::find(overlays.begin(), overlays.end(), session) != overlays.end())
        updateOverlays();
    updateActions();
}

void MainWindow::sessionEnded(RunSession* session) {
    m_runs->updateSession(session);
    if (session->failure().isEmpty())
        m_log->say(tr("%1 has ended and is saved.").arg(session->name()));
    updateActions();
    if (m_quitWhenEnded && isVisible())
        close();
    else if (m_quitWhenEnded)
        QCoreApplication::quit(); // it ran on in the background
}

void MainWindow::tellFailure(RunSession* session, const QString& sentence) {
    session->failureTold = true;
    const QString text = tr("%1: %2").arg(session->name(), sentence);
    m_log->say(text);
    if (session->folder().isEmpty() && !session->isOwn() && m_readyConfig) {
        // It failed before it had a folder: the configuration is what must be fixed.
        m_banner->tell(Banner::Kind::Error, text,
            {tr("Change the configuration"), [this] { m_actions->newRun->trigger(); }});
        return;
    }
    m_banner->tell(Banner::Kind::Error, text);
}

bool MainWindow::mayTrain() {
    if (const RunSession* running = ownRun()) {
        m_banner->tell(Banner::Kind::Warning,
            tr("%1 is still training. Stop it before starting another run; only one model trains "
               "at a time.")
                .arg(running->name()));
        return false;
    }
    if (m_measuring) {
        m_banner->tell(Banner::Kind::Warning,
            tr("A base model is being measured. The run can start when that has finished."));
        return false;
    }
    return true;
}

RunSession* MainWindow::startReady() {
    if (!m_readyConfig || !mayTrain())
        return nullptr;
    if (const auto problems = checkRunConfig(*m_readyConfig); !problems.empty()) {
        m_banner->tell(Banner::Kind::Error,
            QString::fromStdString(problems.front().key + ": " + problems.front().text),
            {tr("Change the configuration"), [this] { m_actions->newRun->trigger(); }});
        return nullptr;
    }
    m_banner->clear();
    const RunConfig config = *m_readyConfig;
    m_readyConfig.reset();
    RunSession* session = addSession(std::make_unique<RunSession>(config));
    m_readyConfig = config; // for the next run, or to fix this one
    showSession(session);
    return session;
}

void MainWindow::startOrResume() {
    if (m_shown && m_shown->isPaused())
        sendWord(RunAction::Resume);
    else
        startReady();
}

void MainWindow::togglePause() {
    if (m_shown && m_shown->isActive())
        sendWord(m_shown->isPaused() ? RunAction::Resume : RunAction::Pause);
}

void MainWindow::sendWord(RunAction word) {
    if (!m_shown)
        return;
    if (const auto sent = m_shown->send(word); !sent.ok())
        m_banner->tell(Banner::Kind::Error, QString::fromStdString(sent.error().message()));
}

void MainWindow::takeSnapshot() {
    if (!m_shown || !m_shown->record())
        return;
    const auto& steps = m_shown->record()->frameSteps;
    const std::int64_t step = frameStepAt(steps, m_selection->value().step);
    if (m_shown->isSnapshot())
        return askForSnapshot(); // it is already a snapshot; ask where to copy it
    const QDir folder(m_shown->folder());
    folder.mkpath(QStringLiteral("snapshots"));
    const QString name = QStringLiteral("snapshots/%1-step-%2.mooring.zip")
                             .arg(QFileInfo(m_shown->folder()).fileName())
                             .arg(step, 6, 10, QLatin1Char('0'));
    exportSnapshot(folder.filePath(name), step);
}

void MainWindow::askForSnapshot() {
    if (!m_shown || m_shown->folder().isEmpty())
        return;
    auto* dialog = new QFileDialog(this, tr("Export snapshot"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Snapshots (*.mooring.zip)"));
    dialog->setDirectory(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    dialog->selectFile(m_shown->name() + QStringLiteral(".mooring.zip"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](QString path) {
        if (!path.endsWith(QLatin1String(".zip")))
            path += QLatin1String(".mooring.zip");
        exportSnapshot(path);
    });
    dialog->open();
}

void MainWindow::exportSnapshot(const QString& zip, std::optional<std::int64_t> step) {
    if (!m_shown || m_shown->folder().isEmpty())
        return;
    auto* work = new SnapshotExport(
        {m_shown->folder(), zip, step}, [this](Job* job) { m_jobs->show(job); }, this);
    ++m_exports;
    connect(work, &SnapshotExport::finished, this, [this, zip](const Result<void>& outcome) {
        --m_exports;
        if (!outcome.ok()) {
            if (outcome.error().code != ErrorCode::Interrupted)
                m_banner->tell(
                    Banner::Kind::Error, QString::fromStdString(outcome.error().message()));
            return;
        }
        m_log->say(tr("Snapshot written: %1").arg(zip));
        m_banner->tell(Banner::Kind::Info, tr("Snapshot written: %1").arg(zip),
            {tr("Show the folder"),
                [zip] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(zip).path())); }});
        if (m_shown)
            m_shown->refresh();
        Q_EMIT snapshotWritten(zip);
    });
    work->start();
}

void MainWindow::updateOverlays() {
    std::vector<RunPtr> runs;
    std::map<std::string, int> colors;
    for (const auto& session : m_sessions)
        if (session->record())
            colors[session->record()->info.path] = session->colorIndex;
    for (const RunSession* session : m_runs->overlays())
        if (session->record())
            runs.push_back(session->record());
    m_views->overview()->setRunColors(std::move(colors));
    m_views->overview()->setOverlays(std::move(runs));
}

void MainWindow::updateActions() {
    const Actions& a = *m_actions;
    const bool active = m_shown && m_shown->isActive();
    const bool paused = m_shown && m_shown->isPaused();
    const bool readable = m_shown && m_shown->record();
    const bool onReadyPage = m_stack->currentWidget() == m_ready;
    a.start->setEnabled(paused || (m_readyConfig && onReadyPage && !ownRun()));
    a.start->setText(paused ? tr("Resume") : tr("S&tart"));
    a.pause->setEnabled(active && !paused);
    for (QAction* action : {a.stop, a.undo, a.evaluate, a.sample, a.checkpoint})
        action->setEnabled(active);
    a.step->setEnabled(paused);
    a.resumeRun->setEnabled(m_shown && m_shown->canResume() && !ownRun());
    a.forkRun->setEnabled(readable && !m_shown->isSnapshot() && !ownRun());
    a.snapshot->setEnabled(readable);
    a.exportSnapshot->setEnabled(readable);
    a.closeRun->setEnabled(m_shown && !m_shown->isOwn());
    for (QAction* action : {a.previousFrame, a.nextFrame, a.latestFrame, a.copyView, a.tableView,
             a.exportPng, a.exportSvg, a.exportPdf, a.exportCsv})
        action->setEnabled(m_stack->currentWidget() == m_views);
    m_live->setActive(active);
    m_progress->show(m_shown);
    m_status->show(m_shown);
}

} // namespace mooring
