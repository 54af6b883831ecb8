// SPDX-License-Identifier: GPL-3.0-or-later
// A base model without a run: its facts, and its routing on texts.
#include "app/window/docks/log_dock.h"
#include "app/window/jobs/job_bar.h"
#include "app/window/pages/model_page.h"
#include "app/window/shell/main_window.h"
#include "core/measure/measure_model.h"
#include "core/routing/frame_file.h"
#include "core/routing/validity.h"
#include <QDir>
#include <QFileInfo>
#include <QStackedWidget>

namespace mooring {

void MainWindow::openModel(const QString& folder) {
    m_model->show(folder);
    m_stack->setCurrentWidget(m_model);
    m_banner->clear();
    updateActions();
    auto facts = std::make_shared<ModelFacts>();
    auto* job = new Job(
        tr("Reading %1").arg(QFileInfo(folder).fileName()),
        [folder, facts](JobSteps&) -> Result<void> {
            MOORING_TRY(*facts, modelFacts(folder.toStdString()));
            return {};
        },
        this);
    m_jobs->show(job);
    connect(job, &Job::finished, this, [this, folder, facts](const Result<void>& outcome) {
        if (m_model->folder() != folder)
            return; // another model was opened in the meantime
        if (outcome.ok())
            m_model->setFacts(*facts);
        else if (outcome.error().code != ErrorCode::Interrupted)
            m_banner->tell(Banner::Kind::Error, QString::fromStdString(outcome.error().message()));
    });
}

// The frame goes into a folder of its own, so that it is shown and exported like any run's.
void MainWindow::measureModel(const QStringList& files) {
    if (ownRun() || m_measuring) {
        m_banner->tell(Banner::Kind::Warning,
            tr("Another model is in use: measure this one when that has finished."));
        return;
    }
    auto place
        = std::make_shared<std::unique_ptr<QTemporaryDir>>(std::make_unique<QTemporaryDir>());
    const QString model = m_model->folder();
    const QString folder = (*place)->path();
    QDir(folder).mkpath(QStringLiteral("frames"));
    auto scope = std::make_shared<ScopeFigures>();
    m_measuring = true;
    auto* job = new Job(
        tr("Measuring the routing"),
        [config = probeConfig(model, files), folder, scope](JobSteps& steps) -> Result<void> {
            MOORING_TRY(const FramePtr frame, probeModel(config, [&](const RunProgress& p) {
                return steps.advance(phaseText(p), p.done, p.total);
            }));
            *scope = scopeFigures(*frame);
            const ProbeSettings settings{
                config.probe.rho, config.probe.resolution, config.probe.detectorSeed, {}};
            const auto partitions = partitionDomains(*frame, settings);
            const auto worth = validity(partitions, partitions, settings, quickNullGraphs(*frame),
                [&] { return !steps.advance(phaseWords(RunPhase::TestingCommunities), 0, 0); });
            if (!worth)
                return Error{ErrorCode::Interrupted, "canceled", "", ""};
            scope->verdict = scopeVerdict(*scope, worth->back().mean);
            return writeFrame(folder.toStdString() + "/frames/" + frameFileName(0), *frame, true);
        },
        this);
    m_jobs->show(job);
    connect(job, &Job::finished, this, [this, model, place, scope](const Result<void>& outcome) {
        m_measuring = false;
        if (outcome.ok())
            return showMeasured(model, *scope, std::move(*place));
        if (outcome.error().code != ErrorCode::Interrupted)
            m_banner->tell(Banner::Kind::Error, QString::fromStdString(outcome.error().message()));
    });
}

void MainWindow::showMeasured(
    const QString& model, const ScopeFigures& scope, std::unique_ptr<QTemporaryDir> place) {
    auto session = std::make_unique<RunSession>(place->path());
    session->setTitle(tr("%1, base").arg(QFileInfo(model).fileName()));
    m_measured = addSession(std::move(session));
    m_unpacked[m_measured] = std::move(place);
    refreshRuns();
    m_log->say(QString::fromStdString(scope.verdict));
    if (m_model->folder() == model)
        m_model->setScope(scope);
}

} // namespace mooring
