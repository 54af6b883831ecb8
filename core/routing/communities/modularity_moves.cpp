// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/communities/modularity_moves.h"
#include "core/routing/communities/best_of_runs.h"
#include <utility>

namespace mooring {
namespace {

// Current communities: their totals, and the current node's weight to each of them.
class Communities {
public:
    Communities(const ModularityLevel& level, double resolution, std::vector<int>& label)
        : m_level(level)
        , m_resolution(resolution)
        , m_label(label)
        , m_out(label.size(), 0)
        , m_in(label.size(), 0)
        , m_towards(label.size(), 0)
        , m_members(label.size(), 0) {
        for (std::size_t node = 0; node < label.size(); ++node)
            put(static_cast<int>(node), label[node], +1);
        for (int c = static_cast<int>(label.size()) - 1; c >= 0; --c)
            if (m_members[c] == 0)
                m_free.push_back(c);
    }

    // Moves a node to where it gains most: to a neighbor's community, its own, or none; true if it
    // moved.
    bool move(int node) {
        constexpr double kGain = 1e-12;
        const int from = m_label[node];
        for (const auto& [other, weight] : m_level.neighbours[node])
            m_towards[m_label[other]] += weight;
        put(node, from, -1);
        int best = from;
        double most = gain(node, from) + kGain;
        for (const auto& [other, weight] : m_level.neighbours[node])
            if (const double g = gain(node, m_label[other]); g > most) {
                best = m_label[other];
                most = g;
            }
        if (most < 0 && m_members[from] > 0) { // alone it gains nothing
            best = m_free.back();
            m_free.pop_back();
        }
        for (const auto& [other, weight] : m_level.neighbours[node])
            m_towards[m_label[other]] = 0;
        put(node, best, +1);
        m_label[node] = best;
        if (m_members[from] == 0)
            m_free.push_back(from);
        return best != from;
    }

private:
    double gain(int node, int c) const {
        return m_towards[c]
            - m_resolution * (m_level.out[node] * m_in[c] + m_level.in[node] * m_out[c]);
    }
    void put(int node, int c, int sign) {
        m_out[c] += sign * m_level.out[node];
        m_in[c] += sign * m_level.in[node];
        m_members[c] += sign;
    }

    const ModularityLevel& m_level;
    double m_resolution;
    std::vector<int>& m_label;
    std::vector<double> m_out, m_in, m_towards;
    std::vector<int> m_members;
    std::vector<int> m_free; // labels without members
};

} // namespace

ModularityLevel levelOf(std::span<const GraphEdge> edges, int nodes, EdgeKind kind) {
    ModularityLevel level;
    level.neighbours.resize(static_cast<std::size_t>(nodes));
    level.out.assign(static_cast<std::size_t>(nodes), 0);
    level.in = level.out;
    double total = 0;
    for (const GraphEdge& edge : edges)
        total += edge.weight;
    for (const GraphEdge& edge : edges) {
        const double weight = edge.weight / total;
        if (edge.first != edge.second) {
            level.neighbours[edge.first].push_back({edge.second, weight});
            level.neighbours[edge.second].push_back({edge.first, weight});
        }
        if (kind == EdgeKind::Directed) {
            level.out[edge.first] += weight;
            level.in[edge.second] += weight;
        } else { // half of it each way
            level.out[edge.first] += weight / 2;
            level.out[edge.second] += weight / 2;
        }
    }
    if (kind == EdgeKind::Undirected)
        level.in = level.out;
    return level;
}

bool moveNodes(
    const ModularityLevel& level, double resolution, SplitMix64& random, std::vector<int>& label) {
    // Each sweep gains, so it terminates; this bounds it despite rounding.
    constexpr int kMostSweeps = 100;
    Communities communities(level, resolution, label);
    const auto order = permutation(label.size(), SplitMix64(random.next()));
    bool any = false, moved = true;
    for (int sweep = 0; moved && sweep < kMostSweeps; ++sweep) {
        moved = false;
        for (const auto node : order)
            moved |= communities.move(static_cast<int>(node));
        any |= moved;
    }
    return any;
}

ModularityLevel joined(const ModularityLevel& level, std::span<const int> label) {
    const int count = 1 + *std::max_element(label.begin(), label.end());
    ModularityLevel next;
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

namespace {

// Moves nodes of the first level and joins communities until neither gains anything.
void refine(
    const ModularityLevel& first, double resolution, SplitMix64& random, std::vector<int>& label) {
    for (;;) {
        moveNodes(first, resolution, random, label);
        label = bySmallestMember(label);
        const ModularityLevel level = joined(first, label);
        std::vector<int> together = singletons(level.size()).community_E;
        if (!moveNodes(level, resolution, random, together))
            return;
        for (int& community : label)
            community = together[community];
    }
}

// A quarter of the nodes, each with the community of any other.
void shake(SplitMix64& random, std::vector<int>& label) {
    for (int& community : label)
        if (random.below(4) == 0)
            community = label[random.below(label.size())];
}

} // namespace

void addRefined(const ModularityLevel& first, double resolution, std::uint64_t seed,
    std::vector<std::vector<int>>& levels) {
    constexpr int kShakes = 1;
    SplitMix64 random(seed);
    std::vector<int> refined
        = levels.empty() ? singletons(first.size()).community_E : levels.back();
    refine(first, resolution, random, refined);
    for (int i = 0; i < kShakes; ++i) {
        std::vector<int> shaken = refined;
        shake(random, shaken);
        refine(first, resolution, random, shaken);
        levels.push_back(std::move(shaken));
    }
    levels.push_back(std::move(refined));
}

} // namespace mooring
