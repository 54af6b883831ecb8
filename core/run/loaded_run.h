// SPDX-License-Identifier: GPL-3.0-or-later
// A run folder or a snapshot as one value: what exports and screenshots show.
#pragma once
#include "core/base/result.h"
#include "core/view/communities.h"
#include "core/view/run_record.h"
#include <filesystem>
#include <memory>

namespace mooring {

// Frames that the run does not have are null.
struct LoadedRun {
    std::shared_ptr<const RunRecord> record;
    FramePtr base;
    FramePtr tuned; // the newest at or before the step that was asked for
    CommunitiesPtr communities;
};

// Reads, and finds what views show of the frames, on the calling thread. step -1: the latest.
Result<LoadedRun> loadRun(const std::filesystem::path& folder, std::int64_t step = -1);

// The newest of the steps at or before `step`; -1: the newest; 0 where there is none.
std::int64_t frameStepAt(const std::vector<std::int64_t>& steps, std::int64_t step);

} // namespace mooring
