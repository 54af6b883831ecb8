// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/reference/adamw.h"

#include <cmath>

namespace mooring::kernels::reference {

void adamw(std::int64_t n, float* p, const float* g, float* m, float* v, double lr, double beta1,
    double beta2, double eps, double weightDecay, double gradScale, std::int64_t step,
    const ParallelFor&) {
    const double correction1 = 1 - std::pow(beta1, static_cast<double>(step));
    const double correction2 = 1 - std::pow(beta2, static_cast<double>(step));
    for (std::int64_t i = 0; i < n; ++i) {
        const double gradient = g[i] * gradScale;
        const double first = beta1 * m[i] + (1 - beta1) * gradient;
        const double second = beta2 * v[i] + (1 - beta2) * gradient * gradient;
        const double decayed = p[i] * (1 - lr * weightDecay);
        const double update = lr * (first / correction1) / (std::sqrt(second / correction2) + eps);
        p[i] = static_cast<float>(decayed - update);
        m[i] = static_cast<float>(first);
        v[i] = static_cast<float>(second);
    }
}

} // namespace mooring::kernels::reference
