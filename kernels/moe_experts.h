// SPDX-License-Identifier: GPL-3.0-or-later
// The experts of one MoE layer, forward and backward, over tokens sorted by expert.
// Shapes: T tokens, D model width, I expert hidden, E experts, K top-k, R = T*K rows.
#pragma once

#include "kernels/types.h"

#include <cstdint>
#include <vector>

namespace mooring::kernels {

struct MoeShape {
    std::int64_t T, D, I, E, K;
};

/// The (token, slot) pairs sorted by expert, stable by token.
struct ExpertOrder {
    std::vector<std::int64_t>
        offsets; ///< E + 1; the rows of expert e are [offsets[e], offsets[e+1])
    std::vector<std::int32_t> pair; ///< R entries t*K + k
};

/// The caller has made sure that every id lies in [0, E); T*K must fit into 31 bits.
ExpertOrder sortByExpert(const std::int32_t* topk_TK, const MoeShape& shape);

/// A low-rank addition to one stacked weight W [E, out, in]: expert e computes with
/// W_e + scale B_e A_e, which is never built. rank 0: none. dA and dB are accumulated into by the
/// backward pass and may be null.
template <typename T>
struct LowRank {
    std::int64_t rank = 0;
    float scale = 0;
    const T* a = nullptr; ///< [E, rank, in]
    const T* b = nullptr; ///< [E, out, rank]
    float* dA = nullptr;
    float* dB = nullptr;
};

/// A bias of one stacked product. The gradient is accumulated into and may be null.
template <typename T>
struct Bias {
    const T* values = nullptr; ///< null: none
    float* gradient = nullptr;
};

/// What the experts may have beside their two weights; by default nothing.
template <typename T>
struct ExpertExtras {
    LowRank<T> gateUp = {}; ///< in D, out 2I
    LowRank<T> down = {}; ///< in I, out D
    Bias<T> gateUpBias = {}; ///< [E, 2I]
    Bias<T> downBias = {}; ///< [E, D], within what the routing weight multiplies
    /// Above 0 the hidden value is gpt-oss's (u + 1) g sigmoid(1.702 g) with g = min(gate, clamp)
    /// and u = up held within [-clamp, clamp]; no gradient passes where a value is beyond.
    float clamp = 0;
};

/// y[t] = sum_k w[t,k] down_e(silu(gate_e x[t]) * up_e x[t]) with e = topk[t,k], summed in slot
/// order. gateUp is [E, 2I, D], the gate's rows first; down is [E, D, I]. saved_R2I receives the
/// gate and up products, biases included, in sorted order for moeBackward and may be null.
/// Accumulates in fp32 and gives the same bits whatever the threads. T is float or bfloat16.
template <typename T>
void moeForward(const MoeShape& shape, const ExpertOrder& order, const T* x_TD, const T* gateUp,
    const T* down, const float* weights_TK, T* y_TD, T* saved_R2I, const ParallelFor& parallelFor,
    const ExpertExtras<T>& extras = {});

/// The gradients of moeForward for dy. dx_TD (may be null) and dWeights_TK are overwritten.
/// dGateUp [E, 2I, D] and dDown [E, D, I] are accumulated into and may be null (frozen experts);
/// an expert without tokens leaves its part untouched, that of the extras too.
template <typename T>
void moeBackward(const MoeShape& shape, const ExpertOrder& order, const T* x_TD, const T* gateUp,
    const T* down, const float* weights_TK, const T* saved_R2I, const T* dy_TD, T* dx_TD,
    float* dWeights_TK, float* dGateUp, float* dDown, const ParallelFor& parallelFor,
    const ExpertExtras<T>& extras = {});

} // namespace mooring::kernels
