// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/communities/communities.h"
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace mooring {
namespace {

using testing::ElementsAre;

// A symmetric count matrix from its upper triangle.
std::vector<std::int32_t> symmetric(int experts, const std::vector<GraphEdge>& pairs) {
    std::vector<std::int32_t> counts(static_cast<std::size_t>(experts) * experts, 0);
    for (const GraphEdge& pair : pairs) {
        counts[pair.first * experts + pair.second] = static_cast<std::int32_t>(pair.weight);
        counts[pair.second * experts + pair.first] = static_cast<std::int32_t>(pair.weight);
    }
    return counts;
}

std::vector<std::int32_t> everyPairOnce(int experts) {
    std::vector<std::int32_t> counts(static_cast<std::size_t>(experts) * experts, 1);
    for (int e = 0; e < experts; ++e)
        counts[e * experts + e] = 0;
    return counts;
}

std::size_t keptOf(int experts, double rho) {
    return rhoGraph(everyPairOnce(experts), experts, 1, rho).size();
}

TEST(RhoGraph, KeepsTheFloorOfTheShareWithoutFallingForTheLastBitOfADecimal) {
    EXPECT_EQ(keptOf(64, 0.1), 201u); // 201.6 of 2016
    EXPECT_EQ(keptOf(20, 0.1), 19u); // 19.000000000000004 of 190
    EXPECT_EQ(keptOf(5, 0.3), 3u); // of 10
    EXPECT_EQ(keptOf(25, 0.41), 123u); // 122.99999999999999 of 300
    EXPECT_EQ(keptOf(5, 0.99), 9u);
    EXPECT_EQ(keptOf(5, 1.0), 10u);
}

TEST(RhoGraph, AShareOutsideNoughtAndOneKeepsNothingOrAll) {
    EXPECT_EQ(keptOf(5, 0.0), 0u);
    EXPECT_EQ(keptOf(5, -1.0), 0u);
    EXPECT_EQ(keptOf(5, std::nan("")), 0u);
    EXPECT_EQ(keptOf(5, 1e300), 10u);
}

TEST(RhoGraph, TakesTheHeaviestPairsAndOfEqualOnesTheLower) {
    // 10 pairs, rho 0.3: three of them. (2,4) leads; (0,3), (1,2) and (3,4) tie for two places.
    const auto counts = symmetric(5, {{0, 1, 1}, {0, 3, 5}, {1, 2, 5}, {2, 4, 9}, {3, 4, 5}});
    const auto edges = rhoGraph(counts, 5, 10, 0.3);
    ASSERT_EQ(edges.size(), 3u);
    EXPECT_EQ(std::pair(edges[0].first, edges[0].second), std::pair(0, 3));
    EXPECT_EQ(std::pair(edges[1].first, edges[1].second), std::pair(1, 2));
    EXPECT_EQ(std::pair(edges[2].first, edges[2].second), std::pair(2, 4));
    EXPECT_DOUBLE_EQ(edges[0].weight, 0.5);
    EXPECT_DOUBLE_EQ(edges[2].weight, 0.9);
}

TEST(RhoGraph, PairsThatNeverMetAreNoEdges) {
    EXPECT_EQ(rhoGraph(symmetric(5, {{1, 3, 2}}), 5, 4, 1.0).size(), 1u);
    EXPECT_TRUE(rhoGraph(symmetric(5, {}), 5, 4, 1.0).empty());
    EXPECT_TRUE(rhoGraph(symmetric(5, {{1, 3, 2}}), 5, 0, 1.0).empty());
    EXPECT_TRUE(rhoGraph(std::vector<std::int32_t>{0}, 1, 4, 1.0).empty());
}

// Two triangles joined by one edge: m = 7, each triangle holds 3 edges and strength 7.
const std::vector<GraphEdge> kTwoTriangles
    = {{0, 1, 1}, {0, 2, 1}, {1, 2, 1}, {3, 4, 1}, {3, 5, 1}, {4, 5, 1}, {2, 3, 1}};

TEST(Modularity, OfTwoJoinedTrianglesIsFiveFourteenths) {
    EXPECT_NEAR(
        modularity(kTwoTriangles, 6, std::vector{0, 0, 0, 1, 1, 1}, 1.0), 5.0 / 14.0, 1e-15);
    EXPECT_NEAR(modularity(kTwoTriangles, 6, std::vector{0, 0, 0, 0, 0, 0}, 1.0), 0.0, 1e-15);
    // Resolution 2 doubles the expected part: 6/7 - 2 (1/4 + 1/4).
    EXPECT_NEAR(
        modularity(kTwoTriangles, 6, std::vector{0, 0, 0, 1, 1, 1}, 2.0), 6.0 / 7.0 - 1.0, 1e-15);
}

TEST(Modularity, WeighsEdges) {
    // Weights 3 and 1 on a path 0-1-2: m = 4; {0,1} has strength 3 + 4 = 7, {2} has 1.
    const std::vector<GraphEdge> path = {{0, 1, 3}, {1, 2, 1}};
    EXPECT_NEAR(modularity(path, 3, std::vector{0, 0, 1}, 1.0),
        3.0 / 4.0 - 49.0 / 64.0 - 1.0 / 64.0, 1e-15);
}

TEST(Modularity, OfAGraphWithoutEdgesIsNought) {
    EXPECT_EQ(modularity({}, 3, std::vector{0, 1, 2}, 1.0), 0.0);
}

TEST(Communities, AreFoundAndLabelledByTheirSmallestMember) {
    // Triangles {0, 3, 4} and {1, 2, 5}, joined by 4-5: the label of expert 0 is 0, of expert 1 is
    // 1.
    const std::vector<GraphEdge> edges
        = {{0, 3, 1}, {0, 4, 1}, {3, 4, 1}, {1, 2, 1}, {1, 5, 1}, {2, 5, 1}, {4, 5, 1}};
    const Partition found = detectCommunities(edges, 6, 1.0, 0);
    EXPECT_THAT(found.community_E, ElementsAre(0, 1, 1, 0, 0, 1));
    EXPECT_EQ(found.communities, 2);
    EXPECT_NEAR(found.modularity, 5.0 / 14.0, 1e-15);
}

TEST(Communities, AnExpertWithoutEdgesIsACommunityOfOne) {
    const std::vector<GraphEdge> edges = {{1, 2, 0.5}, {4, 5, 0.25}};
    const Partition found = detectCommunities(edges, 6, 1.0, 3);
    EXPECT_THAT(found.community_E, ElementsAre(0, 1, 1, 2, 3, 3));
    EXPECT_EQ(found.communities, 4);
}

TEST(Communities, WithoutEdgesEveryExpertStandsAlone) {
    const Partition found = detectCommunities({}, 4, 1.0, 0);
    EXPECT_THAT(found.community_E, ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(found.communities, 4);
    EXPECT_EQ(found.modularity, 0.0);
}

TEST(Communities, AreTheSameForTheSameSeedWhateverRanBefore) {
    // A ring of 30 has many partitions of equal quality, so an unseeded generator would show.
    std::vector<GraphEdge> ring;
    for (int e = 0; e + 1 < 30; ++e)
        ring.push_back({e, e + 1, 1});
    ring.push_back({0, 29, 1});
    const Partition first = detectCommunities(ring, 30, 1.0, 5);
    detectCommunities(ring, 30, 1.0, 6);
    EXPECT_EQ(detectCommunities(ring, 30, 1.0, 5).community_E, first.community_E);
}

TEST(Communities, APathOfSixIsCutInItsMiddleThoughTheFirstMovesPairItsNodes) {
    // The path 9-6-10-11-8-13 and the pair 0-2, m = 6. In halves the path has 2 of its 5 edges
    // inside each and strengths of 5 and 5: Q = 5/6 - (25 + 25 + 4) / 144. Pairs joined whole fall
    // 1/18 short.
    const std::vector<GraphEdge> edges
        = {{0, 2, 1}, {6, 9, 1}, {6, 10, 1}, {8, 11, 1}, {8, 13, 1}, {10, 11, 1}};
    for (int seed = 0; seed < 20; ++seed) {
        const Partition found = detectCommunities(edges, 16, 1.0, seed);
        EXPECT_NEAR(found.modularity, 11.0 / 24.0, 1e-15);
        EXPECT_EQ(found.community_E[10], found.community_E[9]);
        EXPECT_EQ(found.community_E[11], found.community_E[13]);
        EXPECT_NE(found.community_E[10], found.community_E[11]);
    }
}

TEST(Communities, AWeightThatIsNoNumberAboveNoughtIsNoEdge) {
    auto edges = kTwoTriangles;
    edges.insert(edges.end(),
        {{0, 5, std::nan("")}, {1, 4, 0.0}, {1, 5, -1.0},
            {0, 3, std::numeric_limits<double>::infinity()}});
    const Partition found = detectCommunities(edges, 6, 1.0, 0);
    EXPECT_THAT(found.community_E, ElementsAre(0, 0, 0, 1, 1, 1));
    EXPECT_NEAR(found.modularity, 5.0 / 14.0, 1e-15);
}

TEST(LiftGraph, APairOfAnExpertThatWasNeverCountedIsNoEdge) {
    // A damaged frame: expert 0 met both others but was never counted, so its lifts are no numbers.
    const std::vector<std::int64_t> counts = {0, 3, 3};
    const auto edges
        = liftGraph(symmetric(3, {{0, 1, 2}, {0, 2, 2}, {1, 2, 1}}), counts, 3, 4, 1.0);
    ASSERT_EQ(edges.size(), 1u);
    EXPECT_EQ(std::pair(edges[0].first, edges[0].second), std::pair(1, 2));
    EXPECT_DOUBLE_EQ(edges[0].weight, 0.25 / (0.75 * 0.75));
}

TEST(Communities, AResolutionThatIsNoNumberDoesNotEndTheProgram) {
    EXPECT_EQ(detectCommunities(kTwoTriangles, 6, std::nan(""), 0).community_E.size(), 6u);
    EXPECT_EQ(detectCommunities(kTwoTriangles, 6, -5, -1).community_E.size(), 6u);
    EXPECT_EQ(detectCommunities(kTwoTriangles, 6, 1e308, 0).community_E.size(), 6u);
}

TEST(Nmi, OfEqualPartitionsUnderOtherNamesIsOne) {
    EXPECT_NEAR(
        normalizedMutualInformation(std::vector{0, 0, 1, 1}, std::vector{7, 7, 3, 3}), 1.0, 1e-15);
}

TEST(Nmi, OfIndependentPartitionsIsNought) {
    EXPECT_NEAR(
        normalizedMutualInformation(std::vector{0, 0, 1, 1}, std::vector{0, 1, 0, 1}), 0.0, 1e-15);
}

TEST(Nmi, OfAHalfAgainstItsQuartersIsTwoThirds) {
    // I = H(X) = ln 2 and H(Y) = ln 4, so 2 ln 2 / (ln 2 + 2 ln 2).
    EXPECT_NEAR(normalizedMutualInformation(std::vector{0, 0, 1, 1}, std::vector{0, 1, 2, 3}),
        2.0 / 3.0, 1e-15);
}

TEST(Nmi, OfTwoTrivialPartitionsIsOneAndOfOneIsNought) {
    EXPECT_EQ(normalizedMutualInformation(std::vector{0, 0, 0}, std::vector{4, 4, 4}), 1.0);
    EXPECT_EQ(normalizedMutualInformation(std::vector{0, 0, 0}, std::vector{0, 1, 1}), 0.0);
}

TEST(MatchLabels, KeepsTheColorOfTheLargestShareAndGivesNewLabelsAfterTheBases) {
    // Tuned 0 shares two experts with base 1, tuned 1 two with base 0; tuned 2 is left over.
    EXPECT_THAT(matchLabels(std::vector{0, 0, 1, 1, 0, 2}, std::vector{1, 1, 0, 0, 2, 3}),
        ElementsAre(0, 0, 1, 1, 3, 2));
}

TEST(MatchLabels, OfEqualOverlapsTheLowerBaseLabelWins) {
    // Every overlap is one expert: (0,0) is taken first, then (1,1).
    EXPECT_THAT(
        matchLabels(std::vector{0, 0, 1, 1}, std::vector{0, 1, 0, 1}), ElementsAre(0, 1, 0, 1));
}

TEST(MatchLabels, APartitionMatchedWithItselfStaysAsItIs) {
    const std::vector labels = {0, 1, 1, 2, 0};
    EXPECT_EQ(matchLabels(labels, labels), labels);
}

} // namespace
} // namespace mooring
