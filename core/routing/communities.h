// SPDX-License-Identifier: GPL-3.0-or-later
// Communities of the co-activation graph and how far two partitions agree (method.md section 6).
#pragma once
#include "core/base/result.h"
#include "core/view/routing_frame.h"
#include <cstdint>
#include <span>
#include <vector>

namespace mooring {

// The top floor(rho E(E-1)/2) pairs by weight (ties: the lower (i, j) first; pairs that never met
// are no edges), in the order of (i, j). counts_EE: symmetric tokens-both matrix, zero diagonal;
// weight = count / tokens. The floor forgives the last bits of rho: 0.29 of 100 pairs are 29.
std::vector<GraphEdge> rhoGraph(
    std::span<const std::int32_t> counts_EE, int experts, std::int64_t tokens, double rho);

// Weighted Louvain through igraph, seeded; every expert is a node, one without edges a community of
// one. The best of several seeded runs by modularity, the same for the same seed. May be called
// from any thread; an inner mutex lets one call at a time into igraph. A resolution below 0 or
// not-a-number counts as 0. Throws std::bad_alloc where igraph has no memory.
Partition detectCommunities(
    std::span<const GraphEdge> edges, int experts, double resolution, int seed);

// Weighted modularity of a partition on a graph; 0 for a graph without edges.
double modularity(std::span<const GraphEdge> edges, int experts, std::span<const int> community,
    double resolution);

// 2 I(X;Y) / (H(X) + H(Y)); 1 for two trivial partitions.
double normalizedMutualInformation(std::span<const int> a, std::span<const int> b);

// Labels of `tuned` renamed so that as many experts as possible keep the base's label (greedy by
// overlap), new labels after the base's: colours stay put, and "moved" experts are those whose
// matched label differs.
std::vector<int> matchLabels(std::span<const int> base, std::span<const int> tuned);

} // namespace mooring
