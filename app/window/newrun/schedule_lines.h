// SPDX-License-Identifier: GPL-3.0-or-later
// Planned changes as lines that people read and write:
//     at 0.5: beta = 0 until 0.9
//     step 120: method = kl_to_base, strength = 0.3 over 20 steps
#pragma once
#include "core/config/run_config.h"
#include <QString>

namespace mooring {

QString scheduleText(const std::vector<ScheduledChange>& changes);

struct ScheduleRead {
    std::vector<ScheduledChange> changes; // one per line, also if it cannot be parsed
    std::vector<ConfigProblem> problems; // by "schedule[i]"
};

// A line that describes one of `before` returns exactly that change.
ScheduleRead readSchedule(const QString& text, const std::vector<ScheduledChange>& before);

} // namespace mooring
