// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/adamw.h"

#include "kernels/cpu/isa/isa.h"

#include <algorithm>
#include <cmath>

namespace mooring::kernels::cpu {

void adamw(std::int64_t n, float* p, const float* g, float* m, float* v, double lr, double beta1,
    double beta2, double eps, double weightDecay, double gradScale, std::int64_t step,
    const ParallelFor& parallelFor) {
    if (n <= 0) {
        return;
    }
    const double count = static_cast<double>(step);
    const AdamwFactors factors = {static_cast<float>(gradScale), static_cast<float>(beta1),
        static_cast<float>(1 - beta1), static_cast<float>(beta2), static_cast<float>(1 - beta2),
        static_cast<float>(lr / (1 - std::pow(beta1, count))),
        static_cast<float>(1 / std::sqrt(1 - std::pow(beta2, count))), static_cast<float>(eps),
        static_cast<float>(lr * weightDecay)};
    constexpr std::int64_t kChunk = 16384;
    const auto update = activeOps().rows.adamw;
    parallelFor((n + kChunk - 1) / kChunk, [&](std::int64_t task) {
        const std::int64_t begin = task * kChunk;
        update(std::min(kChunk, n - begin), p + begin, g + begin, m + begin, v + begin, factors);
    });
}

} // namespace mooring::kernels::cpu
