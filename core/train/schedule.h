// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"

namespace mooring {

// Learning rate of step n = 1 .. steps before lr_scale (docs/methods.md#learning-rate).
double learningRate(const OptimizerConfig& config, std::int64_t step, std::int64_t steps);

// Optimizer steps of a run: `steps`, or ceil(epochs N / global).
std::int64_t totalSteps(
    const OptimizerConfig& config, std::int64_t samples, std::int64_t globalBatch);

} // namespace mooring
