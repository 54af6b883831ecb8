// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/routing/communities/directed_communities.h"
#include "core/routing/communities/rho_graph.h"
#include "core/routing/transitions.h"
#include "tests/core/routing/frames.h"
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

using testing::ElementsAre;

// Two layers, three experts, top-1. Texts: Q A A | A A; the middle border is not a transition.
RoutingFrame smallTexts(std::vector<std::int16_t> ids_TL) {
    RoutingFrame frame;
    frame.layers = {2, 5};
    frame.experts = 3;
    frame.topK = 1;
    frame.domains.push_back(smallDomain("math", frame, std::move(ids_TL)));
    frame.domains[0].textOffsets = {0, 3, 5};
    frame.domains[0].span_T = {0, 1, 1, 1, 1};
    return frame;
}

const std::vector<std::int16_t> kIds = {2, 2, 0, 1, 1, 1, 2, 0, 2, 1}; // token by token

TEST(Transitions, LeadFromAnAnswerTokenToTheNextOfTheSameText) {
    const auto frame = smallTexts(kIds);
    const auto counts
        = countTransitions(frame.domains[0], frame.domains[0], 2, 3, 1, TransitionKind::Tokens);
    EXPECT_EQ(counts.pairs, 2); // tokens 1 -> 2 and 3 -> 4
    EXPECT_THAT(counts.counts_LEE,
        ElementsAre(0, 1, 0, 0, 0, 0, 0, 0, 1, /* layer 5 */ 0, 1, 0, 0, 1, 0, 0, 0, 0));
}

TEST(Transitions, BetweenLayersLeadFromEveryAnswerTokenToItself) {
    const auto frame = smallTexts(kIds);
    const auto counts
        = countTransitions(frame.domains[0], frame.domains[0], 2, 3, 1, TransitionKind::Layers);
    EXPECT_EQ(counts.pairs, 4);
    EXPECT_THAT(counts.counts_LEE, ElementsAre(0, 1, 0, 0, 1, 0, 1, 1, 0));
}

TEST(Transitions, EveryExpertOfTheFirstSetLeadsToEveryOneOfTheSecond) {
    RoutingFrame frame;
    frame.layers = {0};
    frame.experts = 3;
    frame.topK = 2;
    frame.domains.push_back(smallDomain("math", frame, {0, 1, 1, 2}));
    frame.domains[0].span_T = {1, 1};
    const auto counts
        = countTransitions(frame.domains[0], frame.domains[0], 1, 3, 2, TransitionKind::Tokens);
    EXPECT_THAT(counts.counts_LEE, ElementsAre(0, 1, 1, 0, 1, 1, 0, 0, 0));
}

TEST(Transitions, AFrameThatDoesNotSayWhatAnswersAreHasNone) {
    auto frame = smallTexts(kIds);
    auto silent = frame.domains[0];
    silent.span_T.clear();
    EXPECT_EQ(countTransitions(frame.domains[0], silent, 2, 3, 1, TransitionKind::Tokens).pairs, 0);
}

TEST(Transitions, RetentionIsThatOfUtilizationAndOverlapOverPairs) {
    const auto base = smallTexts(kIds);
    auto ids = kIds;
    ids[4] = 2; // token 2 goes to expert 2 in the first layer: 0 -> 1 becomes 0 -> 2
    auto tuned = smallTexts(ids);
    tuned.step = 9;
    const ProbeSettings probe{.rho = 1.0};
    const auto before = findTransitions(base, base, TransitionKind::Tokens, probe, neverCancel);
    const auto after = findTransitions(tuned, base, TransitionKind::Tokens, probe, neverCancel);
    const auto rows = transitionRetention(*before, base, *after, tuned);
    ASSERT_EQ(rows.size(), 2u); // the domain and the pool of it alone
    EXPECT_EQ(rows[0].domain, "math");
    EXPECT_EQ(rows[0].step, 9);
    EXPECT_THAT(rows[0].layers, ElementsAre(2, 5));
    const TransitionValues& v = rows[0].values[0];
    EXPECT_DOUBLE_EQ(v.tvd, 0.5); // half of the two transitions moved
    EXPECT_NEAR(v.jsd, 0.5 * std::log(2), 1e-15);
    EXPECT_DOUBLE_EQ(v.overlap, 0.5);
    EXPECT_DOUBLE_EQ(v.stayBase, 0.5); // 2 -> 2 stays, 0 -> 1 does not
    EXPECT_DOUBLE_EQ(v.stay, 0.5);
    EXPECT_DOUBLE_EQ(rows[0].values[1].tvd, 0);
    EXPECT_DOUBLE_EQ(rows[0].values[1].overlap, 1);
    EXPECT_DOUBLE_EQ(rows[0].mean.tvd, 0.25);
    EXPECT_DOUBLE_EQ(rows[1].values[0].tvd, 0.5);
}

