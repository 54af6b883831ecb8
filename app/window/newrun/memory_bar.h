// SPDX-License-Identifier: GPL-3.0-or-later
// What a run would take of memory, part by part, against what is free on its device.
#pragma once
#include "core/model/memory_estimate.h"
#include <QWidget>
#include <optional>

class QLabel;
class QPlainTextEdit;

namespace mooring {

class MemoryBar : public QWidget {
    Q_OBJECT
public:
    explicit MemoryBar(QWidget* parent = nullptr);
    // Nothing: there is no model yet. `free` 0: unknown. `advice` is shown if it does not fit.
    void setEstimate(
        const std::optional<MemoryEstimate>& estimate, double free, const QString& advice);
    QString sentence() const; // as shown under the bar
    QString partsText() const; // as shown below, one line a part

private:
    class Picture;
    Picture* m_picture;
    QLabel* m_sentence;
    QPlainTextEdit* m_parts;
};

} // namespace mooring
