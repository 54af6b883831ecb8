// SPDX-License-Identifier: GPL-3.0-or-later
// What part of the model trains: the fields of [train], and the table of what they select.
#include "app/window/newrun/memory_bar.h"
#include "app/window/newrun/new_run_dialog.h"
#include "core/model/memory_estimate.h"
#include "core/run/trainable_text.h"
#include <QComboBox>
#include <QFontDatabase>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <cmath>

namespace mooring {
namespace {

QString textOf(const std::vector<std::string>& words) {
    QStringList list;
    for (const std::string& word : words)
        list.append(QString::fromStdString(word));
    return list.join(QStringLiteral(", "));
}

std::vector<std::string> wordsOf(const QLineEdit& edit) {
    std::vector<std::string> words;
    for (const QString& word : edit.text().split(QLatin1Char(',')))
        if (!word.trimmed().isEmpty())
            words.push_back(word.trimmed().toStdString());
    return words;
}

} // namespace

void NewRunDialog::buildTraining() {
    m_fields->addSection(tr("What trains"));
    m_what = m_fields->addChoice("train.what", tr("What trains"),
        tr("The whole model, only its routers, selected groups of weights, or low-rank adapters on "
           "frozen weights (LoRA)."));
    for (const char* what : {"full", "router", "groups", "lora"})
        m_what->addItem(QString::fromLatin1(what));
    connect(m_what, &QComboBox::currentIndexChanged, this, &NewRunDialog::enableTraining);
    m_groups = m_fields->addText("train.groups", tr("Groups"),
        tr("Any of %1, separated by commas.").arg(textOf(parameterGroups())));
    m_targets = m_fields->addText("train.lora.targets", tr("Adapters on"),
        tr("Any of %1, separated by commas.").arg(textOf(loraTargets())));
    m_rank = m_fields->addCount("train.lora.rank", tr("Rank"), 1, 4096,
        tr("Rank of the adapters: a higher rank can learn more and needs more memory."));
    m_alpha = m_fields->addNumber(
        "train.lora.alpha", tr("Alpha"), tr("The adapters are scaled by alpha / rank."));
    m_from = m_fields->addPath("train.lora.from", tr("Start from"), ConfigFields::Pick::Folder,
        tr("Folder of a PEFT adapter of this model, which brings its own rank, alpha and targets. "
           "Leave empty for new adapters."));
    connect(m_from, &QLineEdit::textChanged, this, &NewRunDialog::enableTraining);
    m_table = m_fields->addLines("train", tr("In numbers"),
        tr("Trainable parameters by group, from the model's config.json."));
    m_table->setReadOnly(true);
    m_table->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_table->setFixedHeight(11 * m_table->fontMetrics().lineSpacing() + 12);
    m_memory = new MemoryBar(m_fields);
    m_fields->addEditor("memory", tr("Memory"), m_memory,
        tr("An estimate from the model's tensors, part by part, compared with free device memory. "
           "The progress bar shows actual use during the run."));
}

void NewRunDialog::fillTraining() {
    const TrainConfig& train = m_config.train;
    const LoraConfig lora = train.lora.value_or(LoraConfig{});
    m_what->setCurrentText(QString::fromStdString(train.what));
    m_groups->setText(textOf(train.groups));
    m_targets->setText(textOf(lora.targets));
    m_rank->setValue(static_cast<int>(lora.rank));
    m_alpha->setText(QString::number(lora.alpha, 'g', 17));
    m_from->setText(QString::fromStdString(lora.from));
    enableTraining();
}

// Only the fields of the selected option have an effect.
void NewRunDialog::enableTraining() {
    const QString what = m_what->currentText();
    const auto belongsTo = [&](const char* choice) {
        return what == QLatin1String(choice)
            ? QString()
            : tr("No effect: applies only to \"%1\".").arg(QLatin1String(choice));
    };
    m_fields->setUsable("train.groups", belongsTo("groups"));
    m_fields->setUsable("train.lora.from", belongsTo("lora"));
    const QString ownShape = belongsTo("lora").isEmpty() && !m_from->text().trimmed().isEmpty()
        ? tr("No effect: the adapter to start from sets it.")
        : belongsTo("lora");
    for (const char* key : {"train.lora.targets", "train.lora.rank", "train.lora.alpha"})
        m_fields->setUsable(key, ownShape);
}

void NewRunDialog::readTraining(RunConfig& config) const {
    TrainConfig& train = config.train;
    train.what = m_what->currentText().toStdString();
    train.groups = m_groups->isEnabled() ? wordsOf(*m_groups) : std::vector<std::string>{};
    train.lora.reset();
    if (train.what == "lora" && !m_from->text().trimmed().isEmpty()) {
        train.lora = LoraConfig{};
        train.lora->from = m_from->text().trimmed().toStdString();
    } else if (train.what == "lora") {
        bool good = false;
        const double alpha = m_alpha->text().trimmed().toDouble(&good);
        train.lora = LoraConfig{m_rank->value(), good ? alpha : std::nan(""), wordsOf(*m_targets)};
    }
    if ((train.what == "lora") == (config.save.format == "hf" || config.save.format.empty()))
        config.save.format = train.what == "lora" ? "adapter" : "hf";
}

// The table and the memory estimate, or why there are none; a group that the model lacks is a
// problem of its field.
std::vector<ConfigProblem> NewRunDialog::showTrainable(const RunConfig& config) const {
    const std::string model = config.model.init ? config.model.init->config : config.model.path;
    const auto estimate = estimateMemory(config);
    const QString text = QString::fromStdString(estimate.ok() ? tableText(estimate->table)
            : model.empty()                                   ? ""
                                                              : estimate.error().what);
    if (m_table->toPlainText() != text) {
        const QSignalBlocker quiet(m_table);
        m_table->setPlainText(text);
    }
    showMemory(config, estimate);
    if (estimate.ok() || estimate.error().code != ErrorCode::Usage)
        return {};
    return {{estimate.error().where, estimate.error().what + ", " + estimate.error().hint}};
}

void NewRunDialog::showMemory(
    const RunConfig& config, const Result<MemoryEstimate>& estimate) const {
    if (!estimate.ok()) {
        m_memory->setEstimate({}, 0, {});
        return;
    }
    const double free = freeMemoryOf(config.model.device);
    QString advice;
    if (free > 0 && estimate->total() > free) {
        advice = QString::fromStdString(whatWouldFit(config, free));
        if (advice.isEmpty())
            advice = tr("No training setup of this model fits.");
    }
    m_memory->setEstimate(*estimate, free, advice);
}

} // namespace mooring
