// SPDX-License-Identifier: GPL-3.0-or-later
// The vector version: tokens sorted by expert, tiles in registers. Contract: kernels/moe_experts.h.
#pragma once

#include "kernels/moe_experts.h"

namespace mooring::kernels::cpu {

ExpertOrder sortByExpert(const std::int32_t* topk_TK, const MoeShape& shape);

template <typename T>
void moeForward(const MoeShape& shape, const ExpertOrder& order, const T* x_TD, const T* gateUp,
    const T* down, const float* weights_TK, T* y_TD, T* saved_R2I, const ParallelFor& parallelFor,
    const ExpertExtras<T>& extras);

template <typename T>
void moeBackward(const MoeShape& shape, const ExpertOrder& order, const T* x_TD, const T* gateUp,
    const T* down, const float* weights_TK, const T* saved_R2I, const T* dy_TD, T* dx_TD,
    float* dWeights_TK, float* dGateUp, float* dDown, const ParallelFor& parallelFor,
    const ExpertExtras<T>& extras);

} // namespace mooring::kernels::cpu
