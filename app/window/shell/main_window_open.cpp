// SPDX-License-Identifier: GPL-3.0-or-later
// Opening: by menu, drop, command line and recent files, all through openPath().
#include "app/archive/zip_archive.h"
#include "app/window/base/demo.h"
#include "app/window/base/settings.h"
#include "app/window/docks/log_dock.h"
#include "app/window/jobs/job_bar.h"
#include "app/window/newrun/new_run_dialog.h"
#include "app/window/pages/model_page.h"
#include "app/window/pages/ready_page.h"
#include "app/window/pages/start_page.h"
#include "app/window/shell/actions.h"
#include "app/window/shell/main_window.h"
#include "core/config/presets.h"
#include "widgets/base/view.h"
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QStackedWidget>

namespace mooring {
namespace {

constexpr int kRecentPaths = 8;

QString sentenceOf(const Error& error) {
    return QString::fromStdString(error.message());
}

} // namespace

void MainWindow::openPath(const QString& path) {
    const OpenedPath opened = lookAtPath(path);
    switch (opened.kind) {
    case PathKind::Run:
    case PathKind::Snapshot:
        openRun(opened.path);
        break;
    case PathKind::Study:
        openStudy(opened.path);
        break;
    case PathKind::SnapshotZip:
        openZip(opened.path);
        break;
    case PathKind::Model:
        openModel(opened.path);
        break;
    case PathKind::Data:
        openData(opened.path);
        break;
    case PathKind::Config:
        makeReady(opened.path);
        break;
    case PathKind::Unknown:
        m_banner->tell(Banner::Kind::Error, opened.problem);
        return;
    }
    remember(opened.path);
}

RunSession* MainWindow::openRun(const QString& folder, const QString& title) {
    for (const auto& session : m_sessions)
        if (session->folder() == folder) {
            showSession(session.get());
            return session.get();
        }
    auto session = std::make_unique<RunSession>(folder);
    session->setTitle(title);
    RunSession* added = addSession(std::move(session));
    showSession(added);
    return added;
}

void MainWindow::openZip(const QString& zip) {
    auto place
        = std::make_shared<std::unique_ptr<QTemporaryDir>>(std::make_unique<QTemporaryDir>());
    if (!(*place)->isValid()) {
        m_banner->tell(Banner::Kind::Error, (*place)->errorString());
        return;
    }
    const QString folder = (*place)->path();
    auto* job = new Job(
        tr("Opening %1").arg(QFileInfo(zip).fileName()),
        [zip, folder](JobSteps& steps) { return unzipInto(zip, folder, steps); }, this);
    m_jobs->show(job);
    connect(job, &Job::finished, this, [this, place, zip](const Result<void>& outcome) {
        if (!outcome.ok()) {
            if (outcome.error().code != ErrorCode::Interrupted)
                m_banner->tell(Banner::Kind::Error, sentenceOf(outcome.error()));
            return;
        }
        const QString root = snapshotRoot((*place)->path());
        if (const OpenedPath inside = lookAtPath(root);
            inside.kind != PathKind::Snapshot && inside.kind != PathKind::Run) {
            m_banner->tell(Banner::Kind::Error,
                tr("%1 is not a snapshot: a snapshot has a manifest.json and frames.").arg(zip));
            return;
        }
        RunSession* session
            = openRun(root, QFileInfo(zip).fileName().remove(QStringLiteral(".mooring.zip")));
        m_unpacked[session] = std::move(*place); // lives as long as the session
    });
}

void MainWindow::openData(const QString& file) {
    RunConfig config = m_readyConfig.value_or(RunConfig{});
    config.data.train = {DataFile{file.toStdString(), {}, 0}};
    openNewRun(config);
    if (!config.model.path.empty() || config.model.init)
        m_newRun->previewData();
}

void MainWindow::openNewRun(const std::optional<RunConfig>& config) {
    if (!m_newRun) {
        m_newRun = new NewRunDialog(this);
        connect(m_newRun, &NewRunDialog::startWanted, this, [this](const RunConfig& chosen) {
            if (m_forking) {
                startFork(chosen);
                return;
            }
            makeReady(chosen);
            startReady();
        });
    }
    m_forking.reset();
    m_newRun->setWindowTitle(tr("New run"));
    if (config) {
        m_newRun->setConfig(*config);
    } else if (m_stack->currentWidget() == m_model) {
        RunConfig chosen = m_newRun->config();
        chosen.model.path = m_model->folder().toStdString();
        m_newRun->setConfig(chosen);
    }
    m_newRun->open();
}

void MainWindow::openDemo() {
    auto config = demoConfig();
    if (config.ok())
        makeReady(*config);
    else
        m_banner->tell(Banner::Kind::Error, sentenceOf(config.error()));
}

bool MainWindow::makeReady(const QString& toml) {
    auto config = loadRunConfig(toml.toStdString());
    if (!config.ok()) {
        m_banner->tell(Banner::Kind::Error, sentenceOf(config.error()));
        return false;
    }
    // The window may be started anywhere, so its working directory is not a place for runs.
    if (config->run.out.empty())
        config->run.out = userRunsFolder() + "/" + config->run.name;
    makeReady(*config);
    return true;
}

void MainWindow::makeReady(const RunConfig& config) {
    m_readyConfig = config;
    m_ready->show(config);
    m_stack->setCurrentWidget(m_ready);
    m_banner->clear();
    updateActions();
}

void MainWindow::askForFolder(const QString& title) {
    auto* dialog = new QFileDialog(this, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openPath);
    dialog->open();
}

void MainWindow::askForFile(const QString& title, const QString& filter) {
    auto* dialog = new QFileDialog(this, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(filter);
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openPath);
    dialog->open();
}

void MainWindow::viewAction(ViewAction action) {
    switch (action) {
    case ViewAction::TryDemo:
        openDemo();
        break;
    case ViewAction::OpenModel:
        m_actions->openModel->trigger();
        break;
    case ViewAction::OpenRun:
        m_actions->openRun->trigger();
        break;
    case ViewAction::NewRun:
    case ViewAction::Probe: // the probe texts of a run stand in its configuration
        openNewRun(m_readyConfig);
        break;
    }
}

void MainWindow::remember(const QString& path) {
    // Another window may have opened something in the meantime.
    const auto settings = openSettings();
    m_recent = settings->value(QStringLiteral("recent")).toStringList();
    m_recent.removeAll(path);
    m_recent.prepend(path);
    while (m_recent.size() > kRecentPaths)
        m_recent.removeLast();
    settings->setValue(QStringLiteral("recent"), m_recent);
    updateRecent();
}

void MainWindow::updateRecent() {
    m_start->setRecent(m_recent);
    m_actions->recentMenu->clear();
    m_actions->recentMenu->setEnabled(!m_recent.isEmpty());
    for (const QString& path : m_recent)
        connect(m_actions->recentMenu->addAction(QDir::toNativeSeparators(path)),
            &QAction::triggered, this, [this, path] { openPath(path); });
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
