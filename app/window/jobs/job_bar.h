// SPDX-License-Identifier: GPL-3.0-or-later
// Long work: what, how far, how long, and Cancel. One row per job.
#pragma once
#include "app/window/jobs/job.h"
#include <QWidget>

class QVBoxLayout;

namespace mooring {

class JobBar : public QWidget {
    Q_OBJECT
public:
    explicit JobBar(QWidget* parent = nullptr);
    void show(Job* job); // the row goes with the job
    int count() const { return m_count; }

private:
    void removeRow(QWidget* row);
    QVBoxLayout* m_rows;
    int m_count = 0;
};

} // namespace mooring
