// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>

namespace mooring {

// What a long job is doing, in the order of a run.
enum class RunPhase {
    Unknown, // unknown, or the run is over
    Starting,
    LoadingModel,
    ReadingData,
    MeasuringBase,
    PriorPass,
    HeldOutPrior,
    LoadingBase, // once more, beside the model that trains
    ComparingFirstLoss,
    TryingLongestBatch, // detail: its step
    Training,
    Paused,
    HeldOutLoss,
    Probing,
    Saving,
    Snapshot,
    Evaluating, // detail: the task
    Sampling,
    TestingCommunities,
    Finished
};

// Shown with progress and time left. Seconds left below 0: not known yet.
struct RunProgress {
    RunPhase phase = RunPhase::Unknown;
    std::string detail;
    std::int64_t done = 0; // of what the phase counts: bytes, rows, answers, steps
    std::int64_t total = 0; // 0: unknown
    std::int64_t step = 0; // 0: before the first, or not known
    std::int64_t steps = 0;
    double secondsLeft = -1;
    double tokensPerSecond = 0;
    double memoryBytes = 0;
    bool paused = false;
};

// The only place for these words: "prior pass", "evaluating %1" (%1: detail); empty: Unknown.
const char* phaseWords(RunPhase phase);
std::string phaseText(const RunProgress& progress); // with the detail filled in

// The step says it all: "step 3 of 100".
bool tellsSteps(RunPhase phase);
// A command is read soon, between two steps; otherwise only a stop request takes effect.
bool hearsCommands(RunPhase phase);

} // namespace mooring
