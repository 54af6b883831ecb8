// SPDX-License-Identifier: GPL-3.0-or-later
// Written-out priors and gates that the tests of the methods share.
#pragma once
#include "core/method/prior.h"
#include "core/model/layers/gate.h"

namespace mooring::test {

inline at::Tensor labels(const std::vector<std::int64_t>& values) {
    return at::tensor(values, at::kLong);
}

inline GateSpec gate(GateKind kind, int experts, int topK) {
    GateSpec s;
    s.kind = kind;
    s.experts = experts;
    s.topK = topK;
    return s;
}

// Far from uniform, and another one for every row, span and layer; 8 experts.
inline Prior steepPrior(std::int64_t rows, std::int64_t layers) {
    Prior prior;
    prior.pi_N2LE = at::softmax(at::arange(rows * 2 * layers * 8, at::kFloat)
                                    .mul(0.37)
                                    .sin()
                                    .mul(2)
                                    .view({rows, 2, layers, 8}),
        -1);
    prior.valid_N2 = at::ones({rows, 2}, at::kByte);
    for (int l = 0; l < layers; ++l)
        prior.layers.push_back(l);
    return prior;
}

} // namespace mooring::test
