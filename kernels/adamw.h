// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels/types.h"

#include <cstdint>

namespace mooring::kernels {

/// One AdamW step over flat fp32 buffers of n elements (Loshchilov and Hutter, algorithm 2).
/// g is read as g * gradScale (the clip factor). Decay first, p *= 1 - lr * weightDecay, then Adam
/// with bias correction for step = 1, 2, .. and eps outside the root. The result does not depend
/// on the threads.
void adamw(std::int64_t n, float* p, const float* g, float* m, float* v, double lr, double beta1,
    double beta2, double eps, double weightDecay, double gradScale, std::int64_t step,
    const ParallelFor& parallelFor);

} // namespace mooring::kernels
