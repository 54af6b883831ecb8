// SPDX-License-Identifier: GPL-3.0-or-later
// What a run starts from, determined for each kind of request before anything is loaded.
#pragma once
#include "core/run/live_history.h"
#include "core/run/run_folder.h"
#include "core/train/checkpoint.h"
#include "core/train/run.h"

namespace mooring {

struct RunStart {
    RunConfig config;
    std::optional<RunFolder> folder; // of a continued run, locked; a new run creates its own
    std::optional<Checkpoint> checkpoint; // weights and moments come from here, not from the base
    std::int64_t step = 0; // finished steps
    LiveHistory history; // live changes to apply at their steps
    bool keepsLiveControls = true; // false: [method] was edited; its values apply from now on
    std::vector<std::string> edited; // keys of run.toml that apply from now on
    nlohmann::json parent; // {"run", "step"} of a fork
    std::string recompute; // what "auto" came to in the run's life before; empty: not decided
    bool finished = false; // nothing is left to do

    bool goesOn() const { return folder.has_value(); }
};

// Errors: Usage, Input and Output; nothing is written. `listener` is notified of each skipped
// checkpoint.
Result<RunStart> startOf(const RunRequest& request, RunListener& listener);

} // namespace mooring
