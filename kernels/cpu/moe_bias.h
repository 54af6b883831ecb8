// SPDX-License-Identifier: GPL-3.0-or-later
// Biases of the experts: one more step of a contraction, in which every row has a 1.
#pragma once

#include "kernels/cpu/moe_plan.h"

namespace mooring::kernels::cpu {

/// The number 1 in the type of the experts.
template <typename T>
constexpr T kOne = 1;
template <>
constexpr bfloat16 kOne<bfloat16> = {0x3f80};

/// c[i][c0 + j] += the value n0 + j of an expert's bias [length], for i < count, j < width <=
/// panel, in the sums that a product has begun. Does nothing without a bias.
template <typename T>
void addBias(const MatrixOps<T>& ops, const Bias<T>& bias, std::int64_t expert, std::int64_t length,
    std::int64_t n0, std::int64_t width, std::int64_t count, float* const* c, std::int64_t c0);

/// sums[i] += row i . the bias of an expert, for `count` operand rows of its length.
template <typename T>
void addBiasProducts(const MatrixOps<T>& ops, const Bias<T>& bias, std::int64_t expert,
    std::int64_t length, const Word* const* rows, std::int64_t count, float* sums);

} // namespace mooring::kernels::cpu
