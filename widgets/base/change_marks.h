// SPDX-License-Identifier: GPL-3.0-or-later
// Live changes of a run as marks on time axes: the same words in charts, timeline and live panel.
#pragma once
#include "core/view/run_record.h"
#include <QString>
#include <vector>

namespace mooring {

struct ChangeMark {
    std::int64_t step = 0; // the first step in which it holds
    std::int64_t rampSteps = 0;
    QString text; // "beta 1 → 0"
    QString detail; // "beta 1 → 0 over 96 steps (planned)"
};

// Whether the event changed a value: beta, method, strength, lr_scale, also.<id>.
bool isLiveChange(const RunEvent& event);
// JSON text as people read it: numbers short, strings bare, null as "-".
QString readableValue(const std::string& json);
QString changeText(const RunEvent& event); // "beta 1 → 0", with the short names of control.jsonl
QString overSteps(std::int64_t steps); // "over 96 steps"
QString changeDetail(const RunEvent& event); // with its ramp, and where it came from

// By step; changes in one step share a mark.
std::vector<ChangeMark> changeMarks(const RunRecord& run);

} // namespace mooring
