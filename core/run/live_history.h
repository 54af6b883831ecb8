// SPDX-License-Identifier: GPL-3.0-or-later
// The live changes of a run as its events.jsonl tells them: what a replay applies again, and what a
// resume needs of the steps after its checkpoint.
#pragma once
#include "core/config/live/schedule_changes.h"
#include "core/view/run_record.h"
#include <filesystem>

namespace mooring {

struct LiveHistory {
    // Changes that people made (window, control), by step; those of the schedule come by
    // themselves, words and rejected lines change no number.
    std::vector<PlannedCommand> changes;
    std::uint64_t controlOffset = 0; // how far control.jsonl was read
};

// Of the steps after `step`; an absent log has no history. Lines that are not understood are passed
// over.
LiveHistory readLiveHistory(const std::filesystem::path& runFolder, std::int64_t step);

} // namespace mooring
