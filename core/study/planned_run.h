// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/study_config.h"
#include <filesystem>

namespace mooring {

// One run of a study: its configuration, its folder, and the lock that a process holds while it
// works on it.
struct PlannedRun {
    std::string name;
    std::string condition;
    RunConfig config;
    std::filesystem::path folder() const { return config.run.out; }
    std::filesystem::path lock() const;
};

// Waiting: nothing there. Half: begun and not ended. Unscored: finished, not evaluated on every
// task. Failed: ended in non-finite numbers.
enum class Standing { Waiting, Half, Unscored, Done, Failed };
Standing standingOf(const PlannedRun& run);

// Errors (Usage) where the folder holds a run of another configuration, with the first line that
// differs. The place of the folder and the number of threads may differ.
Result<void> checkSameConfig(const PlannedRun& run);

// Moves the folder to aside/<name>-N of the study. Errors: Output.
Result<void> putAside(const PlannedRun& run);

// The weights after the last step; empty where there are none.
std::filesystem::path lastCheckpoint(const std::filesystem::path& runFolder);

// Every task of the configuration has a score at this step.
bool isScored(const std::filesystem::path& folder, const RunConfig& config, std::int64_t step);

} // namespace mooring
