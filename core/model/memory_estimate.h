// SPDX-License-Identifier: GPL-3.0-or-later
// What memory, disk space and compute a run will need, from its configuration and config.json alone
// (docs/design-notes.md#the-memory-estimate-counts-tensors): no weights are read. No torch, so that
// the window can show it before a run.
#pragma once
#include "core/config/run_config.h"
#include "core/model/trainable.h"

namespace mooring {

struct MemoryPart {
    std::string name;
    double bytes = 0;
};

struct MemoryEstimate {
    TrainableTable table;
    std::int64_t parameters = 0; // correction biases are none
    std::int64_t active = 0; // that a token meets: of the routed experts its top-k
    double checkpointBytes = 0; // of the weights on disk, as published in the config's dtype
    double runBytes = 0; // of the checkpoints that the run keeps
    bool bf16 = false; // what is computed with
    bool recompute = false; // layers are computed again; of "auto" by what is free on the device
    std::int64_t rowTokens = 0; // the longest row that can be
    std::int64_t microTokens = 0; // the most tokens of one forward
    // Known to the byte: weights, masters, gradients, moments, base routers.
    std::vector<MemoryPart> fixed;
    // What a step takes besides, at most, by the tensors that a layer keeps for its backward.
    std::vector<MemoryPart> step;
    // Floating-point operations of one token in a training step (forward and backward).
    double flopsPerToken = 0;

    double fixedBytes() const;
    double total() const;
};

// Errors: Input as describing the model gives them, Usage where [train] matches nothing.
Result<MemoryEstimate> estimateMemory(const RunConfig& config);

// What is free on a device of a configuration ("auto", "cuda:0"); 0: it is not known or not there.
double freeMemoryOf(const std::string& device);

// Rejects (Device) a run whose fixed parts alone exceed the free memory of its device, and says
// what would fit.
Result<void> checkMemory(const RunConfig& config);

// The first change of [model] and [train] that brings the estimate under `available` bytes, in
// words; empty: none does.
std::string whatWouldFit(const RunConfig& config, double available);

} // namespace mooring
