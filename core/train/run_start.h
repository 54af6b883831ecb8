// SPDX-License-Identifier: GPL-3.0-or-later
// What a run begins with, found for each kind of request before anything is loaded.
#pragma once
#include "core/run/live_history.h"
#include "core/run/run_folder.h"
#include "core/train/checkpoint.h"
#include "core/train/run.h"

namespace mooring {

struct RunStart {
    RunConfig config;
    std::optional<RunFolder> folder; // of a run that goes on, locked; a new run makes its own
    std::optional<Checkpoint> checkpoint; // weights and moments come from here, not from the base
    std::int64_t step = 0; // finished steps
    LiveHistory history; // live changes to apply at their steps
    bool keepsLiveControls = true; // false: [method] was edited, its values hold from now on
    std::vector<std::string> edited; // keys of run.toml that hold from now on
    nlohmann::json parent; // {"run", "step"} of a fork
    bool finished = false; // nothing is left to do

    bool goesOn() const { return folder.has_value(); }
};

// Errors: Usage, Input and Output with a sentence; nothing is written. A sentence about each
// checkpoint that is passed over goes to `listener`.
Result<RunStart> startOf(const RunRequest& request, RunListener& listener);

} // namespace mooring
