// SPDX-License-Identifier: GPL-3.0-or-later
// Previews training data before a run: what is question, answer and supervised, how long rows are,
// what is dropped and why, also with another template. Reading happens on a worker thread.
#pragma once
#include "app/window/jobs/job.h"
#include "core/config/run_config.h"
#include "core/data/data_report.h"
#include <QPointer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QTableView;
class QTabWidget;
class QTextBrowser;

namespace mooring {

class JobBar;
class LengthsView;
class SelectionModel;
class ValueTable;

class DataPreview : public QWidget {
    Q_OBJECT
public:
    explicit DataPreview(QWidget* parent = nullptr); // a window of its own
    ~DataPreview() override;
    void show(const RunConfig& config);

    QString text() const; // counts and rows, as shown
    QTabWidget* tabs() const { return m_tabs; }
    QSpinBox* firstRow() const { return m_first; }
    LengthsView* lengths() const { return m_lengths; }
    QTableView* droppedRows() const { return m_droppedView; }
    QPlainTextEdit* templateText() const { return m_template; }
    bool isBusy() const { return m_reading || m_counting; }

Q_SIGNALS:
    void templateChosen(const QString& file); // a file, or "auto": the model's own

private:
    QWidget* buildRows();
    QWidget* buildDropped();
    QWidget* buildTemplate();
    void loadTemplate(); // of the configuration, into the editor
    void chooseTemplate();
    void saveTemplate();
    void setTemplateFile(const QString& file);
    void readAll(); // rows and counts
    void readRows();
    void countRows();
    void showRows(const std::string& html);
    void showReport(const DataReport& report);
    void saveText(const QString& title, const QString& filter, const QString& text);
    std::optional<std::string> edited() const; // the template, where it is not the file's

    RunConfig m_config;
    QLabel* m_counts;
    QTabWidget* m_tabs;
    QSpinBox* m_first = nullptr;
    QTextBrowser* m_rows = nullptr;
    SelectionModel* m_selection;
    LengthsView* m_lengths = nullptr;
    ValueTable* m_dropped = nullptr;
    QTableView* m_droppedView = nullptr;
    QPlainTextEdit* m_template = nullptr;
    QLabel* m_templateState = nullptr;
    QString m_templateOfFile; // the editor's content before any edits
    JobBar* m_jobs;
    QTimer m_readSoon; // not on every keystroke
    QPointer<Job> m_reading;
    QPointer<Job> m_counting;
};

} // namespace mooring
