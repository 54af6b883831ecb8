// SPDX-License-Identifier: GPL-3.0-or-later
// checkpoints/step-NNNNNN/: a Hugging Face folder, the trainer's state and a manifest of hashes;
// complete or absent (docs/design-notes.md#checkpoints-are-atomic).
#pragma once
#include "core/config/live/live_control.h"
#include "core/model/model.h"
#include "core/train/optimizer.h"
#include <functional>

namespace mooring {

// What training needs besides the weights to continue bit for bit.
struct TrainerState {
    std::int64_t step
        = 0; // finished optimizer steps; also the data cursor (SampleOrder depends on it alone)
    std::int64_t updates = 0; // behind the moments: `step`, and those of the run a fork came from
    std::uint64_t controlOffset = 0; // bytes of control.jsonl read so far
    std::string liveControls; // LiveControls::save after this step; later changes: events.jsonl
    std::string config; // run.toml in force; empty if an earlier version did not store it
};

struct SaveSettings {
    std::int64_t keep = 2;
    bool adapterAlone = false; // the adapter of a LoRA run for PEFT, not the whole model
    bool correctionBiasFp32 = false; // balancing moves them by less than bf16 can hold
    bool allMasters = false; // also of what does not train: a fork's weights are not the base's
};

// Writes the checkpoint, verifies it and only then deletes the oldest beyond `keep`. Errors:
// Output; the earlier ones stay usable.
Result<std::filesystem::path> saveCheckpoint(const std::filesystem::path& runFolder, Model& model,
    Optimizer& optimizer, const TrainerState& state, const SaveSettings& settings);

struct Checkpoint {
    std::filesystem::path path;
    TrainerState state;
};

std::filesystem::path checkpointPath(const std::filesystem::path& runFolder, std::int64_t step);
std::vector<std::int64_t> checkpointSteps(const std::filesystem::path& runFolder); // ascending
// Verifies sizes and hashes. Errors: Input.
Result<Checkpoint> openCheckpoint(const std::filesystem::path& path);
// The newest complete one; `passedOver` gets a message about each newer one that is not.
std::optional<Checkpoint> newestCheckpoint(const std::filesystem::path& runFolder,
    const std::function<void(const std::string&)>& passedOver);

struct Restored {
    std::int64_t moments = 0; // trained parameters that got their moments back
    std::int64_t trained = 0;
};
// Masters of every parameter that the checkpoint holds, moments of those that train and trained
// then. Errors: Input, also for a trained weight that the model has no place for.
Result<Restored> restoreTraining(
    const std::filesystem::path& checkpoint, Model& model, Optimizer& optimizer);

} // namespace mooring
