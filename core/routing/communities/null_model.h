// SPDX-License-Identifier: GPL-3.0-or-later
// The null model of co-activation (docs/methods.md#validity-of-communities): random graphs in which
// experts meet as often as their totals alone imply. No torch.
#pragma once
#include "core/base/cancel.h"
#include "core/base/random.h"
#include "core/view/run_record.h"
#include <optional>
#include <span>

namespace mooring {

// One such graph: every pair i < j is an independent Poisson draw with expectation
//     s_i s_j S / (S^2 - sum_k s_k^2),   s_i = sum_j counts_ij,  S = sum_i s_i,
// proportional to the product of the marginals; the factor keeps the total of all pairs. Symmetric,
// zero diagonal.
std::vector<std::int32_t> drawNullCounts(
    std::span<const std::int32_t> counts_EE, int experts, SplitMix64& random);

// The same for directed counts: expectations proportional to out_i in_j, the total kept. With
// `diagonal` pairs (i, i) are drawn too, else they stay 0 and count in no marginal.
std::vector<std::int32_t> drawNullTransitions(
    std::span<const std::int32_t> counts_EE, int experts, bool diagonal, SplitMix64& random);

// Mean and sample standard deviation over null graphs, thinned and partitioned like the real one.
struct NullFigures {
    double q = 0, qSd = 0; // modularity
    double nmi = 0, nmiSd = 0; // of their partitions with `base`: the null NMI
};
// `stream` numbers the draw (a layer's ordinal): the same numbers each time.
std::optional<NullFigures> nullFigures(std::span<const std::int32_t> counts_EE, int experts,
    std::span<const int> base, const ProbeSettings& probe, int graphs, std::uint64_t stream,
    const CancelRequested& cancelRequested);

// The generator of a layer's null graphs; a fixed seed of their own, so that no run's seed moves
// them.
SplitMix64 nullStream(std::uint64_t stream);

} // namespace mooring
