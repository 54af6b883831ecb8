// SPDX-License-Identifier: GPL-3.0-or-later
// What a config.json says about the gate of its MoE layers. No torch.
#pragma once
#include <cstdint>

namespace mooring {

// docs/models.md#gate-kinds: A, B and C.
enum class GateKind { Softmax, SoftmaxRenormalised, SigmoidCorrected };

struct GateSpec {
    GateKind kind = GateKind::Softmax;
    int experts = 0;
    int topK = 0;
    bool normTopK = true; // SigmoidCorrected: renormalize the chosen scores (+1e-20)
    double scale = 1.0; // routed_scaling_factor
    int groups = 1; // n_group
    int topGroups = 1; // topk_group
    int groupBest = 2; // a group's score is the sum of this many of its best experts
};

// Whether the chosen weights are divided by their sum.
bool renormalises(const GateSpec& spec);

// k = 1 with renormalized weights: the one weight is a constant, so that the loss gives the router
// no gradient (docs/design-notes.md#one-renormalized-expert-gives-no-gradient). People are warned.
bool routerGetsNoGradient(const GateSpec& spec);

} // namespace mooring
