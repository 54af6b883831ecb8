// SPDX-License-Identifier: GPL-3.0-or-later
// The scalar truth, in double. Contract: kernels/cross_entropy.h.
#pragma once

#include "kernels/types.h"

#include <cstdint>

namespace mooring::kernels::reference {

void crossEntropyRows(std::int64_t rows, std::int64_t V, float* logits, const std::int64_t* target,
    const float* weight, double* loss, const ParallelFor& parallelFor);

} // namespace mooring::kernels::reference
