// SPDX-License-Identifier: GPL-3.0-or-later
// Configuration into fields and back.
#include "app/window/base/demo.h"
#include "app/window/base/field_numbers.h"
#include "app/window/data/data_files_editor.h"
#include "app/window/newrun/new_run_dialog.h"
#include "app/window/newrun/new_run_method.h"
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <algorithm>
#include <cmath>
#include <limits>

namespace mooring {
namespace {

QStringList pathsOf(const QString& text) {
    QStringList paths;
    for (const QString& part : text.split(QLatin1Char(';')))
        if (!part.trimmed().isEmpty())
            paths.append(part.trimmed());
    return paths;
}

QString textOf(const std::vector<DataFile>& files) {
    QStringList paths;
    for (const DataFile& file : files)
        paths.append(QString::fromStdString(file.path));
    return paths.join(QStringLiteral("; "));
}

// Columns and limits of a file stay with its path.
std::vector<DataFile> filesOf(const QLineEdit& edit, const std::vector<DataFile>& before) {
    std::vector<DataFile> files;
    for (const QString& path : pathsOf(edit.text())) {
        DataFile file;
        for (const DataFile& known : before)
            if (known.path == path.toStdString())
                file = known;
        file.path = path.toStdString();
        files.push_back(std::move(file));
    }
    return files;
}

QString textOf(const std::vector<ProbeSet>& sets) {
    QStringList lines;
    for (const ProbeSet& set : sets) {
        QStringList files;
        for (const std::string& file : set.files)
            files.append(QString::fromStdString(file));
        lines.append(QString::fromStdString(set.name) + QStringLiteral(" = ")
            + files.join(QStringLiteral("; ")));
    }
    return lines.join(QLatin1Char('\n'));
}

std::vector<ProbeSet> setsOf(const QString& text) {
    std::vector<ProbeSet> sets;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        if (line.trimmed().isEmpty())
            continue;
        const auto equals = line.indexOf(QLatin1Char('='));
        ProbeSet set;
        set.name = line.left(equals < 0 ? line.size() : equals).trimmed().toStdString();
        for (const QString& path : pathsOf(equals < 0 ? QString() : line.mid(equals + 1)))
            set.files.push_back(path.toStdString());
        sets.push_back(std::move(set));
    }
    return sets;
}

void choose(QComboBox* box, const std::string& text) {
    const int row = box->findText(QString::fromStdString(text));
    box->setCurrentIndex(std::max(row, 0));
}

int spinValue(std::int64_t value) {
    return static_cast<int>(std::clamp<std::int64_t>(value, 0, std::numeric_limits<int>::max()));
}

} // namespace

void NewRunDialog::setConfig(const RunConfig& config) {
    m_config = config;
    m_filling = true;
    fill();
    m_filling = false;
    check();
}

void NewRunDialog::fill() {
    const RunConfig& c = m_config;
    m_preset->setCurrentIndex(0);
    m_name->setText(QString::fromStdString(c.run.name));
    m_out->setText(QString::fromStdString(
        c.run.out.empty() ? userRunsFolder() + "/" + c.run.name : c.run.out));
    m_seed->setValue(spinValue(static_cast<std::int64_t>(c.run.seed)));
    m_model->setText(QString::fromStdString(c.model.path));
    m_model->setPlaceholderText(c.model.init
            ? tr("random weights of %1").arg(QString::fromStdString(c.model.init->config))
            : tr("drop or choose a folder"));
    choose(m_compute, c.model.compute);
    m_train->setText(textOf(c.data.train));
    m_dataFiles->setFiles(c.data.train);
    m_heldOut->setText(textOf(c.data.heldOut));
    m_fraction->setText(fieldText(c.data.heldOutFraction));
    m_maxLength->setValue(spinValue(c.data.maxLength));
    m_method->fill(c);
    fillTraining();
    m_steps->setValue(spinValue(c.optimizer.steps));
    m_epochs->setText(fieldText(c.optimizer.epochs));
    m_lr->setText(fieldText(c.optimizer.lr));
    m_minLr->setText(fieldText(c.optimizer.minLr));
    choose(m_schedule, c.optimizer.schedule);
    m_warmup->setValue(spinValue(c.optimizer.warmupSteps));
    m_global->setValue(spinValue(c.batch.global));
    m_micro->setValue(spinValue(c.batch.micro));
    m_micro->setEnabled(c.batch.microTokens == 0);
    m_probes->setPlainText(textOf(c.probe.sets));
    m_probeTokens->setValue(spinValue(c.probe.tokens));
    m_probeEvery->setValue(spinValue(c.probe.every));
    m_saveEvery->setValue(spinValue(c.save.every));
}

void NewRunDialog::readOptimizer(RunConfig& config) const {
    config.optimizer.steps = m_steps->value();
    config.optimizer.epochs = fieldNumber(m_epochs->text());
    config.optimizer.lr = fieldNumber(m_lr->text());
    config.optimizer.minLr = fieldNumber(m_minLr->text());
    config.optimizer.schedule = m_schedule->currentText().toStdString();
    config.optimizer.warmupSteps = m_warmup->value();
    config.batch.global = m_global->value();
    if (m_config.batch.microTokens == 0)
        config.batch.micro = m_micro->value();
}

RunConfig NewRunDialog::config() const {
    RunConfig config = m_config;
    config.run.name = m_name->text().trimmed().toStdString();
    config.run.out = m_out->text().trimmed().toStdString();
    if (spinValue(static_cast<std::int64_t>(m_config.run.seed)) != m_seed->value())
        config.run.seed = static_cast<std::uint64_t>(m_seed->value());
    config.model.path = m_model->text().trimmed().toStdString();
    if (!config.model.path.empty())
        config.model.init.reset();
    config.model.compute = m_compute->currentText().toStdString();
    config.data.train = m_dataFiles->files();
    config.data.heldOut = filesOf(*m_heldOut, m_config.data.heldOut);
    config.data.heldOutFraction = fieldNumber(m_fraction->text());
    config.data.maxLength = m_maxLength->value();
    readTraining(config);
    m_method->read(config);
    readOptimizer(config);
    config.probe.sets = setsOf(m_probes->toPlainText());
    config.probe.tokens = m_probeTokens->value();
    config.probe.every = m_probeEvery->value();
    config.save.every = m_saveEvery->value();
    return config;
}

void NewRunDialog::followPaths() {
    std::vector<std::string> paths;
    for (const QString& path : pathsOf(m_train->text()))
        paths.push_back(path.toStdString());
    m_dataFiles->setPaths(paths);
}

std::vector<ConfigProblem> NewRunDialog::problems() const {
    std::vector<ConfigProblem> found = m_method->problems();
    for (const QLineEdit* edit : {m_fraction, m_alpha, m_epochs, m_lr, m_minLr})
        if (edit->isEnabled() && std::isnan(fieldNumber(edit->text())))
            found.push_back({edit->objectName().toStdString(),
                tr("enter a number, as in 0.5 or 1e-5").toStdString()});
    if (!found.empty())
        return found; // the rest would only repeat them
    const RunConfig now = config();
    found = checkRunConfig(now);
    // Misspelled words are reported once, not also as missing from the model.
    const bool misspelt = std::any_of(found.begin(), found.end(),
        [](const ConfigProblem& problem) { return problem.key.starts_with("train."); });
    for (auto& problem : showTrainable(now))
        if (!misspelt)
            found.push_back(std::move(problem));
    return found;
}

} // namespace mooring
