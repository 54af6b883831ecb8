// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/snapshot_actions.h"
#include "app/window/base/banner.h"
#include "app/window/docks/log_dock.h"
#include "app/window/jobs/job_bar.h"
#include "app/window/shell/actions.h"
#include "app/window/shell/session_book.h"
#include "app/window/shell/snapshot_export.h"
#include "core/run/loaded_run.h"
#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QMainWindow>
#include <QStandardPaths>
#include <QUrl>

namespace mooring {

SnapshotActions::SnapshotActions(const WindowParts& parts, SessionBook* book, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_book(book) {
    connect(m_parts.actions->snapshot, &QAction::triggered, this, &SnapshotActions::take);
    connect(m_parts.actions->exportSnapshot, &QAction::triggered, this, &SnapshotActions::askWhere);
}

void SnapshotActions::take() {
    const RunSession* shown = m_book->shown();
    if (!shown || !shown->record())
        return;
    if (shown->isSnapshot())
        return askWhere(); // it is one already: where does the copy go?
    const auto step = frameStepAt(shown->record()->frameSteps, m_parts.selection->value().step);
    const QDir folder(shown->folder());
    folder.mkpath(QStringLiteral("snapshots"));
    const QString name = QStringLiteral("snapshots/%1-step-%2.mooring.zip")
                             .arg(QFileInfo(shown->folder()).fileName())
                             .arg(step, 6, 10, QLatin1Char('0'));
    exportTo(folder.filePath(name), step);
}

void SnapshotActions::askWhere() {
    const RunSession* shown = m_book->shown();
    if (!shown || shown->folder().isEmpty())
        return;
    auto* dialog = new QFileDialog(m_parts.window, tr("Export snapshot"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Snapshots (*.mooring.zip)"));
    dialog->setDirectory(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    dialog->selectFile(shown->name() + QStringLiteral(".mooring.zip"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](QString path) {
        if (!path.endsWith(QLatin1String(".zip")))
            path += QLatin1String(".mooring.zip");
        exportTo(path);
    });
    dialog->open();
}

void SnapshotActions::exportTo(const QString& zip, std::optional<std::int64_t> step) {
    const RunSession* shown = m_book->shown();
    if (!shown || shown->folder().isEmpty())
        return;
    auto* work = new SnapshotExport(
        {shown->folder(), zip, step}, [this](Job* job) { m_parts.jobs->show(job); }, this);
    ++m_exports;
    connect(work, &SnapshotExport::finished, this, [this, zip](const Result<void>& outcome) {
        --m_exports;
        tellWritten(zip, outcome);
    });
    work->start();
}

void SnapshotActions::tellWritten(const QString& zip, const Result<void>& outcome) {
    if (!outcome.ok())
        return m_parts.banner->tell(outcome.error());
    const QString sentence = tr("Snapshot written: %1").arg(zip);
    m_parts.log->say(sentence);
    m_parts.banner->tell(Banner::Kind::Info, sentence,
        {tr("Show the folder"),
            [zip] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(zip).path())); }});
    if (m_book->shown())
        m_book->shown()->refresh();
    Q_EMIT written(zip);
}

} // namespace mooring
