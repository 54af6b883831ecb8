// SPDX-License-Identifier: GPL-3.0-or-later
// Which samples an optimizer step trains on, and how they are split into micro-batches.
#pragma once
#include "core/data/samples.h"
#include "core/model/layers/token_batch.h"

namespace mooring {

struct MicroBatch {
    std::vector<const Sample*> samples;
    TokenBatch tokens;
    Targets targets;
    std::vector<std::int64_t> rowOfToken_T; // row number of the training files
    std::vector<std::uint8_t> span_T;
};

struct StepBatch {
    std::vector<MicroBatch> micros;
    std::vector<std::int64_t> rows; // of all samples, in order
    std::int64_t validTokens = 0;
    std::int64_t supervised = 0;
    // Sum of w over the whole step (docs/methods.md#cross-entropy-of-a-step).
    double totalWeight = 0;
};

MicroBatch makeMicroBatch(std::vector<const Sample*> samples, const at::Device& device);

// Step n = 1 .. of `global` samples each; the last may be smaller where epochs end the run. Depends
// on (seed, step) alone. A micro-batch has `micro` samples, or with data.packing as many as fit
// into the tokens of `micro` rows of max_length; samples never attend to each other.
StepBatch makeStep(const std::vector<Sample>& samples, const SampleOrder& order,
    const RunConfig& config, std::int64_t step, const at::Device& device);

// The step whose largest micro-batch has the most tokens, the first of several. It is looked for in
// the first million samples of the run, in one epoch at least: what that takes does not depend on
// the number of steps, and later epochs hold the same samples in another order.
std::int64_t longestStep(const std::vector<Sample>& samples, const SampleOrder& order,
    const RunConfig& config, std::int64_t steps);
// That step with its largest micro-batch alone.
StepBatch longestMicroBatch(const std::vector<Sample>& samples, const SampleOrder& order,
    const RunConfig& config, std::int64_t step, const at::Device& device);

// Splits any list of samples into micro-batches of at most `tokens` tokens, in order.
std::vector<std::vector<const Sample*>> splitByTokens(
    const std::vector<const Sample*>& samples, std::int64_t tokens);

} // namespace mooring
