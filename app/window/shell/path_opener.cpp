// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/path_opener.h"
#include "app/archive/zip_archive.h"
#include "app/window/base/banner.h"
#include "app/window/base/opened_path.h"
#include "app/window/docks/runs_dock.h"
#include "app/window/jobs/job_bar.h"
#include "app/window/pages/start_page.h"
#include "app/window/shell/actions.h"
#include "app/window/shell/model_measuring.h"
#include "app/window/shell/open_comparison.h"
#include "app/window/shell/run_starter.h"
#include "app/window/shell/session_book.h"
#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>

namespace mooring {

PathOpener::PathOpener(const WindowParts& parts, const Rooms& rooms, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_rooms(rooms)
    , m_recent(parts, this) {
    const Actions& a = *m_parts.actions;
    const auto on
        = [this](QAction* action, auto slot) { connect(action, &QAction::triggered, this, slot); };
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
    connect(m_parts.start, &StartPage::modelWanted, a.openModel, &QAction::trigger);
    connect(m_parts.start, &StartPage::runWanted, a.openRun, &QAction::trigger);
    connect(m_parts.runs, &RunsDock::pathChosen, this, &PathOpener::open);
    connect(&m_recent, &RecentPaths::chosen, this, &PathOpener::open);
    connect(m_rooms.studies, &OpenComparison::runWanted, this, &PathOpener::open);
    connect(m_rooms.sessions, &SessionBook::added, this, [this](RunSession* session) {
        connect(session, &RunSession::folderKnown, this, [this, session] {
            if (session->isOwn())
                m_recent.remember(session->folder());
        });
    });
}

void PathOpener::open(const QString& path) {
    const OpenedPath opened = lookAtPath(path);
    switch (opened.kind) {
    case PathKind::Run:
    case PathKind::Snapshot:
        m_rooms.sessions->openFolder(opened.path);
        break;
    case PathKind::Study:
        m_rooms.studies->openStudy(opened.path);
        break;
    case PathKind::SnapshotZip:
        openZip(opened.path);
        break;
    case PathKind::Model:
        m_rooms.models->openModel(opened.path);
        break;
    case PathKind::Data:
        m_rooms.runs->openDialogWithData(opened.path);
        break;
    case PathKind::Config:
        m_rooms.runs->makeReady(opened.path);
        break;
    case PathKind::Unknown:
        return m_parts.banner->tell(Banner::Kind::Error, opened.problem);
    }
    m_recent.remember(opened.path);
}

void PathOpener::openZip(const QString& zip) {
    auto place = std::make_shared<std::unique_ptr<QTemporaryDir>>(new QTemporaryDir);
    if (!(*place)->isValid())
        return m_parts.banner->tell(Banner::Kind::Error, (*place)->errorString());
    auto* job = new Job(
        tr("Opening %1").arg(QFileInfo(zip).fileName()),
        [zip, folder = (*place)->path()](JobSteps& steps) { return unzipInto(zip, folder, steps); },
        this);
    m_parts.jobs->show(job);
    connect(job, &Job::finished, this, [this, place, zip](const Result<void>& outcome) {
        if (!outcome.ok())
            return m_parts.banner->tell(outcome.error());
        const QString root = snapshotRoot((*place)->path());
        if (const OpenedPath inside = lookAtPath(root);
            inside.kind != PathKind::Snapshot && inside.kind != PathKind::Run)
            return m_parts.banner->tell(Banner::Kind::Error,
                tr("%1 is not a snapshot: a snapshot has a manifest.json and frames.").arg(zip));
        m_rooms.sessions->openFolder(root,
            QFileInfo(zip).fileName().remove(QStringLiteral(".mooring.zip")), std::move(*place));
    });
}

void PathOpener::askForFolder(const QString& title) {
    auto* dialog = new QFileDialog(m_parts.window, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, &PathOpener::open);
    dialog->open();
}

void PathOpener::askForFile(const QString& title, const QString& filter) {
    auto* dialog = new QFileDialog(m_parts.window, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(filter);
    connect(dialog, &QFileDialog::fileSelected, this, &PathOpener::open);
    dialog->open();
}

} // namespace mooring
