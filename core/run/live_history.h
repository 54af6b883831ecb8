// SPDX-License-Identifier: GPL-3.0-or-later
// The live changes of a run from its events.jsonl: what a replay applies again, and what a resume
// needs from the steps after its checkpoint.
#pragma once
#include "core/config/live/schedule_changes.h"
#include "core/view/run_record.h"
#include <filesystem>

namespace mooring {

struct LiveHistory {
    // Changes made by users (window, control), by step. The schedule's come by themselves; actions
    // and rejected lines change no value.
    std::vector<PlannedCommand> changes;
    std::uint64_t controlOffset = 0; // how far control.jsonl was read
};

// From the steps after `step`; a missing log has no history. Invalid lines are
// skipped.
LiveHistory readLiveHistory(const std::filesystem::path& runFolder, std::int64_t step);

} // namespace mooring
