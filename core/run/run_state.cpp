// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_state.h"
#include "core/base/object_reader.h"
#include "core/files/atomic_folder.h"

namespace mooring {

const char* stateName(RunState state) {
    switch (state) {
    case RunState::Running:
        return "running";
    case RunState::Paused:
        return "paused";
    case RunState::Finished:
        return "finished";
    case RunState::Failed:
        return "failed";
    case RunState::Stopped:
    case RunState::Interrupted:
    case RunState::Unknown:
        break;
    }
    return "stopped";
}

RunState parseRunState(std::string_view name) {
    for (const auto state : {RunState::Running, RunState::Paused, RunState::Finished,
             RunState::Stopped, RunState::Failed})
        if (name == stateName(state))
            return state;
    return RunState::Unknown;
}

RunEnding readRunEnding(const std::filesystem::path& runFolder) {
    RunEnding ending;
    const auto text = readFile(runFolder / "manifest.json");
    const auto manifest = text.ok() ? parseObject(*text) : std::nullopt;
    if (!manifest)
        return ending;
    ObjectReader reader(*manifest);
    std::string state;
    reader.text("state", state);
    ending.state = parseRunState(state);
    reader.integer("steps", ending.steps);
    if (ending.state == RunState::Finished || ending.state == RunState::Stopped)
        reader.integer("step", ending.endedAt);
    reader.integer("exit_code", ending.exitCode);
    reader.text("error", ending.error);
    return ending;
}

} // namespace mooring
