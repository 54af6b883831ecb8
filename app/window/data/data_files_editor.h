// SPDX-License-Identifier: GPL-3.0-or-later
// The files of data.train, one row each: its weight, row limit, column mapping, and what its first
// rows look like.
#pragma once
#include "core/config/run_config.h"
#include <QPointer>
#include <QWidget>

class QLabel;
class QPushButton;
class QTableWidget;

namespace mooring {

class Job;

class DataFilesEditor : public QWidget {
    Q_OBJECT
public:
    explicit DataFilesEditor(QWidget* parent = nullptr);

    void setFiles(const std::vector<DataFile>& files);
    // A file keeps its settings while its path stays the same.
    void setPaths(const std::vector<std::string>& paths);
    // The current table; NaN where a weight is invalid.
    std::vector<DataFile> files() const;

    QTableWidget* table() const { return m_table; }
    QPushButton* useButton() const { return m_use; }

Q_SIGNALS:
    void edited();

private:
    // What the first rows of a file say.
    struct Found {
        std::string path;
        QString text;
        QString reason; // of the proposal
        std::map<std::string, std::string> proposal; // empty: none is needed, or none fits
    };
    static Found lookAt(const DataFile& file);
    void look(); // at all files, on a worker thread
    void showFound(const std::vector<Found>& found);
    void useProposal();
    void updateUse();

    std::vector<DataFile> m_files;
    std::vector<Found> m_found;
    QTableWidget* m_table;
    QPushButton* m_use;
    QLabel* m_reason;
    QPointer<Job> m_looking;
    bool m_filling = false;
};

} // namespace mooring
