// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/routing_counts.h"

#include <vector>

namespace mooring::kernels::cpu {

void countTopk(const std::int32_t* topk_TK, std::int64_t T, std::int64_t K, std::int64_t,
    std::int64_t* counts_E) {
    const std::int64_t pairs = T * K;
    for (std::int64_t i = 0; i < pairs; ++i) {
        ++counts_E[topk_TK[i]];
    }
}

std::int64_t overlapTopk(const std::int32_t* a_TK, const std::int32_t* b_TK, std::int64_t T,
    std::int64_t K, std::int64_t E) {
    // One bit an expert: set by a, taken by b (once, so a repeated id does not count twice), and
    // cleared again through a's ids, so that a token costs K steps however many experts there are.
    thread_local std::vector<std::uint64_t> mask;
    mask.assign((E + 63) / 64, 0);
    std::int64_t overlap = 0;
    for (std::int64_t t = 0; t < T; ++t) {
        const std::int32_t* a = a_TK + t * K;
        const std::int32_t* b = b_TK + t * K;
        for (std::int64_t k = 0; k < K; ++k) {
            mask[a[k] >> 6] |= std::uint64_t{1} << (a[k] & 63);
        }
        for (std::int64_t k = 0; k < K; ++k) {
            const std::uint64_t bit = mask[b[k] >> 6] >> (b[k] & 63) & 1;
            overlap += static_cast<std::int64_t>(bit);
            mask[b[k] >> 6] &= ~(std::uint64_t{1} << (b[k] & 63));
        }
        for (std::int64_t k = 0; k < K; ++k) {
            mask[a[k] >> 6] = 0;
        }
    }
    return overlap;
}

} // namespace mooring::kernels::cpu
