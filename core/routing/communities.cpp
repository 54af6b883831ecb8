// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/communities.h"
#include <algorithm>
#include <cmath>
#include <igraph/igraph.h>
#include <map>
#include <mutex>
#include <new>
#include <numeric>

namespace mooring {

namespace {

// igraph keeps its generator, error handler and clean-up stack in globals.
std::mutex g_igraphMutex;

// Single runs of Louvain differ by up to 0.03 in modularity on weak structure and not at all on
// clear one. So runs go on until two in a row have gained nothing worth having, within limits.
constexpr int kMostRuns = 8;
constexpr int kIdleRuns = 2;
constexpr double kWorthHaving = 1e-3;

void check(igraph_error_t code) {
    if (code != IGRAPH_SUCCESS)
        throw std::bad_alloc();
}

// A graph with its weights and the buffers of one Louvain run.
class WeightedGraph {
public:
    WeightedGraph(std::span<const GraphEdge> edges, int experts) {
        const auto count = static_cast<igraph_integer_t>(edges.size());
        try {
            check(igraph_vector_init(&m_weights, count));
            m_owned = 1;
            check(igraph_vector_int_init(&m_membership, 0));
            m_owned = 2;
            check(igraph_matrix_int_init(&m_levels, 0, 0));
            m_owned = 3;
            makeGraph(edges, experts);
            m_owned = 4;
        } catch (...) {
            destroy();
            throw;
        }
    }
    WeightedGraph(const WeightedGraph&) = delete;
    WeightedGraph& operator=(const WeightedGraph&) = delete;
    ~WeightedGraph() { destroy(); }

    // The memberships of all levels of one run, finest first.
    std::vector<std::vector<int>> louvain(double resolution, unsigned long seed) {
        check(igraph_rng_seed(igraph_rng_default(), seed));
        check(igraph_community_multilevel(
            &m_graph, &m_weights, resolution, &m_membership, &m_levels, nullptr));
        std::vector<std::vector<int>> levels;
        for (igraph_integer_t row = 0; row < igraph_matrix_int_nrow(&m_levels); ++row) {
            auto& level = levels.emplace_back(igraph_matrix_int_ncol(&m_levels));
            for (std::size_t e = 0; e < level.size(); ++e)
                level[e] = static_cast<int>(MATRIX(m_levels, row, e));
        }
        return levels;
    }

private:
    void makeGraph(std::span<const GraphEdge> edges, int experts) {
        igraph_vector_int_t ends;
        check(igraph_vector_int_init(&ends, 2 * static_cast<igraph_integer_t>(edges.size())));
        for (std::size_t i = 0; i < edges.size(); ++i) {
            VECTOR(ends)[2 * i] = edges[i].first;
            VECTOR(ends)[2 * i + 1] = edges[i].second;
            VECTOR(m_weights)[i] = edges[i].weight;
        }
        const igraph_error_t made = igraph_create(&m_graph, &ends, experts, IGRAPH_UNDIRECTED);
        igraph_vector_int_destroy(&ends);
        check(made);
    }

    void destroy() {
        if (m_owned > 3)
            igraph_destroy(&m_graph);
        if (m_owned > 2)
            igraph_matrix_int_destroy(&m_levels);
        if (m_owned > 1)
            igraph_vector_int_destroy(&m_membership);
        if (m_owned > 0)
            igraph_vector_destroy(&m_weights);
    }

