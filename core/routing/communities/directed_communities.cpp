// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/communities/directed_communities.h"
#include "core/routing/communities/best_of_runs.h"
#include "core/routing/communities/modularity_moves.h"

namespace mooring {
namespace {

// The memberships of all levels, finest first, then the refined ones.
std::vector<std::vector<int>> directedLouvain(
    const ModularityLevel& first, double resolution, std::uint64_t seed) {
    SplitMix64 random(seed);
    std::vector<std::vector<int>> levels;
    ModularityLevel level = first;
    std::vector<int> whole = singletons(first.size()).community_E;
    for (;;) {
        std::vector<int> label = singletons(level.size()).community_E;
        if (!moveNodes(level, resolution, random, label))
            break;
        label = bySmallestMember(label);
        for (int& community : whole)
            community = label[community];
        levels.push_back(whole);
        level = joined(level, label);
    }
    addRefined(first, resolution, seed, levels);
    return levels;
}

} // namespace

double directedModularity(std::span<const GraphEdge> edges, int nodes,
    std::span<const int> community, double resolution) {
    if (edges.empty() || nodes <= 0)
        return 0;
    const int labels = 1 + *std::max_element(community.begin(), community.end());
    std::vector<double> out(labels, 0.0), in(labels, 0.0);
    double total = 0, inside = 0;
    for (const GraphEdge& edge : edges) {
        total += edge.weight;
        out[community[edge.first]] += edge.weight;
        in[community[edge.second]] += edge.weight;
        if (community[edge.first] == community[edge.second])
            inside += edge.weight;
    }
    if (!(total > 0))
        return 0;
    double expected = 0;
    for (int c = 0; c < labels; ++c)
        expected += out[c] / total * (in[c] / total);
    return inside / total - resolution * expected;
}

Partition detectDirectedCommunities(
    std::span<const GraphEdge> edges, int nodes, double resolution, int seed) {
    if (edges.empty())
        return singletons(nodes);
    resolution = resolution >= 0 ? resolution : 0;
    const ModularityLevel first = levelOf(edges, nodes, EdgeKind::Directed);
    return bestOfRuns(
        nodes, seed,
        [&](std::uint64_t runSeed) { return directedLouvain(first, resolution, runSeed); },
        [&](std::span<const int> labels) {
            return directedModularity(edges, nodes, labels, resolution);
        });
}

} // namespace mooring
