// SPDX-License-Identifier: GPL-3.0-or-later
// The steps that raise modularity: moving nodes between communities, and taking communities for the
// nodes of a next level (Blondel et al. 2008; directed gains by Dugue and Perez 2015).
#pragma once
#include "core/base/random.h"
#include "core/view/routing_frame.h"
#include <span>
#include <vector>

namespace mooring {

enum class EdgeKind { Undirected, Directed };

// One level of Louvain: nodes are what earlier levels have joined. Weights are shares of the total.
struct ModularityLevel {
    struct Neighbour {
        int node;
        double weight; // both directions together: joining two nodes gains both
    };
    std::vector<std::vector<Neighbour>> neighbours; // without the node itself
    std::vector<double> out, in;

    int size() const { return static_cast<int>(out.size()); }
};

// The nodes of a graph. Its weights are above 0.
ModularityLevel levelOf(std::span<const GraphEdge> edges, int nodes, EdgeKind kind);

// The communities 0, 1, .. of `label` as nodes of the next level.
ModularityLevel joined(const ModularityLevel& level, std::span<const int> label);

// Moves each node to the community where it gains most, or into one of its own, until none moves;
// true where any did. `label` holds numbers below its size.
bool moveNodes(
    const ModularityLevel& level, double resolution, SplitMix64& random, std::vector<int>& label);

// Adds to the memberships that a run of Louvain found the last of them refined, and what it refines
// to after a shake. Louvain never takes a node back out of a community that it has joined to
// others; on small graphs one such node costs 0.05 of modularity. Refining moves single nodes and
// joins communities until neither gains anything.
void addRefined(const ModularityLevel& first, double resolution, std::uint64_t seed,
    std::vector<std::vector<int>>& levels);

} // namespace mooring
