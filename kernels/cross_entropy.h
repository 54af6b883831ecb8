// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels/types.h"

#include <cstdint>

namespace mooring::kernels {

/// Weighted cross-entropy of `rows` rows of V logits and its gradient in the same pass.
/// logits [rows, V] is overwritten with weight * (softmax - onehot(target)); loss [rows] with
/// weight * (logsumexp - logit of the target). The weights are already divided by their total.
/// Targets lie in [0, V); the caller has made sure. A row of weight 0 gives exact zeros.
void crossEntropyRows(std::int64_t rows, std::int64_t V, float* logits, const std::int64_t* target,
    const float* weight, double* loss, const ParallelFor& parallelFor);

} // namespace mooring::kernels
