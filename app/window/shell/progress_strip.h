// SPDX-License-Identifier: GPL-3.0-or-later
// The right end of the toolbar: step, bar, time left, tokens per second, memory.
#pragma once
#include <QWidget>

class QLabel;
class QProgressBar;

namespace mooring {

class RunSession;

class ProgressStrip : public QWidget {
    Q_OBJECT
public:
    explicit ProgressStrip(QWidget* parent = nullptr);
    void show(const RunSession* session); // null: empty

private:
    QLabel* m_what;
    QProgressBar* m_bar;
    QLabel* m_left;
    QLabel* m_rate;
    QLabel* m_memory;
};

// The status bar's labels: device, precision, trainable parameters, last save, last probe.
class StatusStrip : public QWidget {
    Q_OBJECT
public:
    explicit StatusStrip(QWidget* parent = nullptr);
    void show(const RunSession* session);

private:
    QLabel* m_text;
};

} // namespace mooring
