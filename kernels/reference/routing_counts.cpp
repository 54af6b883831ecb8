// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/reference/routing_counts.h"

#include <algorithm>

namespace mooring::kernels::reference {

void countTopk(const std::int32_t* topk_TK, std::int64_t T, std::int64_t K, std::int64_t E,
    std::int64_t* counts_E) {
    for (std::int64_t e = 0; e < E; ++e) {
        counts_E[e] += std::count(topk_TK, topk_TK + T * K, e);
    }
}

std::int64_t overlapTopk(const std::int32_t* a_TK, const std::int32_t* b_TK, std::int64_t T,
    std::int64_t K, std::int64_t E) {
    std::int64_t overlap = 0;
    for (std::int64_t t = 0; t < T; ++t) {
        const std::int32_t* a = a_TK + t * K;
        const std::int32_t* b = b_TK + t * K;
        for (std::int64_t e = 0; e < E; ++e) {
            const bool both = std::find(a, a + K, e) != a + K && std::find(b, b + K, e) != b + K;
            overlap += both ? 1 : 0;
        }
    }
    return overlap;
}

} // namespace mooring::kernels::reference