TEST(Transitions, BaseRowsHaveTheCeilingTheNullModelAndNothingTuned) {
    const auto base = smallTexts(kIds);
    const ProbeSettings probe{.rho = 1.0};
    const auto found = findTransitions(base, base, TransitionKind::Layers, probe, neverCancel);
    const auto rows = transitionValidity(*found, base, probe, 5, neverCancel);
    ASSERT_TRUE(rows);
    ASSERT_EQ(rows->size(), 2u);
    EXPECT_EQ((*rows)[0].step, 0);
    EXPECT_THAT((*rows)[0].layers, ElementsAre(2));
    EXPECT_FALSE(std::isnan((*rows)[0].values[0].ceiling));
    EXPECT_FALSE(std::isnan((*rows)[0].values[0].nullQ));
    EXPECT_TRUE(std::isnan((*rows)[0].values[0].tvd));
    EXPECT_FALSE(transitionValidity(*found, base, probe, 5, [] { return true; }));
}

TEST(DirectedRhoGraph, KeepsTheHeaviestOrderedPairsAndNoStaying) {
    // 6 ordered pairs, rho 0.5: three. The diagonal is not an edge, however heavy.
    const std::vector<std::int32_t> counts = {90, 4, 0, 1, 90, 3, 3, 2, 90};
    const auto edges = directedRhoGraph(counts, 3, 100, 0.5, false);
    ASSERT_EQ(edges.size(), 3u);
    EXPECT_EQ(std::pair(edges[0].first, edges[0].second), std::pair(0, 1));
    EXPECT_EQ(std::pair(edges[1].first, edges[1].second), std::pair(1, 2));
    EXPECT_EQ(std::pair(edges[2].first, edges[2].second), std::pair(2, 0));
    EXPECT_DOUBLE_EQ(edges[0].weight, 0.04);
}

TEST(DirectedRhoGraph, BetweenTwoSetsTheDiagonalCountsAndEndsAreOtherNodes) {
    const std::vector<std::int32_t> counts = {9, 1, 0, 5};
    const auto edges = directedRhoGraph(counts, 2, 15, 0.5, true);
    ASSERT_EQ(edges.size(), 2u);
    EXPECT_EQ(std::pair(edges[0].first, edges[0].second), std::pair(0, 2));
    EXPECT_EQ(std::pair(edges[1].first, edges[1].second), std::pair(1, 3));
}

// 0 -> 1 -> 0 and 2 -> 3 -> 2, weight 2 each way, and one bridge 1 -> 2.
const std::vector<GraphEdge> kTwoLoops = {{0, 1, 2}, {1, 0, 2}, {2, 3, 2}, {3, 2, 2}, {1, 2, 1}};

TEST(DirectedModularity, IsTheFormulaOfLeichtAndNewman) {
    // m = 9; inside 8; out of {0,1} 5, into it 4; out of {2,3} 4, into it 5.
    const std::vector<int> loops = {0, 0, 1, 1};
    EXPECT_NEAR(directedModularity(kTwoLoops, 4, loops, 1.0), 8.0 / 9 - (20.0 + 20.0) / 81, 1e-15);
    EXPECT_NEAR(
        directedModularity(kTwoLoops, 4, loops, 2.0), 8.0 / 9 - 2 * (20.0 + 20.0) / 81, 1e-15);
    EXPECT_EQ(directedModularity({}, 4, loops, 1.0), 0);
}

TEST(DirectedCommunities, FindTheTwoLoopsAndLeaveALonelyNodeAlone) {
    const auto found = detectDirectedCommunities(kTwoLoops, 5, 1.0, 0);
    EXPECT_THAT(found.community_E, ElementsAre(0, 0, 1, 1, 2));
    EXPECT_EQ(found.communities, 3);
    EXPECT_NEAR(found.modularity, 8.0 / 9 - 40.0 / 81, 1e-15);
}

TEST(DirectedCommunities, TellSourcesApartByWhereTheyLead) {
    // A layer of three experts to the next: 0 and 1 lead to 3, 2 leads to 4 and 5.
    const std::vector<GraphEdge> edges = {{0, 3, 3}, {1, 3, 3}, {2, 4, 2}, {2, 5, 2}};
    const auto found = detectDirectedCommunities(edges, 6, 1.0, 0);
    EXPECT_THAT(found.community_E, ElementsAre(0, 0, 1, 0, 1, 1));
}

TEST(DirectedCommunities, AreTheSameForTheSameSeed) {
    std::vector<GraphEdge> edges;
    SplitMix64 random(4);
    for (int i = 0; i < 40; ++i)
        for (int j = 0; j < 40; ++j)
            if (i != j && random.below(4) == 0)
                edges.push_back({i, j, static_cast<double>(1 + random.below(9))});
    const auto once = detectDirectedCommunities(edges, 40, 1.0, 3);
    EXPECT_EQ(once.community_E, detectDirectedCommunities(edges, 40, 1.0, 3).community_E);
    EXPECT_NEAR(once.modularity, directedModularity(edges, 40, once.community_E, 1.0), 1e-15);
}

} // namespace
} // namespace mooring