    int m_owned = 0; // how many of the members below are made, in their order
    igraph_vector_t m_weights;
    igraph_vector_int_t m_membership;
    igraph_matrix_int_t m_levels;
    igraph_t m_graph;
};

// Labels renamed to 0, 1, .. in the order of their smallest members.
std::vector<int> bySmallestMember(std::span<const int> labels) {
    std::map<int, int> names;
    std::vector<int> renamed;
    renamed.reserve(labels.size());
    for (const int label : labels)
        renamed.push_back(names.emplace(label, static_cast<int>(names.size())).first->second);
    return renamed;
}

// How many pairs the share rho keeps. Decimal shares are a last bit off as binary numbers, so the
// floor gives way by a billionth.
std::size_t keptPairs(double rho, std::size_t pairs) {
    if (!(rho > 0))
        return 0;
    if (rho >= 1)
        return pairs;
    const double wanted = std::floor(rho * static_cast<double>(pairs) + 1e-9);
    return std::min(pairs, static_cast<std::size_t>(wanted));
}

} // namespace

std::vector<GraphEdge> rhoGraph(
    std::span<const std::int32_t> counts_EE, int experts, std::int64_t tokens, double rho) {
    if (tokens <= 0 || experts < 2)
        return {};
    struct Pair {
        std::int32_t count;
        std::int32_t first;
        std::int32_t second;
    };
    std::vector<Pair> met;
    for (int i = 0; i < experts; ++i)
        for (int j = i + 1; j < experts; ++j)
            if (const auto count = counts_EE[static_cast<std::size_t>(i) * experts + j]; count > 0)
                met.push_back({count, i, j});
    const auto pairs = static_cast<std::size_t>(experts) * (experts - 1) / 2;
    const std::size_t kept = std::min(keptPairs(rho, pairs), met.size());
    const auto heavier = [](const Pair& a, const Pair& b) {
        if (a.count != b.count)
            return a.count > b.count;
        return a.first != b.first ? a.first < b.first : a.second < b.second;
    };
    const auto middle = met.begin() + static_cast<std::ptrdiff_t>(kept);
    if (middle != met.end())
        std::nth_element(met.begin(), middle, met.end(), heavier);
    std::sort(met.begin(), middle, [](const Pair& a, const Pair& b) {
        return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    std::vector<GraphEdge> edges;
    edges.reserve(kept);
    for (auto pair = met.begin(); pair != middle; ++pair)
        edges.push_back({pair->first, pair->second,
            static_cast<double>(pair->count) / static_cast<double>(tokens)});
    return edges;
}

Partition detectCommunities(
    std::span<const GraphEdge> edges, int experts, double resolution, int seed) {
    Partition best;
    best.community_E.resize(static_cast<std::size_t>(std::max(experts, 0)));
    std::iota(best.community_E.begin(), best.community_E.end(), 0);
    best.communities = std::max(experts, 0);
    if (edges.empty())
        return best;
    resolution = resolution >= 0 ? resolution : 0;
    best.modularity = modularity(edges, experts, best.community_E, resolution);

    const std::lock_guard lock(g_igraphMutex);
    igraph_set_error_handler(igraph_error_handler_ignore);
    igraph_set_warning_handler(igraph_warning_handler_ignore);
    WeightedGraph graph(edges, experts);
    int idle = 0;
    for (int run = 0; run < kMostRuns && idle < kIdleRuns; ++run) {
        const auto runSeed
            = static_cast<unsigned long>(static_cast<unsigned>(seed)) * kMostRuns + run;
        const double before = best.modularity;
        for (auto& level : graph.louvain(resolution, runSeed)) {
            const double q = modularity(edges, experts, level, resolution);
            // Equal up to rounding: the earlier one stays, whatever the order of summation.
            if (q <= best.modularity + 1e-12)
                continue;
            best.modularity = q;
            best.community_E = std::move(level);
        }
        idle = best.modularity > before + kWorthHaving ? 0 : idle + 1;
    }
    best.community_E = bySmallestMember(best.community_E);
    best.communities = 1 + *std::max_element(best.community_E.begin(), best.community_E.end());
    return best;
}

// Newman and Girvan 2004, weighted, with the resolution of Reichardt and Bornholdt 2006:
// Q = sum over communities of (inside / m - resolution (strength / 2m)^2).
double modularity(std::span<const GraphEdge> edges, int experts, std::span<const int> community,
    double resolution) {
    if (edges.empty() || experts <= 0)
        return 0;
    const int labels = 1 + *std::max_element(community.begin(), community.end());
    std::vector<double> inside(labels, 0.0);
    std::vector<double> strength(labels, 0.0);
    double total = 0;
    for (const GraphEdge& edge : edges) {
        const int a = community[edge.first];
        const int b = community[edge.second];
        total += edge.weight;
        strength[a] += edge.weight;
        strength[b] += edge.weight;
        if (a == b)
            inside[a] += edge.weight;
    }
    if (!(total > 0))
        return 0;
    double q = 0;
    for (int c = 0; c < labels; ++c) {
        const double share = strength[c] / (2 * total);
        q += inside[c] / total - resolution * share * share;
    }
    return q;
}

} // namespace mooring
