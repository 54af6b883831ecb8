// SPDX-License-Identifier: GPL-3.0-or-later
// The graphs that communities are found on: the heaviest share rho of all pairs
// (docs/methods.md#communities). No torch.
#pragma once
#include "core/view/routing_frame.h"
#include <span>

namespace mooring {

// The top floor(rho E(E-1)/2) pairs by weight (ties: the lower (i, j) first; pairs that never met
// are no edges), in the order of (i, j). counts_EE: symmetric tokens-both matrix, zero diagonal;
// weight = count / tokens. The floor forgives the last bits of rho: 0.29 of 100 pairs are 29.
std::vector<GraphEdge> rhoGraph(
    std::span<const std::int32_t> counts_EE, int experts, std::int64_t tokens, double rho);

// The same by lift: pairs are chosen and weighed by w_ij / (p_i p_j), where p_i = count_i / tokens
// is the share of tokens that go to i (K times its utilization u_i, so it is w_ij / (K^2 u_i u_j)).
// 1: the two meet as often as independent experts would. Raw counts are dominated by busy experts.
std::vector<GraphEdge> liftGraph(std::span<const std::int32_t> counts_EE,
    std::span<const std::int64_t> counts_E, int experts, std::int64_t tokens, double rho);

// Directed: the top floor(rho P) ordered pairs (i, j) of all P, `weight` = count / total. With
// `bipartite` the ends are different sets of experts: P = E^2 and node j of the second set is
// E + j; without it P = E(E-1), and an expert's transitions to itself are no edges.
std::vector<GraphEdge> directedRhoGraph(std::span<const std::int32_t> counts_EE, int experts,
    std::int64_t total, double rho, bool bipartite);

} // namespace mooring
