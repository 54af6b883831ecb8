// SPDX-License-Identifier: GPL-3.0-or-later
// Training data before a run: what is a question, what an answer, what is supervised, what is
// dropped and why.
#pragma once
#include "core/config/run_config.h"
#include <QWidget>

class QLabel;
class QTextBrowser;

namespace mooring {

// What a preview says; made on a worker thread.
struct DataSummary {
    std::string html; // the first rows, coloured by span
    std::vector<std::string> lines; // counts and notices
};

// Errors: Input, as training would refuse these files with this model's tokenizer and template.
Result<DataSummary> summariseData(const RunConfig& config);

class DataPreview : public QWidget {
    Q_OBJECT
public:
    explicit DataPreview(QWidget* parent = nullptr); // a window of its own
    ~DataPreview() override;
    void show(const RunConfig& config);
    QString text() const; // counts and rows, as shown

private:
    QLabel* m_counts;
    QTextBrowser* m_rows;
};

} // namespace mooring
