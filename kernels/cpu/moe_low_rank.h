// SPDX-License-Identifier: GPL-3.0-or-later
// The low-rank paths of the experts: x A^T is computed for a block of rows and then extends the
// contraction of the product that x W^T has begun, in the same sums. r rank.
#pragma once

#include "kernels/cpu/moe_plan.h"

namespace mooring::kernels::cpu {

/// out_Cr = scale * rows m^T with m [r, length].
template <typename T>
void projectAlong(const MatrixOps<T>& ops, const Word* const* rows, std::int64_t count, const T* m,
    std::int64_t length, std::int64_t rank, float scale, T* out_Cr);

/// out_Cr = scale * rows m with m [length, r].
template <typename T>
void projectAcross(const MatrixOps<T>& ops, const Word* const* rows, std::int64_t count, const T* m,
    std::int64_t length, std::int64_t rank, float scale, T* out_Cr);

/// Rows of r values as operand words that go on with products into c. Without a low-rank path
/// `words` is null and extending adds nothing.
template <typename T>
struct LowRankRows {
    const MatrixOps<T>& ops;
    const Word* const* words;
    std::int64_t count, rank;

    static LowRankRows none(const MatrixOps<T>& ops) { return {ops, nullptr, 0, 0}; }
    static LowRankRows of(
        const MatrixOps<T>& ops, const T* values_Cr, std::int64_t count, std::int64_t rank);
    /// c[i][c0 + j] += row i . columns[j], each column of r values, j < width <= panel.
    void extendAlong(
        const T* const* columns, std::int64_t width, float* const* c, std::int64_t c0) const;
    /// c[i][c0 + j] += row i . (m[0][n0 + j], .. m[r - 1][n0 + j]) with m [r, length].
    void extendAcross(const T* m, std::int64_t length, std::int64_t n0, std::int64_t width,
        float* const* c, std::int64_t c0) const;
};

} // namespace mooring::kernels::cpu
