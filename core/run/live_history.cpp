// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/live_history.h"
#include "core/base/json_lines.h"
#include "core/base/object_reader.h"
#include "core/run/run_reader.h"
#include <algorithm>

namespace mooring {

namespace {

// {"what": "also.lbl", "new": 0.1, "ramp_steps": 4} -> the command that made it.
std::optional<Command> commandOf(const RunEvent& event) {
    if (event.source != "window" && event.source != "control")
        return std::nullopt;
    const auto value = nlohmann::json::parse(event.after, nullptr, false);
    if (value.is_discarded())
        return std::nullopt;
    constexpr std::string_view kAlso = "also.";
    const nlohmann::json set = event.what.starts_with(kAlso)
        ? nlohmann::json{{"also", {{event.what.substr(kAlso.size()), value}}}}
        : nlohmann::json{{event.what, value}};
    nlohmann::json line = {{"set", set}};
    if (event.rampSteps > 0)
        line["ramp_steps"] = event.rampSteps;
    auto command = parseCommand(jsonLine(line)); // actions and rejected lines are not changes
    if (!command.ok())
        return std::nullopt;
    command->source = event.source;
    return std::move(command).value();
}

} // namespace

LiveHistory readLiveHistory(const std::filesystem::path& runFolder, std::int64_t step) {
    LiveHistory history;
    for (const auto& line : LineFollower(runFolder / "events.jsonl").poll()) {
        const auto object = parseObject(line);
        if (!object)
            continue;
        const auto event = runEventFromJson(*object);
        if (!event.ok())
            continue;
        history.controlOffset = std::max(history.controlOffset, event->controlOffset);
        if (event->step <= step)
            continue;
        if (auto command = commandOf(*event))
            history.changes.push_back({event->step, std::move(*command)});
    }
    std::stable_sort(history.changes.begin(), history.changes.end(),
        [](const auto& a, const auto& b) { return a.step < b.step; });
    return history;
}

} // namespace mooring
