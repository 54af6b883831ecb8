// SPDX-License-Identifier: GPL-3.0-or-later
// The one implementation of the gate: training, evaluation, probing and the views all route through
// it. T tokens, E routed experts, K top-k. Everything in fp32; ties go to the lower expert index.
#pragma once
#include <ATen/ATen.h>
#include <cstdint>

namespace mooring {

// models.md, gate kinds A, B and C.
enum class GateKind { Softmax, SoftmaxRenormalised, SigmoidCorrected };

struct GateSpec {
    GateKind kind = GateKind::Softmax;
    int experts = 0;
    int topK = 0;
    bool normTopK = true; // SigmoidCorrected: renormalise the chosen scores (+1e-20)
    double scale = 1.0; // routed_scaling_factor
    int groups = 1; // n_group
    int topGroups = 1; // topk_group
    int groupBest = 2; // a group's score is the sum of this many of its best experts
};

// k = 1 with renormalised weights: the one weight is a constant, so that the loss gives the router
// no gradient (pitfall 7). People are warned.
bool routerGetsNoGradient(const GateSpec& spec);

// What a caller adds to the routing of one layer. Undefined tensors: nothing.
struct GateInputs {
    at::Tensor bias_TE; // added to z before the choice and the weights (method.md section 3)
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

// p_base of method.md section 2: softmax over experts for every gate kind. fp32 [T, E].
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
