// SPDX-License-Identifier: GPL-3.0-or-later
// The planned live changes of a configuration ([[schedule]], docs/methods.md#schedules) as
// commands.
#pragma once
#include "core/config/live/live_control.h"
#include "core/config/run_config.h"
#include <cstdint>
#include <vector>

namespace mooring {

struct PlannedCommand {
    std::int64_t step = 0; // the first optimizer step in which it holds
    Command command; // source "schedule"
    bool operator==(const PlannedCommand&) const = default;
};

// In the order of their steps, entries of one step in the order of the file. `at` = a is step
// floor(a steps) + 1; with `ramp_until` = u the ramp reaches the new value at step round(u steps).
// Errors (Usage) name the entry: a value that its method lacks at that time, a ramp that ends
// before it begins.
Result<std::vector<PlannedCommand>> scheduledCommands(
    const RunConfig& config, std::int64_t totalSteps);

// What is wrong with the schedule, as far as can be known before the number of steps.
std::vector<ConfigProblem> scheduleProblems(const RunConfig& config);

} // namespace mooring
