// SPDX-License-Identifier: GPL-3.0-or-later
// The states of a run as manifest.json spells them.
#pragma once
#include "core/view/run_record.h"
#include <filesystem>
#include <string_view>

namespace mooring {

const char* stateName(RunState state); // "stopped" for one that was interrupted or is not known
RunState parseRunState(std::string_view name); // Unknown for any other word

// How far a run came, by its manifest. A key that is absent or of the wrong type leaves the
// default.
struct RunEnding {
    RunState state = RunState::Unknown;
    std::int64_t steps = 0;
    std::int64_t endedAt = -1; // the step at which it finished or was stopped; below 0: neither
    std::int64_t exitCode = 0;
    std::string error;
};
RunEnding readRunEnding(const std::filesystem::path& runFolder);

} // namespace mooring
