// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/communities/rho_graph.h"
#include "core/view/distances.h"
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

// How many pairs the share rho keeps. Decimal shares are inexact in binary, so the floor has a
// tolerance of a billionth.
std::size_t keptPairs(double rho, std::size_t pairs) {
    if (!(rho > 0))
        return 0;
    if (rho >= 1)
        return pairs;
    const double wanted = std::floor(rho * static_cast<double>(pairs) + 1e-9);
    return std::min(pairs, static_cast<std::size_t>(wanted));
}

bool before(const GraphEdge& a, const GraphEdge& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
}

// The `kept` heaviest of the pairs that met, in the order of their ends.
void keepHeaviest(std::vector<GraphEdge>& met, std::size_t kept) {
    const auto heavier = [](const GraphEdge& a, const GraphEdge& b) {
        return a.weight != b.weight ? a.weight > b.weight : before(a, b);
    };
    if (kept < met.size()) {
        std::nth_element(
            met.begin(), met.begin() + static_cast<std::ptrdiff_t>(kept), met.end(), heavier);
        met.resize(kept);
    }
    std::sort(met.begin(), met.end(), before);
}

// weightOf(i, j, count) of every pair i < j that met, thinned. A weight that is not a number (the
// lift of an expert that a damaged frame never counted) makes no edge: it has no place in an order.
template <typename Weight>
std::vector<GraphEdge> thinned(std::span<const std::int32_t> counts_EE, int experts,
    std::int64_t tokens, double rho, Weight&& weightOf) {
    if (tokens <= 0 || experts < 2)
        return {};
    std::vector<GraphEdge> met;
    for (int i = 0; i < experts; ++i)
        for (int j = i + 1; j < experts; ++j)
            if (const auto count = counts_EE[static_cast<std::size_t>(i) * experts + j]; count > 0)
                if (const double weight = weightOf(i, j, count); std::isfinite(weight))
                    met.push_back({i, j, weight});
    keepHeaviest(met, keptPairs(rho, static_cast<std::size_t>(experts) * (experts - 1) / 2));
    return met;
}

} // namespace

// Equal counts have equal shares, and larger ones larger: chosen by share as by count.
std::vector<GraphEdge> rhoGraph(
    std::span<const std::int32_t> counts_EE, int experts, std::int64_t tokens, double rho) {
    return thinned(counts_EE, experts, tokens, rho, [tokens](int, int, std::int32_t count) {
        return static_cast<double>(count) / static_cast<double>(tokens);
    });
}

std::vector<GraphEdge> liftGraph(std::span<const std::int32_t> counts_EE,
    std::span<const std::int64_t> counts_E, int experts, std::int64_t tokens, double rho) {
    return thinned(counts_EE, experts, tokens, rho, [&](int i, int j, std::int32_t count) {
        const auto share = [&](std::int64_t number) {
            return static_cast<double>(number) / static_cast<double>(tokens);
        };
        return liftOf(share(count), share(counts_E[i]), share(counts_E[j]));
    });
}

std::vector<GraphEdge> directedRhoGraph(std::span<const std::int32_t> counts_EE, int experts,
    std::int64_t total, double rho, bool bipartite) {
    if (total <= 0 || experts < 1)
        return {};
    std::vector<GraphEdge> met;
    for (int i = 0; i < experts; ++i)
        for (int j = 0; j < experts; ++j)
            if (const auto count = counts_EE[static_cast<std::size_t>(i) * experts + j];
                count > 0 && (bipartite || i != j))
                met.push_back({i, bipartite ? experts + j : j,
                    static_cast<double>(count) / static_cast<double>(total)});
    const auto pairs = static_cast<std::size_t>(experts) * (bipartite ? experts : experts - 1);
    keepHeaviest(met, keptPairs(rho, pairs));
    return met;
}

} // namespace mooring
