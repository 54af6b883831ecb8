// SPDX-License-Identifier: GPL-3.0-or-later
// The shuffled priors of the paper's controls: experts swap priors within each base community, or
// all of them (docs/methods.md#shuffled-priors). The same permutation for all samples and both
// spans, drawn from the run's seed. L MoE layers, E experts.
#pragma once
#include "core/method/prior.h"

namespace mooring {

// Fills both permutations and the communities. communities_LE i64: labels of the base's partition
// of each layer; undefined: the base's communities are not known, and the shuffle within them is
// not drawn. A community of one keeps its expert.
void drawShuffles(Prior& prior, const at::Tensor& communities_LE, std::uint64_t seed);

// How far a shuffled prior is from the prior, over all spans that have one.
struct ShuffleFigures {
    double changedShare = 0; // share of the entries of a span's top-k that are not in the other's
    double biasChange90 = 0; // 90th percentile of |delta b|
    double upperClampShare = 0; // share of cells at the upper clamp C/E
};
ShuffleFigures shuffleFigures(const Prior& prior, PriorOrder order, int topK);

} // namespace mooring
