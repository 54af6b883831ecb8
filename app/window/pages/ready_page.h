// SPDX-License-Identifier: GPL-3.0-or-later
// A configuration that is ready to start: what it will do, in a few lines.
#pragma once
#include "core/config/run_config.h"
#include <QWidget>

class QFormLayout;
class QLabel;
class QPushButton;

namespace mooring {

class ReadyPage : public QWidget {
    Q_OBJECT
public:
    explicit ReadyPage(QWidget* parent = nullptr);
    void show(const RunConfig& config);

Q_SIGNALS:
    void startWanted();
    void changeWanted();

private:
    QLabel* m_title;
    QLabel* m_sentence;
    QFormLayout* m_lines;
    QLabel* m_problems;
    QPushButton* m_start;
};

QString summaryOf(const RunConfig& config); // one sentence: method, steps, batch

} // namespace mooring
