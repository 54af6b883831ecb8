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
class QToolButton;
class QVBoxLayout;

namespace mooring {

class Caption;

// Opens and closes the rows below it; what it hides is told in a few words beside it.
class Fold : public QWidget {
    Q_OBJECT
public:
    Fold(const QString& title, QWidget* part, QWidget* parent);
    void setOpen(bool open);
    bool isOpen() const { return !m_part->isHidden(); }
    void setSummary(const QString& text);

private:
    QToolButton* m_button;
    Caption* m_summary;
    QWidget* m_part;
};

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
    // Any other editor; its owner says when it was edited.
    void addEditor(
        const std::string& key, const QString& label, QWidget* editor, const QString& tip);
    // Rows that come after it open and close with it, until the next section.
    Fold* addFold(const QString& title);

    void setNote(const std::string& key, const QString& sentence); // under its field
    QString noteOf(const std::string& key) const;
    // Empty: enabled. Else it is disabled and its tooltip says why.
    void setUsable(const std::string& key, const QString& whyNot);
    bool isUsable(const std::string& key) const;

    // Shows each problem next to the field of its key or of the nearest parent key. Returns those
    // without a field.
    std::vector<ConfigProblem> showProblems(const std::vector<ConfigProblem>& problems);
    QString problemOf(const std::string& key) const; // as shown
    bool hasField(const std::string& key) const { return m_rows.contains(key); }
    void reveal(const std::string& key); // its field gets the focus

Q_SIGNALS:
    void edited();

private:
    struct Row {
        QLabel* note;
        QLabel* problem;
        QWidget* editor;
        QWidget* title;
        QString tip;
        Fold* fold; // null: always open
    };
    void addRow(const std::string& key, const QString& label, QWidget* editor, QWidget* beside,
        const QString& tip);
    void pickPath(QLineEdit* edit, Pick pick);
    const Row* rowFor(std::string key) const;
    QVBoxLayout* m_column;
    QFormLayout* m_form = nullptr;
    Fold* m_fold = nullptr; // of the rows that are added now
    std::map<std::string, Row> m_rows;
};

} // namespace mooring
