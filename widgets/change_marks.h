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
    QString text; // "beta 1 → 0 over 96"
    bool planned = false; // by the schedule
};

// Whether the event changed a value: beta, method, strength, lr_scale, also.<id>.
bool isLiveChange(const RunEvent& event);
// JSON text as people read it: numbers short, strings bare, null as "-".
QString readableValue(const std::string& json);
QString changeName(const std::string& what); // "learning rate ×", "Router-L2"
QString changeText(const RunEvent& event); // "beta 1 → 0 over 96 steps"

// By step; changes of one step make one mark.
std::vector<ChangeMark> changeMarks(const RunRecord& run);

} // namespace mooring
