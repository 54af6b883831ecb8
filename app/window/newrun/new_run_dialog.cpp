// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog around the form; values of the fields are in new_run_fields.cpp.
#include "app/window/newrun/new_run_dialog.h"
#include "app/window/base/banner.h"
#include "app/window/data/data_files_editor.h"
#include "app/window/data/data_preview.h"
#include "app/window/newrun/new_run_method.h"
#include "core/config/presets.h"
#include "core/files/atomic_folder.h"
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

namespace mooring {

NewRunDialog::NewRunDialog(QWidget* parent)
    : QDialog(parent)
    , m_fields(new ConfigFields(this))
    , m_banner(new Banner(this)) {
    setWindowTitle(tr("New run"));
    resize(720, 760);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 8);
    column->addWidget(m_banner);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(m_fields);
    column->addWidget(scroll, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->setContentsMargins(16, 4, 16, 4);
    QPushButton* save
        = buttons->addButton(tr("Sa&ve configuration..."), QDialogButtonBox::ActionRole);
    m_start = buttons->addButton(tr("&Start"), QDialogButtonBox::AcceptRole);
    m_start->setDefault(true);
    for (QAbstractButton* button : buttons->buttons())
        button->setIcon({}); // words are enough
    column->addWidget(buttons);
    buildFields();
    m_checkSoon.setSingleShot(true);
    m_checkSoon.setInterval(150);
    connect(&m_checkSoon, &QTimer::timeout, this, &NewRunDialog::check);
    connect(m_fields, &ConfigFields::edited, this, [this] {
        if (!m_filling)
            m_checkSoon.start();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_start, &QPushButton::clicked, this, &NewRunDialog::start);
    connect(save, &QPushButton::clicked, this, &NewRunDialog::askWhereToSave);
    setConfig(presetConfig("paper").ok() ? *presetConfig("paper") : RunConfig{});
}

void NewRunDialog::buildFields() {
    m_fields->addSection(tr("Run"));
    m_preset = m_fields->addChoice("extends", tr("&Preset"),
        tr("Fills in the preset's values; model, data and output stay as they are."));
    m_preset->addItem(tr("choose one to fill in its values"));
    for (const std::string& name : presetNames())
        m_preset->addItem(QString::fromStdString(name));
    connect(m_preset, &QComboBox::activated, this, &NewRunDialog::loadPreset);
    m_name = m_fields->addText("run.name", tr("&Name"), tr("The run's name in lists."));
    m_out = m_fields->addPath("run.out", tr("&Output folder"), ConfigFields::Pick::NewFolder,
        tr("The run folder. If it already has a run, -2, -3, ... is appended."));
    m_seed = m_fields->addCount("run.seed", tr("Se&ed"), 0, 1'000'000'000,
        tr("Sets the order of the samples and everything else that is random."));
    buildModelAndData();
    buildTraining();
    m_method = new MethodFields(m_fields);
    buildSchedule();
    buildProbe();
}

void NewRunDialog::buildModelAndData() {
    m_fields->addSection(tr("Model and data"));
    m_model = m_fields->addPath("model.path", tr("&Model folder"), ConfigFields::Pick::Folder,
        tr("A Hugging Face folder with config.json, weights and tokenizer."));
    m_compute = m_fields->addChoice(
        "model.compute", tr("&Precision"), tr("auto: fp32 on a CPU, bf16 on a GPU."));
    m_compute->addItems({"auto", "fp32", "bf16"});
    m_train = m_fields->addPath("data.train", tr("&Training data"), ConfigFields::Pick::Files,
        tr("Files of conversations or texts (.jsonl, .json, .csv, .parquet, .txt), separated by "
           "semicolons."));
    m_dataFiles = new DataFilesEditor(this);
    m_fields->addEditor("data.train[]", tr("by &file"), m_dataFiles,
        tr("The weight and column mapping of each file."));
    connect(m_train, &QLineEdit::textChanged, this, &NewRunDialog::followPaths);
    connect(m_dataFiles, &DataFilesEditor::edited, m_fields, &ConfigFields::edited);
    QPushButton* look = m_fields->addButton(tr("Chec&k rows..."),
        tr("The first rows as tokens, with question and answer marked, and what is dropped and "
           "why."));
    connect(look, &QPushButton::clicked, this, &NewRunDialog::previewData);
    m_heldOut = m_fields->addPath("data.held_out", tr("&Held-out data"), ConfigFields::Pick::Files,
        tr("Files for measuring only, never trained on."));
    m_fraction = m_fields->addNumber("data.held_out_fraction", tr("or a share"),
        tr("Without held-out files, this share of the training rows is held out."));
    m_maxLength = m_fields->addCount("data.max_length", tr("Ma&ximum length"), 1, 10'000'000,
        tr("Longer rows are dropped and counted."));
}

void NewRunDialog::buildSchedule() {
    m_fields->addSection(tr("Steps and learning rate"));
    m_steps = m_fields->addCount(
        "optimizer.steps", tr("Steps"), 0, 100'000'000, tr("Optimizer steps; 0 to use epochs."));
    m_epochs = m_fields->addNumber(
        "optimizer.epochs", tr("or epochs"), tr("Passes over the training data; 0 to use steps."));
    m_lr
        = m_fields->addNumber("optimizer.lr", tr("&Learning rate"), tr("The peak, after warm-up."));
    m_minLr = m_fields->addNumber("optimizer.min_lr", tr("at the end"),
        tr("The value at the end of the schedule; by default a tenth of the learning rate."));
    m_schedule = m_fields->addChoice(
        "optimizer.schedule", tr("Schedule"), tr("How the learning rate decays."));
    m_schedule->addItems({"cosine", "linear", "constant"});
    m_warmup = m_fields->addCount("optimizer.warmup_steps", tr("&Warm-up steps"), 0, 100'000'000,
        tr("The learning rate rises from 0 over these steps."));
    m_global = m_fields->addCount(
        "batch.global", tr("Samples per step"), 1, 1'000'000, tr("The global batch."));
    m_micro = m_fields->addCount("batch.micro", tr("per micro-batch"), 1, 1'000'000,
        tr("The micro-batch: smaller needs less memory and gives the same results."));
}

void NewRunDialog::buildProbe() {
    m_fields->addSection(tr("Probe and saving"));
    m_probes = m_fields->addLines("probe.sets", tr("P&robe sets"),
        tr("One per line: name = file; file. Held-out texts on which the routing is measured."));
    m_probes->setPlaceholderText(QStringLiteral("math = probe/math.jsonl"));
    m_probeTokens = m_fields->addCount("probe.tokens", tr("Tokens per set"), 1, 100'000'000,
        tr("Whole texts in file order, up to about this many tokens."));
    m_probeEvery = m_fields->addCount("probe.every", tr("Probe every"), 1, 100'000'000,
        tr("Steps between two probe frames and held-out losses."));
    m_saveEvery = m_fields->addCount("save.every", tr("Sa&ve every"), 0, 100'000'000,
        tr("Steps between two checkpoints; 0 for the end only."));
}

void NewRunDialog::loadPreset(int index) {
    if (index <= 0)
        return;
    auto preset = presetConfig(m_preset->itemText(index).toStdString());
    if (!preset.ok()) {
        m_banner->tell(Banner::Kind::Error, QString::fromStdString(preset.error().message()));
        return;
    }
    const RunConfig now = config();
    preset->run = now.run;
    preset->model = now.model;
    preset->data.train = now.data.train;
    preset->data.heldOut = now.data.heldOut;
    preset->data.heldOutFraction = now.data.heldOutFraction;
    preset->probe.sets = now.probe.sets;
    preset->evaluate.tasks = now.evaluate.tasks;
    setConfig(*preset);
}

void NewRunDialog::previewData() {
    if (!m_preview)
        makePreview();
    m_preview->show(config());
}

void NewRunDialog::makePreview() {
    m_preview = new DataPreview(this);
    connect(m_preview, &DataPreview::templateChosen, this, [this](const QString& file) {
        m_config.model.templateFile = file.toStdString();
        m_banner->tell(Banner::Kind::Info,
            file == QLatin1String("auto") ? tr("The model's own template is used.")
                                          : tr("The template %1 is used.").arg(file));
    });
}

void NewRunDialog::check() {
    m_method->follow(config());
    const auto found = problems();
    const auto homeless = m_fields->showProblems(found);
    m_start->setEnabled(found.empty());
    m_start->setToolTip(found.empty() ? QString()
                                      : tr("%n problem(s), shown next to their fields", nullptr,
                                          static_cast<int>(found.size())));
    if (homeless.empty())
        m_banner->clear();
    else
        m_banner->tell(Banner::Kind::Error,
            QString::fromStdString(homeless.front().key + ": " + homeless.front().text));
}

void NewRunDialog::start() {
    check();
    const auto found = problems();
    if (!found.empty()) {
        m_fields->reveal(found.front().key);
        return;
    }
    accept();
    Q_EMIT startWanted(config());
}

void NewRunDialog::askWhereToSave() {
    auto* dialog = new QFileDialog(this, tr("Save configuration"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("toml"));
    dialog->setNameFilter(tr("Run configurations (*.toml)"));
    dialog->selectFile(m_name->text() + QStringLiteral(".toml"));
    connect(dialog, &QFileDialog::fileSelected, this, &NewRunDialog::saveTo);
    dialog->open();
}

bool NewRunDialog::saveTo(const QString& path) {
    const auto written = writeFileAtomically(path.toStdString(), writeRunConfig(config()));
    if (!written.ok()) {
        m_banner->tell(Banner::Kind::Error, QString::fromStdString(written.error().message()));
        return false;
    }
    m_banner->tell(Banner::Kind::Info,
        tr("Saved. To train without the window: mooring-cli train \"%1\"").arg(path));
    return true;
}

} // namespace mooring
