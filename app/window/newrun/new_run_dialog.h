// SPDX-License-Identifier: GPL-3.0-or-later
// The New-run dialog: a run configuration as a form. What the form has no field for is kept as it
// came. Lives in the GUI thread.
#pragma once
#include "app/window/newrun/config_fields.h"
#include <QDialog>
#include <QTimer>

class QPushButton;

namespace mooring {

class Banner;
class DataFilesEditor;
class DataPreview;
class MemoryBar;
struct MemoryEstimate;
class MethodFields;

class NewRunDialog : public QDialog {
    Q_OBJECT
public:
    explicit NewRunDialog(QWidget* parent = nullptr);

    void setConfig(const RunConfig& config);
    RunConfig config() const; // the form's current values
    // What is wrong, number fields that hold no number included.
    std::vector<ConfigProblem> problems() const;
    ConfigFields* fields() const { return m_fields; }
    QPushButton* startButton() const { return m_start; }
    MethodFields* method() const { return m_method; }
    MemoryBar* memory() const { return m_memory; }
    DataFilesEditor* dataFiles() const { return m_dataFiles; }
    void previewData(); // the rows in a separate window
    DataPreview* preview() const { return m_preview; } // null: never shown
    bool saveTo(const QString& path); // false: the dialog's banner says why

Q_SIGNALS:
    void startWanted(const mooring::RunConfig& config);

private:
    void buildFields();
    void buildModelAndData();
    void buildTraining();
    void buildSchedule();
    void buildProbe();
    void fill();
    void fillTraining();
    void enableTraining();
    void readTraining(RunConfig& config) const;
    std::vector<ConfigProblem> showTrainable(const RunConfig& config) const;
    void showMemory(const RunConfig& config, const Result<MemoryEstimate>& estimate) const;
    void readOptimizer(RunConfig& config) const;
    void check();
    void loadPreset(int index);
    void makePreview();
    void followPaths();
    void askWhereToSave();
    void start();

    RunConfig m_config; // the values without a field
    ConfigFields* m_fields;
    Banner* m_banner;
    QPushButton* m_start = nullptr;
    QTimer m_checkSoon; // looks at files: not on every keystroke
    bool m_filling = false;
    DataPreview* m_preview = nullptr;

    QComboBox* m_preset = nullptr;
    QLineEdit* m_name = nullptr;
    QLineEdit* m_out = nullptr;
    QSpinBox* m_seed = nullptr;
    QLineEdit* m_model = nullptr;
    QComboBox* m_compute = nullptr;
    QLineEdit* m_train = nullptr;
    DataFilesEditor* m_dataFiles = nullptr;
    QLineEdit* m_heldOut = nullptr;
    QLineEdit* m_fraction = nullptr;
    QSpinBox* m_maxLength = nullptr;
    QComboBox* m_what = nullptr;
    QLineEdit* m_groups = nullptr;
    QLineEdit* m_targets = nullptr;
    QSpinBox* m_rank = nullptr;
    QLineEdit* m_alpha = nullptr;
    QLineEdit* m_from = nullptr;
    QPlainTextEdit* m_table = nullptr; // what trains by group
    MemoryBar* m_memory = nullptr;
    MethodFields* m_method = nullptr;
    QSpinBox* m_steps = nullptr;
    QLineEdit* m_epochs = nullptr;
    QLineEdit* m_lr = nullptr;
    QLineEdit* m_minLr = nullptr;
    QComboBox* m_schedule = nullptr;
    QSpinBox* m_warmup = nullptr;
    QSpinBox* m_global = nullptr;
    QSpinBox* m_micro = nullptr;
    QPlainTextEdit* m_probes = nullptr;
    QSpinBox* m_probeTokens = nullptr;
    QSpinBox* m_probeEvery = nullptr;
    QSpinBox* m_saveEvery = nullptr;
};

} // namespace mooring
