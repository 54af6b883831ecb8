// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>

namespace mooring {

// What a long job is doing, in the order in which a run comes to it.
enum class RunPhase {
    Unknown, // nobody says, or the run is over
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

// Shown with how far and how long. Seconds left below 0: not known yet.
struct RunProgress {
    RunPhase phase = RunPhase::Unknown;
    std::string detail;
    std::int64_t done = 0; // of what the phase counts: bytes, rows, answers, steps
    std::int64_t total = 0; // 0: not known
    std::int64_t step = 0; // 0: before the first, or not known
    std::int64_t steps = 0;
    double secondsLeft = -1;
    double tokensPerSecond = 0;
    double memoryBytes = 0;
    bool paused = false;
};

// The one place of the words: "prior pass", "evaluating %1" (%1: the detail); empty for Unknown.
const char* phaseWords(RunPhase phase);
std::string phaseText(const RunProgress& progress); // with the detail filled in

// How far the run is says it all: "step 3 of 100".
bool tellsSteps(RunPhase phase);
// A command is read soon, between two steps; otherwise only a request to stop is heard.
bool hearsCommands(RunPhase phase);

} // namespace mooring
