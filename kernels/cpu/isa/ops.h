// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops that exist once per instruction set, as tables of plain functions. The drivers
// (tasks, scratch, order) are compiled once without special flags and call through a table. This
// header is included where such flags are on, so it defines no function and no template code:
// an inline function compiled there could be the copy that the linker keeps for everybody.
#pragma once

#include "kernels/bfloat16.h"

#include <cstdint>

namespace mooring::kernels::cpu {

/// One operand word of a matrix product: an fp32 value, or two bf16 values that are neighbors
/// along the contraction. It aliases the caller's floats and need not be aligned to 4 bytes.
struct __attribute__((may_alias, packed, aligned(2))) Word {
    std::uint32_t bits;
};

/// c[i][c0 + j] (+)= sum_k a[i][k * aStep] . b[k * bStep + j] for i < rows, j < width <= panel.
/// b must be readable up to the next multiple of the lanes; columns from width on are not stored.
struct Product {
    std::int64_t rows, words, width;
    const Word* const* a;
    std::int64_t aStep;
    const Word* b;
    std::int64_t bStep;
    float* const* c;
    std::int64_t c0;
    bool accumulate;
};

/// h of one panel of `width` hidden columns from n0 on: silu(gate) * up, or gpt-oss's form where
/// clamp is above 0. A row of the tile holds the gate's columns, then the up columns. saved (may be
/// null) points to the block's first row.
template <typename T>
struct GluForward {
    std::int64_t rows, width, n0, hidden;
    const float* tile;
    std::int64_t tilePitch;
    T* saved;
    Word* h;
    std::int64_t hPitch;
    float clamp;
};

/// From dh = d loss / d h over the routing weight: the gradients of gate and up (null: unwanted),
/// weight * h (null: unwanted), and the share of this panel in <h, dh>, added to dot.
template <typename T>
struct GluBackward {
    std::int64_t rows, width, n0, hidden;
    const float* tile;
    std::int64_t tilePitch;
    const T* saved;
    const float* weight;
    Word* dGateUp;
    std::int64_t dGateUpPitch;
    Word* weightedH;
    std::int64_t weightedHPitch;
    float* dot;
    float clamp;
};

/// T is the type in the caller's memory. Operand rows that these functions write hold bf16 where
/// perWord is 2 and fp32 where it is 1. Panels are [words][pitch] and padded with zeros.
template <typename T>
struct MatrixOps {
    std::int64_t panel; ///< columns of a packed panel
    std::int64_t lanes; ///< the pitch of a panel is a multiple of this
    std::int64_t perWord; ///< elements of the contraction in one word
    /// out[k][j] = rows[j][k], j < width, k < length: the contraction runs along the rows.
    void (*packAlong)(const T* const* rows, std::int64_t width, std::int64_t length, Word* out,
        std::int64_t pitch);
    /// out[k][j] = rows[k][n0 + j], j < width, k < length: the contraction runs across the rows.
    void (*packAcross)(const T* const* rows, std::int64_t n0, std::int64_t width,
        std::int64_t length, Word* out, std::int64_t pitch);
    /// One row of `length` elements as operand words, an odd last bf16 completed by zero.
    void (*toWords)(const T* row, std::int64_t length, Word* out);
    void (*multiply)(const Product& product);
    void (*gluForward)(const GluForward<T>& args);
    void (*gluBackward)(const GluBackward<T>& args);
    /// y = sum_k weights[k] * slots[k] (weights null: the plain sum), K slots of D, in order.
    void (*combine)(std::int64_t K, std::int64_t D, const float* slots, const float* weights, T* y);
};

struct AdamwFactors {
    float gradScale, beta1, oneMinusBeta1, beta2, oneMinusBeta2;
    float stepSize; ///< lr / (1 - beta1^step)
    float rootScale; ///< 1 / sqrt(1 - beta2^step)
    float eps;
    float decay; ///< lr * weightDecay
};

struct RowOps {
    void (*adamw)(
        std::int64_t n, float* p, const float* g, float* m, float* v, const AdamwFactors& factors);
    float (*maximum)(std::int64_t n, const float* row);
    /// row = exp(row - shift); returns its sum.
    double (*exponentials)(std::int64_t n, float* row, float shift);
    void (*scale)(std::int64_t n, float* row, float factor);
};

struct Ops {
    MatrixOps<float> fp32;
    MatrixOps<bfloat16> bf16;
    RowOps rows;
};

extern const Ops kPlainOps;
extern const Ops kAvx2Ops;
extern const Ops kAvx512Ops;
extern const MatrixOps<bfloat16> kAvx512Bf16Matrix;

} // namespace mooring::kernels::cpu
