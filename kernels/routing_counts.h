// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes: T tokens, K top-k, E experts. Ids lie in [0, E); the caller has made sure.
#pragma once

#include <cstdint>

namespace mooring::kernels {

/// counts_E[e] += the number of (token, slot) pairs of expert e.
void countTopk(const std::int32_t* topk_TK, std::int64_t T, std::int64_t K, std::int64_t E,
    std::int64_t* counts_E);

/// The sum over tokens of |a intersect b|, each row read as a set of experts.
std::int64_t overlapTopk(const std::int32_t* a_TK, const std::int32_t* b_TK, std::int64_t T,
    std::int64_t K, std::int64_t E);

} // namespace mooring::kernels
