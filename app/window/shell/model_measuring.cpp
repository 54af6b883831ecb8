// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/model_measuring.h"
#include "app/window/base/banner.h"
#include "app/window/base/texts.h"
#include "app/window/docks/log_dock.h"
#include "app/window/jobs/job_bar.h"
#include "app/window/pages/model_page.h"
#include "app/window/shell/session_book.h"
#include "core/measure/base_routing.h"
#include <QFileInfo>
#include <QStackedWidget>

namespace mooring {

ModelMeasuring::ModelMeasuring(const WindowParts& parts, SessionBook* book, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_book(book) {
    connect(m_parts.model, &ModelPage::measureWanted, this, &ModelMeasuring::measure);
    connect(m_parts.model, &ModelPage::routingWanted, this, [this] {
        if (m_measured)
            m_book->show(m_measured);
    });
}

void ModelMeasuring::openModel(const QString& folder) {
    m_parts.model->show(folder);
    m_parts.pages->setCurrentWidget(m_parts.model);
    m_parts.banner->clear();
    Q_EMIT opened();
    auto facts = std::make_shared<ModelFacts>();
    auto* job = new Job(
        tr("Reading %1").arg(QFileInfo(folder).fileName()),
        [folder, facts](JobSteps&) -> Result<void> {
            MOORING_TRY(*facts, modelFacts(folder.toStdString()));
            return {};
        },
        this);
    m_parts.jobs->show(job);
    connect(job, &Job::finished, this, [this, folder, facts](const Result<void>& outcome) {
        if (m_parts.model->folder() != folder)
            return; // another model was opened meanwhile
        if (outcome.ok())
            m_parts.model->setFacts(*facts);
        else
            m_parts.banner->tell(outcome.error());
    });
}

// The frame goes into a folder of its own, so that it is shown and exported like any run's.
void ModelMeasuring::measure(const QStringList& files) {
    if (m_book->own() || m_busy) {
        m_parts.banner->tell(Banner::Kind::Warning,
            tr("Another model is in use: measure this one when that has finished."));
        return;
    }
    auto place = std::make_shared<std::unique_ptr<QTemporaryDir>>(new QTemporaryDir);
    auto scope = std::make_shared<ScopeFigures>();
    const QString model = m_parts.model->folder();
    std::vector<std::string> paths;
    for (const QString& file : files)
        paths.push_back(file.toStdString());
    m_busy = true;
    auto* job = new Job(
        tr("Measuring the routing"),
        [config = probeOfFiles(model.toStdString(), paths), scope,
            folder = (*place)->path().toStdString()](JobSteps& steps) -> Result<void> {
            MOORING_TRY(*scope, measureBaseRouting(config, folder, [&](const RunProgress& p) {
                return steps.at(phaseLabel(p), p.done, p.total);
            }));
            return {};
        },
        this);
    m_parts.jobs->show(job);
    connect(job, &Job::finished, this, [this, model, place, scope](const Result<void>& outcome) {
        m_busy = false;
        if (outcome.ok())
            showMeasured(model, *scope, std::move(*place));
        else
            m_parts.banner->tell(outcome.error());
    });
}

void ModelMeasuring::showMeasured(
    const QString& model, const ScopeFigures& scope, std::unique_ptr<QTemporaryDir> place) {
    auto session = std::make_unique<RunSession>(place->path());
    session->setTitle(tr("%1, base").arg(QFileInfo(model).fileName()));
    session->measuredBase = true;
    m_measured = m_book->add(std::move(session), std::move(place));
    m_parts.log->say(QString::fromStdString(scope.verdict));
    if (m_parts.model->folder() == model)
        m_parts.model->setScope(scope);
}

} // namespace mooring
