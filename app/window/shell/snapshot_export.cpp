// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/snapshot_export.h"
#include "app/archive/zip_archive.h"
#include "app/window/shell/view_tabs.h"
#include "core/run/snapshot.h"
#include "widgets/views/communities_view.h"
#include <QDir>
#include <QTimer>

namespace mooring {
namespace {

constexpr int kWaitMs = 20;
constexpr int kLongestWaits = 1000; // a layout that never settles is drawn as it is

} // namespace

std::vector<View*> stageViews(const LoadedRun& run, SelectionModel* selection, QWidget* parent) {
    std::vector<View*> views = makeViews(selection, parent);
    for (View* view : views) {
        view->setRun(run.record);
        view->setFrames(run.base, run.tuned);
        view->setPartitions(run.communities);
        view->setExportTheme(ThemeKind::Light);
    }
    return views;
}

bool graphRests(const View& view) {
    const auto* graph = qobject_cast<const CommunitiesView*>(&view);
    return !graph || graph->forceLayout().atRest();
}

// By its class, UtilisationView: "utilisation". Titles change with the language, file names do not.
QString plotName(const View& view) {
    QString name = QString::fromLatin1(view.metaObject()->className());
    name.remove(QStringLiteral("mooring::"));
    name.chop(4);
    return name.toLower();
}

SnapshotExport::SnapshotExport(SnapshotOrder order, std::function<void(Job*)> show, QObject* parent)
    : QObject(parent)
    , m_order(std::move(order))
    , m_show(std::move(show))
    , m_run(std::make_shared<LoadedRun>()) { }

SnapshotExport::~SnapshotExport() = default;

void SnapshotExport::start() {
    if (!m_place.isValid())
        return end(Error{ErrorCode::Output, m_place.errorString().toStdString(),
            QDir::tempPath().toStdString(), "set TMPDIR to a writable folder"});
    const std::string from = m_order.folder.toStdString();
    const std::string to = m_place.filePath(QStringLiteral("snapshot")).toStdString();
    runJob(
        tr("Writing the snapshot"),
        [from, to, step = m_order.step, run = m_run](JobSteps& steps) -> Result<void> {
            steps.at(tr("tables and graphs"), 0, 0);
            MOORING_RETURN_IF_ERROR(writeSnapshot(from, to, step));
            if (!steps.at(tr("verifying it"), 0, 0))
                return Error{ErrorCode::Interrupted, "canceled", "", ""};
            MOORING_TRY(*run, loadRun(to));
            return {};
        },
        [this] { prepareViews(); });
}

void SnapshotExport::runJob(const QString& title, Job::Work work, std::function<void()> next) {
    auto* job = new Job(title, std::move(work), this);
    if (m_show)
        m_show(job);
    connect(job, &Job::finished, this, [this, next](const Result<void>& outcome) {
        if (outcome.ok())
            next();
        else
            end(outcome);
    });
}

void SnapshotExport::prepareViews() {
    if (m_order.plots.isEmpty())
        return pack();
    m_selection = std::make_unique<SelectionModel>();
    m_stage = std::make_unique<QWidget>();
    m_views = stageViews(*m_run, m_selection.get(), m_stage.get());
    for (View* view : m_views)
        for (const QString& ending : m_order.plots)
            if (!view->isEmpty())
                m_left.emplace_back(view, ending);
    QDir(m_place.filePath(QStringLiteral("snapshot"))).mkpath(QStringLiteral("plots"));
    QTimer::singleShot(0, this, &SnapshotExport::drawNext);
}

void SnapshotExport::drawNext() {
    if (m_left.empty())
        return pack();
    const auto [view, ending] = m_left.back();
    if (!graphRests(*view) && m_waits++ < kLongestWaits) {
        QTimer::singleShot(kWaitMs, this, &SnapshotExport::drawNext);
        return;
    }
    m_left.pop_back();
    const QString path
        = m_place.filePath(QStringLiteral("snapshot/plots/%1.%2").arg(plotName(*view), ending));
    QString why;
    if (!view->exportTo(path, &why))
        return end(Error{ErrorCode::Output, why.toStdString(), "", ""});
    QTimer::singleShot(0, this, &SnapshotExport::drawNext);
}

void SnapshotExport::pack() {
    m_stage.reset();
    m_views.clear();
    runJob(
        tr("Packing %1").arg(QFileInfo(m_order.zip).fileName()),
        [folder = m_place.filePath(QStringLiteral("snapshot")), zip = m_order.zip](
            JobSteps& steps) { return zipFolder(folder, zip, steps); },
        [this] { end({}); });
}

void SnapshotExport::end(const Result<void>& outcome) {
    Q_EMIT finished(outcome);
    deleteLater();
}

} // namespace mooring
