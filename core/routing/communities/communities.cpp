// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/communities/communities.h"
#include "core/routing/communities/best_of_runs.h"
#include "core/routing/communities/modularity_moves.h"
#include <algorithm>
#include <cmath>
#include <igraph/igraph.h>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>

namespace mooring {

namespace {

// igraph keeps its generator, error handler and clean-up stack in globals.
std::mutex g_igraphMutex;

void check(igraph_error_t code) {
    if (code == IGRAPH_ENOMEM)
        throw std::bad_alloc();
    if (code != IGRAPH_SUCCESS)
        throw std::runtime_error(
            std::string("community detection failed on a co-activation graph: igraph reports \"")
            + igraph_strerror(code) + "\"");
}

// Edges without a positive, finite weight are ignored.
std::vector<GraphEdge> weighted(std::span<const GraphEdge> edges) {
    std::vector<GraphEdge> kept;
    std::copy_if(edges.begin(), edges.end(), std::back_inserter(kept),
        [](const GraphEdge& edge) { return edge.weight > 0 && std::isfinite(edge.weight); });
    return kept;
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

    int m_owned = 0; // how many of the members below are initialized, in order
    igraph_vector_t m_weights;
    igraph_vector_int_t m_membership;
    igraph_matrix_int_t m_levels;
    igraph_t m_graph;
};

} // namespace

Partition detectCommunities(
    std::span<const GraphEdge> all, int experts, double resolution, int seed) {
    const std::vector<GraphEdge> edges = weighted(all);
    resolution = resolution >= 0 ? resolution : 0;
    if (edges.empty())
        return singletons(experts);
    const std::lock_guard lock(g_igraphMutex);
    igraph_set_error_handler(igraph_error_handler_ignore);
    igraph_set_warning_handler(igraph_warning_handler_ignore);
    WeightedGraph graph(edges, experts);
    const ModularityLevel first = levelOf(edges, experts, EdgeKind::Undirected);
    return bestOfRuns(
        experts, seed,
        [&](std::uint64_t runSeed) {
            auto levels = graph.louvain(resolution, runSeed);
            addRefined(first, resolution, runSeed, levels);
            return levels;
        },
        [&](std::span<const int> labels) {
            return modularity(edges, experts, labels, resolution);
        });
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
