// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/retention.h"
#include "tests/core/routing/frames.h"
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

using testing::ElementsAre;
using Counts = std::vector<std::int64_t>;

TEST(TotalVariation, IsHalfTheSumOfDifferencesOfShares) {
    // Shares 1/4, 3/4 against 1/2, 1/2.
    EXPECT_DOUBLE_EQ(totalVariation(Counts{1, 3}, Counts{10, 10}), 0.25);
    EXPECT_DOUBLE_EQ(totalVariation(Counts{4, 0}, Counts{0, 9}), 1.0);
    EXPECT_DOUBLE_EQ(totalVariation(Counts{2, 6}, Counts{1, 3}), 0.0);
}

TEST(TotalVariation, WithoutCountsIsNan) {
    EXPECT_TRUE(std::isnan(totalVariation(Counts{0, 0}, Counts{1, 1})));
    EXPECT_TRUE(std::isnan(totalVariation(Counts{1, 1}, Counts{0, 0})));
    EXPECT_TRUE(std::isnan(totalVariation(Counts{}, Counts{})));
}

TEST(JensenShannon, IsInNatsAndAtMostLnTwo) {
    EXPECT_NEAR(jensenShannon(Counts{4, 0}, Counts{0, 9}), std::log(2.0), 1e-15);
    EXPECT_NEAR(jensenShannon(Counts{2, 6}, Counts{1, 3}), 0.0, 1e-15);
    // (1, 0) against (1/2, 1/2), midpoint (3/4, 1/4).
    const double expected
        = 0.5 * std::log(4.0 / 3) + 0.5 * (0.5 * std::log(2.0 / 3) + 0.5 * std::log(2.0));
    EXPECT_NEAR(jensenShannon(Counts{5, 0}, Counts{1, 1}), expected, 1e-15);
    EXPECT_TRUE(std::isnan(jensenShannon(Counts{0, 0}, Counts{1, 1})));
}

TEST(CountRouting, CountsTokensOfEachExpertAndOfEachPair) {
    RoutingFrame frame;
    frame.layers = {0};
    frame.experts = 4;
    frame.topK = 2;
    const auto domain = smallDomain("d", frame, {3, 0, 0, 1, 0, 3});
    EXPECT_THAT(domain.counts_LE, ElementsAre(3, 1, 0, 2));
    EXPECT_THAT(domain.coactivation_LEE,
        ElementsAre(0, 1, 0, 2, /**/ 1, 0, 0, 0, /**/ 0, 0, 0, 0, /**/ 2, 0, 0, 0));
}

TEST(CountRouting, KeepsLayersApartAndReachesBeyondAWordOfExperts) {
    RoutingFrame frame;
    frame.layers = {3, 5};
    frame.experts = 130;
    frame.topK = 3;
    const auto domain = smallDomain("d", frame, {129, 0, 64, 1, 63, 65});
    const auto count = [&](int layer, int e) { return domain.counts_LE[layer * 130 + e]; };
    const auto both = [&](int layer, int i, int j) {
        return domain.coactivation_LEE[(layer * 130 + i) * 130 + j];
    };
    EXPECT_EQ(count(0, 129) + count(0, 0) + count(0, 64), 3);
    EXPECT_EQ(count(1, 1) + count(1, 63) + count(1, 65), 3);
    EXPECT_EQ(both(0, 129, 64), 1);
    EXPECT_EQ(both(0, 64, 129), 1);
    EXPECT_EQ(both(1, 63, 65), 1);
    EXPECT_EQ(both(0, 63, 65), 0);
}

TEST(TopkOverlap, IgnoresTheOrderAndAveragesOverTokens) {
    RoutingFrame frame;
    frame.layers = {0, 1};
    frame.experts = 100;
    frame.topK = 2;
    // Layer 0: {0,1} and {0,1}, then {2,3} and {3,99}: (1 + 1/2) / 2. Layer 1: 0, then 1/2.
    const auto base = smallDomain("d", frame, {0, 1, 4, 5, 2, 3, 6, 7});
    const auto tuned = smallDomain("d", frame, {1, 0, 6, 7, 3, 99, 70, 6});
    EXPECT_THAT(topkOverlap(base, tuned, 2, 2), ElementsAre(0.75, 0.25));
}

TEST(TopkOverlap, OfOtherTokensOrNoneIsNan) {
    RoutingFrame frame;
    frame.layers = {0};
    frame.experts = 4;
    frame.topK = 2;
    const auto two = smallDomain("d", frame, {0, 1, 2, 3});
    const auto one = smallDomain("d", frame, {0, 1});
    const auto none = smallDomain("d", frame, {});
    EXPECT_TRUE(std::isnan(topkOverlap(two, one, 1, 2)[0]));
    EXPECT_TRUE(std::isnan(topkOverlap(none, none, 1, 2)[0]));
    DomainFrame countsOnly = two;
    countsOnly.topkIds_TLK.clear();
    EXPECT_TRUE(std::isnan(topkOverlap(countsOnly, countsOnly, 1, 2)[0]));
}

TEST(PoolDomains, AddsCountsAndWeighsProbabilitiesByTokens) {
    RoutingFrame frame = smallFrame(0);
    frame.domains[0].probMean_LE.assign(8, 0.1f); // 3 tokens
    frame.domains[1].probMean_LE.assign(8, 0.6f); // 2 tokens
    const DomainFrame pooled = poolDomains(frame);
    EXPECT_EQ(pooled.name, "pooled");
    EXPECT_EQ(pooled.tokens, 5);
    // Layer 1: {0,1} three times, {2,3} twice. Layer 2: {2,3} three times, {0,1} and {0,2}.
    EXPECT_THAT(pooled.counts_LE, ElementsAre(3, 3, 2, 2, /**/ 2, 1, 4, 3));
    EXPECT_EQ(pooled.coactivation_LEE[1], 3);
    EXPECT_EQ(pooled.coactivation_LEE[16 + 2], 1);
    EXPECT_EQ(pooled.topkIds_TLK.size(), 20u);
    EXPECT_FLOAT_EQ(pooled.probMean_LE[0], (3 * 0.1f + 2 * 0.6f) / 5);
}

