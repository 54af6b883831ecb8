// SPDX-License-Identifier: GPL-3.0-or-later
// Communities of the co-activation graph and how far two partitions agree
// (docs/methods.md#communities).
#pragma once
#include "core/routing/communities/rho_graph.h"

namespace mooring {

// Weighted Louvain through igraph, refined and seeded; every expert is a node, one without edges a
// community of one. The best of several seeded runs by modularity, the same for the same seed. May
// be called from any thread; an inner mutex lets one call at a time into igraph. A resolution
// below 0 or NaN counts as 0, a weight that is not a number above 0 as no edge. Throws
// std::bad_alloc where igraph has no memory, std::runtime_error with a sentence where it fails
// otherwise.
Partition detectCommunities(
    std::span<const GraphEdge> edges, int experts, double resolution, int seed);

// Weighted modularity of a partition on a graph; 0 for a graph without edges.
double modularity(std::span<const GraphEdge> edges, int experts, std::span<const int> community,
    double resolution);

// 2 I(X;Y) / (H(X) + H(Y)); 1 for two trivial partitions.
double normalizedMutualInformation(std::span<const int> a, std::span<const int> b);

// Labels of `tuned` renamed so that as many experts as possible keep the base's label (greedy by
// overlap), new labels after the base's: colors stay put, and "moved" experts are those whose
// matched label differs.
std::vector<int> matchLabels(std::span<const int> base, std::span<const int> tuned);

} // namespace mooring
