// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a form, each bound to a key of the run configuration, with room for its problem below.
#pragma once
#include "core/config/run_config.h"
#include <QWidget>
#include <functional>
#include <map>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace mooring {

class ConfigFields : public QWidget {
    Q_OBJECT
public:
    explicit ConfigFields(QWidget* parent = nullptr);

    void addSection(const QString& title);
    QLineEdit* addText(const std::string& key, const QString& label, const QString& tip);
    // A line of text that must be a number; `none` stands for "not set".
    QLineEdit* addNumber(const std::string& key, const QString& label, const QString& tip);
    QSpinBox* addCount(
        const std::string& key, const QString& label, int low, int high, const QString& tip);
    QComboBox* addChoice(const std::string& key, const QString& label, const QString& tip);
    enum class Pick { File, Files, Folder, NewFolder };
    QLineEdit* addPath(const std::string& key, const QString& label, Pick pick, const QString& tip);
    QPushButton* addButton(const QString& text, const QString& tip); // under the row before
    QPlainTextEdit* addLines(const std::string& key, const QString& label, const QString& tip);

    // Each problem beside the field of its key or of the nearest key above it. What has no field
    // comes back.
    std::vector<ConfigProblem> showProblems(const std::vector<ConfigProblem>& problems);
    QString problemOf(const std::string& key) const; // as shown
    bool hasField(const std::string& key) const { return m_rows.contains(key); }
    void reveal(const std::string& key); // its field gets the focus

Q_SIGNALS:
    void edited();

private:
    struct Row {
        QLabel* problem;
        QWidget* editor;
    };
    void addRow(const std::string& key, const QString& label, QWidget* editor, QWidget* beside,
        const QString& tip);
    void pickPath(QLineEdit* edit, Pick pick);
    const Row* rowFor(std::string key) const;
    QVBoxLayout* m_column;
    QFormLayout* m_form = nullptr;
    std::map<std::string, Row> m_rows;
};

} // namespace mooring
