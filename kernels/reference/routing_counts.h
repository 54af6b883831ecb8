// SPDX-License-Identifier: GPL-3.0-or-later
// The truth, by plain comparison. Contract: kernels/routing_counts.h.
#pragma once

#include <cstdint>

namespace mooring::kernels::reference {

void countTopk(const std::int32_t* topk_TK, std::int64_t T, std::int64_t K, std::int64_t E,
    std::int64_t* counts_E);

std::int64_t overlapTopk(const std::int32_t* a_TK, const std::int32_t* b_TK, std::int64_t T,
    std::int64_t K, std::int64_t E);

} // namespace mooring::kernels::reference
