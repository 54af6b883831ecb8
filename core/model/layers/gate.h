// SPDX-License-Identifier: GPL-3.0-or-later The only implementation of the gate: training,
// evaluation, probing and the views all route through it. T tokens, E routed experts, K top-k.
// Everything in fp32; ties go to the lower expert index.
#pragma once
#include "core/model/description/gate_spec.h"
#include <ATen/ATen.h>
#include <cstdint>

namespace mooring {

// What a caller adds to the routing of one layer. Undefined tensors add nothing.
struct GateInputs {
    // Added to z before the choice and the weights (docs/methods.md#router-prior-bias).
    at::Tensor bias_TE;
    at::Tensor selectionBias_TE; // added to z for the choice alone
    at::Tensor forcedTopk_TK; // i32: the choice is given; the weights follow the family's rule
    at::Tensor correction_E; // e_score_correction_bias: chooses, never weighs
    at::Tensor penaltyGrad_TE; // d(penalties)/dz in closed form, added to dz in the backward
};

struct Routing {
    at::Tensor topk_TK; // i32, by descending choice score
    at::Tensor weights_TK; // fp32, as used to combine, scaling factor included; differentiable in z
};

// z_TE: raw router logits, fp32.
Routing route(const at::Tensor& z_TE, const GateInputs& inputs, const GateSpec& spec);

// The top-k of z alone, i32 [T, K]: what softmax and sigmoid choose without correction bias and
// groups, since both are monotone.
at::Tensor largestLogits(const at::Tensor& z_TE, int topK);

// p_base of docs/methods.md#the-prior: softmax over experts for every gate kind. fp32 [T, E].
at::Tensor routerProbabilities(const at::Tensor& z_TE);

// What a forward does with the routing of each MoE layer, by ordinal. Both calls come in layer
// order.
class RoutingPlan {
public:
    virtual ~RoutingPlan() = default;
    // Before the choice; the gate's correction bias is filled in by the model.
    virtual GateInputs before(int /*ordinal*/, const at::Tensor& /*z_TE*/) { return {}; }
    virtual void after(int /*ordinal*/, const at::Tensor& /*z_TE*/, const Routing& /*routing*/) { }
};

} // namespace mooring
