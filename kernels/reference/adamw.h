// SPDX-License-Identifier: GPL-3.0-or-later
// The scalar truth, in double. Contract: kernels/adamw.h.
#pragma once

#include "kernels/types.h"

#include <cstdint>

namespace mooring::kernels::reference {

void adamw(std::int64_t n, float* p, const float* g, float* m, float* v, double lr, double beta1,
    double beta2, double eps, double weightDecay, double gradScale, std::int64_t step,
    const ParallelFor& parallelFor);

} // namespace mooring::kernels::reference
