// SPDX-License-Identifier: GPL-3.0-or-later
// The differentiable operators that the layers are made of. Weights stay outside autograd: each
// operator's backward adds the weight gradient straight into the parameter's fp32 buffer, so that
// it accumulates over micro-batches without a copy and an unused weight has an exact zero. T
// tokens, D model width, I hidden width, E experts, K top-k, V vocabulary.
#pragma once
#include "core/model/layers/parameter.h"

namespace mooring {

// y = x W^T + b, and scale (x A^T) B^T beside it where the weight has an adapter. x [T, in], W
// [out, in]; in the dtype of x.
at::Tensor linear(const at::Tensor& x, Parameter& weight, Parameter* bias = nullptr);

// Root-mean-square norm over the last axis, statistics and weight in fp32, one rounding. x [.., n].
at::Tensor rmsNorm(const at::Tensor& x, Parameter& weight, double eps);

// Rows of the embedding, a leaf that requires a gradient where `train` is set: after the backward
// embeddingBackward adds its gradient to the table. ids [T] i64.
at::Tensor embeddingForward(const at::Tensor& ids, Parameter& table, bool train);
void embeddingBackward(const at::Tensor& ids, const at::Tensor& rows, Parameter& table);

// Token rows to and from a padded [slots, C] layout; slots that no token owns are zero. slot_T [T]
// i64.
at::Tensor padRows(const at::Tensor& x, const at::Tensor& slot_T, std::int64_t slots);
at::Tensor unpadRows(const at::Tensor& padded, const at::Tensor& slot_T);

// The parameters of the routed experts of one layer.
struct ExpertWeights {
    Parameter* gateUp = nullptr; // [E, 2I, D], gate rows first
    Parameter* down = nullptr; // [E, D, I]
    Parameter* gateUpBias = nullptr; // E times 2I values; null: none
    Parameter* downBias = nullptr; // E times D values; null: none
    double clamp = 0; // above 0: gpt-oss's clamped GLU (kernels/moe_experts.h)
};

// sum_k w[t,k] down_e(silu(gate_e x) * up_e x), e = topk[t,k]. x [T, D]; topk [T, K] i32; weights
// [T, K] fp32. Tokens sorted by expert, summed in slot order. Adapters of either weight are
// low-rank paths over the same sorted tokens.
at::Tensor moeExperts(const at::Tensor& x, const at::Tensor& topk_TK, const at::Tensor& weights_TK,
    const ExpertWeights& weights);

// The same by matrix products of the tensor library: what other devices than the CPU use.
at::Tensor moeExpertsByProducts(const at::Tensor& x, const at::Tensor& topk_TK,
    const at::Tensor& weights_TK, const ExpertWeights& weights);

// The head and the loss in one, over rows with a weight above 0, chunked so that [T, V] is never
// held. Gives sum_t weight_t ce_t; fills dHidden [T, D] with its gradient and adds the head's
// (where `backward`).
double headLoss(const at::Tensor& hidden_TD, Parameter& head, const at::Tensor& target_T,
    const at::Tensor& weight_T, bool backward, at::Tensor* dHidden);

} // namespace mooring
