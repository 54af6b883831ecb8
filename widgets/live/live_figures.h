// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of a run in the live panel. Pure values.
#pragma once
#include "core/view/run_record.h"
#include "widgets/base/figure_list.h"

namespace mooring {

// The prior, the shuffles of `method`, and where a token-level reference comes from.
std::vector<Figure> priorFigures(const RunInfo& info, const std::string& method);

// The newest held-out loss: as the model is used and, where training routes otherwise, as trained.
std::vector<Figure> heldOutFigures(const RunRecord& run);

// What the configuration fixes for the run about the terms in force; empty: nothing unusual.
QString fixedOptions(const RunInfo& info, const StepMetrics& inForce);

QString byteText(double bytes); // "60.2 MB"

} // namespace mooring
