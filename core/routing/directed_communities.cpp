// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/directed_communities.h"
#include "core/base/random.h"
#include "core/routing/best_of_runs.h"

namespace mooring {
namespace {

// One level of Louvain: nodes are what earlier levels have joined. Weights are shares of m.
struct Level {
    struct Neighbour {
        int node;
        double weight; // both directions together: joining two nodes gains both
    };
    std::vector<std::vector<Neighbour>> neighbours;
    std::vector<double> out, in;

    int size() const { return static_cast<int>(out.size()); }
};

Level firstLevel(std::span<const GraphEdge> edges, int nodes) {
    Level level;
    level.neighbours.resize(static_cast<std::size_t>(nodes));
    level.out.assign(static_cast<std::size_t>(nodes), 0);
    level.in = level.out;
    double total = 0;
    for (const GraphEdge& edge : edges)
        total += edge.weight;
    for (const GraphEdge& edge : edges) {
        const double weight = edge.weight / total;
        level.out[edge.first] += weight;
        level.in[edge.second] += weight;
        level.neighbours[edge.first].push_back({edge.second, weight});
        level.neighbours[edge.second].push_back({edge.first, weight});
    }
    return level;
}

// Moves nodes to the community that gains most until none moves; true where any did.
bool moveNodes(const Level& level, double resolution, SplitMix64& random, std::vector<int>& label) {
    constexpr int kMostSweeps
        = 100; // each gains, so it ends anyway; rounding must not make it long
    constexpr double kGain = 1e-12;
    std::vector<double> out = level.out, in = level.in; // of communities
    std::vector<double> towards(label.size(), 0); // weight between the node and each community
    const auto order = permutation(label.size(), random);
    bool any = false, moved = true;
    for (int sweep = 0; moved && sweep < kMostSweeps; ++sweep) {
        moved = false;
        for (const auto node : order) {
            const int from = label[node];
            for (const auto& [other, weight] : level.neighbours[node])
                if (other != static_cast<int>(node))
                    towards[label[other]] += weight;
            out[from] -= level.out[node];
            in[from] -= level.in[node];
            const auto gain = [&](int c) {
                return towards[c]
                    - resolution * (level.out[node] * in[c] + level.in[node] * out[c]);
            };
            int best = from;
            double most = gain(from) + kGain;
            for (const auto& [other, weight] : level.neighbours[node])
                if (const double g = gain(label[other]); g > most) {
                    best = label[other];
                    most = g;
                }
            for (const auto& [other, weight] : level.neighbours[node])
                towards[label[other]] = 0;
            out[best] += level.out[node];
            in[best] += level.in[node];
            label[node] = best;
            moved |= best != from;
        }
        any |= moved;
    }
    return any;
}

// The communities as nodes of the next level; `label` holds 0 .. count-1.
Level joined(const Level& level, std::span<const int> label, int count) {
    Level next;
    next.neighbours.resize(static_cast<std::size_t>(count));
    next.out.assign(static_cast<std::size_t>(count), 0);
    next.in = next.out;
    for (int node = 0; node < level.size(); ++node) {
        next.out[label[node]] += level.out[node];
        next.in[label[node]] += level.in[node];
    }
    // An edge lies with both of its ends, once each.
    std::vector<double> row(static_cast<std::size_t>(count), 0);
    std::vector<std::vector<int>> members(static_cast<std::size_t>(count));
    for (int node = 0; node < level.size(); ++node)
        members[label[node]].push_back(node);
    for (int c = 0; c < count; ++c) {
        for (const int node : members[c])
            for (const auto& [other, weight] : level.neighbours[node])
                row[label[other]] += weight;
        for (int other = 0; other < count; ++other)
            if (const double weight = std::exchange(row[other], 0); weight > 0 && other != c)
                next.neighbours[c].push_back({other, weight});
    }
    return next;
}

// The memberships of all levels, finest first.
std::vector<std::vector<int>> directedLouvain(
    const Level& first, double resolution, std::uint64_t seed) {
    SplitMix64 random(seed);
    std::vector<std::vector<int>> levels;
    Level level = first;
    std::vector<int> whole = singletons(first.size()).community_E;
    for (;;) {
        std::vector<int> label = singletons(level.size()).community_E;
        if (!moveNodes(level, resolution, random, label))
            return levels;
        label = bySmallestMember(label);
        for (int& community : whole)
            community = label[community];
        levels.push_back(whole);
        level = joined(level, label, 1 + *std::max_element(label.begin(), label.end()));
    }
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
    const Level first = firstLevel(edges, nodes);
    return bestOfRuns(
        nodes, seed,
        [&](std::uint64_t runSeed) { return directedLouvain(first, resolution, runSeed); },
        [&](std::span<const int> labels) {
            return directedModularity(edges, nodes, labels, resolution);
        });
}

} // namespace mooring
