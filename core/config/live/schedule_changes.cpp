// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/live/schedule_changes.h"
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace mooring {

namespace {

std::string entryKey(std::size_t index) {
    return "schedule[" + std::to_string(index) + "]";
}

Error entryError(std::size_t index, const char* key, std::string text) {
    return {ErrorCode::Usage, std::move(text), entryKey(index) + key, ""};
}

Result<void> checkTimes(const ScheduledChange& change, std::size_t index) {
    if (change.at && change.step != 0)
        return entryError(index, ".step", "at and step are both set; use only one");
    if (!change.at && change.step < 1)
        return entryError(
            index, ".step", "a planned change needs at (a share of the run) or step (1 or more)");
    if (change.at && !(*change.at >= 0 && *change.at < 1))
        return entryError(index, ".at", "at must be 0 or more and below 1");
    if (change.rampSteps < 0)
        return entryError(index, ".ramp_steps", "ramp_steps must be 0 or more");
    if (change.rampUntil && change.rampSteps != 0)
        return entryError(
            index, ".ramp_until", "ramp_steps and ramp_until are both set; use only one");
    if (change.rampUntil && !(*change.rampUntil > change.at.value_or(0) && *change.rampUntil <= 1))
        return entryError(index, ".ramp_until", "ramp_until must be above at and at most 1");
    return {};
}

Result<PlannedCommand> plan(
    const ScheduledChange& change, std::size_t index, std::int64_t totalSteps) {
    MOORING_RETURN_IF_ERROR(checkTimes(change, index));
    if (change.set.empty())
        return entryError(index, ".set", "a planned change needs set, as in {beta = 0.0}");
    const auto total = static_cast<double>(totalSteps);
    PlannedCommand planned;
    planned.step
        = change.at ? static_cast<std::int64_t>(std::floor(*change.at * total)) + 1 : change.step;
    std::int64_t ramp = change.rampSteps;
    if (change.rampUntil) {
        const auto end = static_cast<std::int64_t>(std::llround(*change.rampUntil * total));
        if (!change.at && end < planned.step)
            return entryError(index, ".ramp_until", "the ramp ends before the change starts");
        // In a run of few steps both shares can round to one step: then there is no ramp.
        ramp = std::max<std::int64_t>(0, end - planned.step + 1);
    }
    std::string line = "{\"set\":" + change.set;
    if (ramp > 0)
        line += ",\"ramp_steps\":" + std::to_string(ramp);
    auto command = parseCommand(line + "}");
    if (!command)
        return entryError(index, ".set", command.error().what);
    planned.command = std::move(command).value();
    planned.command.source = "schedule";
    return planned;
}

} // namespace

Result<std::vector<PlannedCommand>> scheduledCommands(
    const RunConfig& config, std::int64_t totalSteps) {
    struct Entry {
        std::size_t index;
        PlannedCommand planned;
    };
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < config.schedule.size(); ++i) {
        MOORING_TRY(PlannedCommand planned, plan(config.schedule[i], i, totalSteps));
        entries.push_back({i, std::move(planned)});
    }
    std::stable_sort(entries.begin(), entries.end(),
        [](const Entry& a, const Entry& b) { return a.planned.step < b.planned.step; });
    // The schedule is simulated, so that a run does not fail halfway.
    LiveControls controls(config.method);
    std::vector<PlannedCommand> commands;
    for (Entry& entry : entries) {
        const auto applied = controls.apply(entry.planned.command, entry.planned.step);
        if (!applied)
            return entryError(entry.index, ".set", applied.error().what);
        const MethodTraits* traits = findMethodTraits(controls.target().method);
        if (config.prior.compute == "never" && traits->needsPrior)
            return entryError(entry.index, ".set",
                "prior.compute is \"never\", but the method " + traits->id + " needs the prior");
        commands.push_back(std::move(entry.planned));
    }
    return commands;
}

std::vector<ConfigProblem> scheduleProblems(const RunConfig& config) {
    const auto hasShare = [](const ScheduledChange& change) { return change.at.has_value(); };
    const auto& schedule = config.schedule;
    const bool mixed = std::any_of(schedule.begin(), schedule.end(), hasShare)
        && !std::all_of(schedule.begin(), schedule.end(), hasShare);
    // With epochs the length is not known yet. A long placeholder keeps the order of entries that
    // are all shares or all steps; mixed ones can only be checked one by one.
    constexpr std::int64_t kStandIn = std::int64_t(1) << 40;
    const std::int64_t steps = config.optimizer.steps;
    if (steps == 0 && mixed) {
        for (std::size_t i = 0; i < schedule.size(); ++i)
            if (const auto planned = plan(schedule[i], i, kStandIn); !planned)
                return {{planned.error().where, planned.error().what}};
        return {};
    }
    const auto commands = scheduledCommands(config, steps > 0 ? steps : kStandIn);
    if (commands)
        return {};
    return {{commands.error().where, commands.error().what}};
}

} // namespace mooring
