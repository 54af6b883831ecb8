// SPDX-License-Identifier: GPL-3.0-or-later
// checkpoints/step-NNNNNN/: a Hugging Face folder, the state of the trainer and a manifest of
// hashes; whole or not there at all (pitfall 32).
#pragma once
#include "core/config/live_control.h"
#include "core/model/model.h"
#include "core/train/engine/optimizer.h"

namespace mooring {

// What training needs besides the weights to go on bit for bit.
struct TrainerState {
    std::int64_t step
        = 0; // finished optimizer steps; also the data cursor (SampleOrder depends on it alone)
    std::uint64_t controlOffset = 0; // bytes of control.jsonl that were read
    std::string liveControls; // LiveControls::save
};

// Writes the checkpoint and deletes the oldest beyond `keep`. Errors: Output; the earlier ones stay
// usable.
Result<std::filesystem::path> saveCheckpoint(const std::filesystem::path& runFolder, Model& model,
    Optimizer& optimizer, const TrainerState& state, std::int64_t keep, bool correctionBiasFp32);

} // namespace mooring
