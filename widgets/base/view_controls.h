// SPDX-License-Identifier: GPL-3.0-or-later
// Controls that several routing views have in common.
#pragma once
#include "core/view/run_record.h"
#include "widgets/base/controls.h"
#include "widgets/base/selection.h"

class QToolButton;

namespace mooring {

// "Probe, bias-free | Training tokens, with bias"; indices as in RoutingSource.
SegmentedControl* makeSourceControl(QWidget* parent);
QString sourceText(bool probe); // how a source is named wherever it appears

struct RangeButtons {
    QToolButton* fit;
    QToolButton* lock; // checkable
};
RangeButtons makeRangeButtons(QWidget* parent);

// The first choice pools all domains; it is the selection's empty name.
void fillDomainChoice(ChoiceButton* choice, const RoutingFrame* frame, const QString& domain);
void connectDomainChoice(ChoiceButton* choice, SelectionModel* selection);
QString domainText(const QString& domain);

// The newest at or before `step`; -1: the newest of all. Null: none.
const TrainingFrame* trainingFrameAt(const RunRecord& run, std::int64_t step);

} // namespace mooring