TEST(PoolDomains, ADomainWithoutTokensWeighsNothing) {
    RoutingFrame frame = smallFrame(0);
    frame.domains[1] = smallDomain("chat", frame, {});
    frame.domains[1].probMean_LE.assign(8, std::nanf(""));
    EXPECT_FLOAT_EQ(poolDomains(frame).probMean_LE[0], 0.25f);
}

ProbeSettings wholeGraph() {
    ProbeSettings probe;
    probe.rho = 1.0;
    return probe;
}

TEST(Retention, OfTheBaseAgainstItselfIsWhole) {
    const RoutingFrame base = smallFrame(0);
    const auto rows = retention(base, base, wholeGraph());
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].domain, "math");
    EXPECT_EQ(rows[1].domain, "chat");
    EXPECT_EQ(rows[2].domain, "pooled");
    for (const RetentionRow& row : rows) {
        EXPECT_EQ(row.layers, (std::vector{1, 2}));
        EXPECT_EQ(row.mean.tvd, 0.0);
        EXPECT_EQ(row.mean.overlap, 1.0);
        EXPECT_NEAR(row.mean.nmi, 1.0, 1e-15);
        EXPECT_EQ(row.mean.q, row.mean.qBase);
        EXPECT_TRUE(std::isnan(row.mean.kl));
        EXPECT_TRUE(std::isnan(row.values[0].drift));
    }
}

TEST(Retention, OfAModelThatLeftAnExpertIsAsCountedByHand) {
    const auto rows = retention(smallFrame(0), smallFrame(7), wholeGraph());
    const RetentionRow& math = rows[0];
    EXPECT_EQ(math.step, 7);
    // Layer 1: base {0,1} {0,1} {2,3}, tuned {0,3} {0,3} {2,3}.
    // Shares of the six slots: 2 2 1 1 against 2 0 1 3.
    EXPECT_NEAR(math.values[0].tvd, 2.0 / 6, 1e-15);
    EXPECT_NEAR(math.values[0].overlap, (0.5 + 0.5 + 1) / 3, 1e-15);
    // Base graph: weights 2/3 on 0-1 and 1/3 on 2-3, cut into both: 1 - (2/3)^2 - (1/3)^2.
    EXPECT_NEAR(math.values[0].qBase, 4.0 / 9, 1e-15);
    // Tuned graph: a path 0-3-2; no cut of it beats 0, the whole path, with expert 1 apart.
    EXPECT_NEAR(math.values[0].q, 0.0, 1e-15);
    // {0,1}{2,3} against {0,2,3}{1}: I = 2 ln 2 - H(1/2, 1/4, 1/4) + H(1/4) - ln 2.
    const double quarter = -(0.25 * std::log(0.25) + 0.75 * std::log(0.75));
    const double both = 1.5 * std::log(2.0);
    const double information = std::log(2.0) + quarter - both;
    EXPECT_NEAR(math.values[0].nmi, 2 * information / (std::log(2.0) + quarter), 1e-12);
    // Layer 2 did not change; the mean is unweighted.
    EXPECT_EQ(math.values[1].tvd, 0.0);
    EXPECT_NEAR(math.mean.tvd, 1.0 / 6, 1e-15);
    // Pooled overlap of layer 1: 2 tokens at a half, 3 whole.
    EXPECT_NEAR(rows[2].values[0].overlap, 4.0 / 5, 1e-15);
}

TEST(Retention, ADomainWithoutTokensHasNoDataRatherThanNought) {
    RoutingFrame base = smallFrame(0);
    base.domains[1] = smallDomain("chat", base, {});
    const auto rows = retention(base, base, wholeGraph());
    for (const double value : {rows[1].mean.tvd, rows[1].mean.jsd, rows[1].mean.overlap,
             rows[1].mean.nmi, rows[1].mean.q, rows[1].mean.qBase})
        EXPECT_TRUE(std::isnan(value));
    EXPECT_EQ(rows[2].mean.overlap, 1.0);
}

TEST(Retention, ADomainThatIsCalledPooledIsNotTakenForThePool) {
    RoutingFrame base = smallFrame(0);
    base.domains[0].name = "pooled";
    const auto rows = retention(base, smallFrame(0), wholeGraph());
    ASSERT_EQ(rows.size(), 2u); // math has no partner; chat and the pool
    EXPECT_EQ(rows[1].values[0].overlap, 1.0);
    EXPECT_NEAR(rows[1].values[0].tvd, 0.0, 1e-15);
}

TEST(Retention, AFrameWithoutDomainsHasNoRows) {
    RoutingFrame empty = smallFrame(0);
    empty.domains.clear();
    EXPECT_TRUE(retention(empty, smallFrame(0), wholeGraph()).empty());
    EXPECT_TRUE(partitionFrame(empty, wholeGraph()).partition_L.empty());
}

TEST(MeanOverLayers, LeavesOutLayersWithoutData) {
    RetentionValues one, two;
    one.nmi = 0.5;
    two.nmi = std::nan("");
    EXPECT_EQ(meanOverLayers(std::vector{one, two}).nmi, 0.5);
    EXPECT_TRUE(std::isnan(meanOverLayers(std::vector{two}).nmi));
}

} // namespace
} // namespace mooring
