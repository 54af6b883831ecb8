// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/communities/rho_graph.h"
#include "core/routing/scope.h"
#include "core/view/distances.h"
#include "tests/core/routing/frames.h"
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

using testing::HasSubstr;

// One layer, four experts, top-1; two domains of four tokens.
RoutingFrame twoDomains() {
    RoutingFrame frame;
    frame.layers = {1};
    frame.experts = 4;
    frame.topK = 1;
    frame.domains.push_back(smallDomain("math", frame, {0, 0, 0, 1}));
    frame.domains.push_back(smallDomain("code", frame, {2, 0, 2, 1}));
    frame.domains[0].probMean_LE = {0.5f, 0.25f, 0.25f, 0.0f};
    frame.domains[1].probMean_LE = {0.25f, 0.25f, 0.25f, 0.25f};
    return frame;
}

TEST(Scope, SharpnessIsTheDistanceFromUniformAndDivergenceThatOfTwoDomains) {
    const auto scope = scopeFigures(twoDomains());
    EXPECT_NEAR(scope.domains[0].sharpnessSoftmax, 0.5, 1e-15); // .25 + 0 + 0 + .25
    EXPECT_NEAR(scope.domains[1].sharpnessSoftmax, 0, 1e-15);
    EXPECT_NEAR(scope.sharpness, 0.25, 1e-15);
    EXPECT_NEAR(scope.divergence, 0.5, 1e-15);
    // Top-1 shares (3/4, 1/4, 0, 0) and (1/4, 1/4, 1/2, 0).
    EXPECT_NEAR(scope.domains[0].sharpnessTopk, 1.0, 1e-15);
    EXPECT_NEAR(scope.domains[1].sharpnessTopk, 0.5, 1e-15);
    EXPECT_NEAR(scope.pairs[0].topk, 1.0, 1e-15);
}

TEST(Scope, TheEffectiveFractionIsTheExponentialOfTheEntropyOverTheExperts) {
    const auto scope = scopeFigures(twoDomains());
    // H(1/2, 1/4, 1/4) = 3/2 log 2, so exp(H) = 2^1.5.
    EXPECT_NEAR(scope.domains[0].effectiveFraction, std::pow(2.0, 1.5) / 4, 1e-12);
    EXPECT_NEAR(scope.domains[1].effectiveFraction, 1, 1e-12);
}

TEST(Scope, CosinesCompareTheSpansOfTwoDomains) {
    // smallDomain: even tokens Q, odd ones A. Q: (2,0,0,0) and (0,0,2,0); A: (1,1,0,0) twice.
    const auto pair = scopeFigures(twoDomains()).pairs[0];
    EXPECT_NEAR(pair.cosineQ, 0, 1e-15);
    EXPECT_NEAR(pair.cosineA, 1, 1e-15);
}

TEST(Scope, ASpanWithoutTokensHasNoCosine) {
    auto frame = twoDomains();
    frame.domains[1].span_T = {0, 0, 0, 0};
    EXPECT_TRUE(std::isnan(scopeFigures(frame).pairs[0].cosineA));
}

ValidityValues validityOf(double margin, double ceiling, double nullNmi, double nullNmiSd) {
    ValidityValues v;
    v.margin = margin;
    v.nullSd = 1;
    v.ceiling = ceiling;
    v.nullNmi = nullNmi;
    v.nullNmiSd = nullNmiSd;
    return v;
}

TEST(Verdict, NmiTellsSomethingWhereCommunitiesAndTheirCeilingStandOutOfChance) {
    EXPECT_TRUE(nmiInformative(validityOf(3.1, 0.8, 0.4, 0.1)));
    EXPECT_FALSE(nmiInformative(validityOf(2.9, 0.8, 0.4, 0.1))); // modularity is that of chance
    EXPECT_FALSE(nmiInformative(validityOf(9, 0.6, 0.4, 0.1))); // halves agree as with chance
    EXPECT_FALSE(nmiInformative(validityOf(9, std::nan(""), 0.4, 0.1))); // nothing to compare
}

TEST(Verdict, SaysWhichOfThePapersModelsTheRouterResembles) {
    ScopeFigures scope;
    scope.pairs.push_back({"a", "b", 0, 0, 0, 0});
    scope.sharpness = 0.54;
    scope.divergence = 0.37;
    EXPECT_THAT(scopeVerdict(scope, validityOf(9, 0.8, 0.2, 0.1)),
        HasSubstr("closer to Moonlight's (NMI informative"));
    scope.sharpness = 0.14;
    scope.divergence = 0.07;
    EXPECT_THAT(scopeVerdict(scope, validityOf(9, 0.8, 0.2, 0.1)), HasSubstr("closer to DeepSeek"));
    EXPECT_THAT(scopeVerdict(scope, validityOf(0, 0.8, 0.2, 0.1)), HasSubstr("is not informative"));
}

TEST(Lift, IsOneWhereTwoExpertsMeetAsOftenAsIndependentOnes) {
    EXPECT_DOUBLE_EQ(liftOf(0.2, 0.4, 0.5), 1);
    EXPECT_DOUBLE_EQ(liftOf(0.1, 0.4, 0.5), 0.5);
    EXPECT_TRUE(std::isnan(liftOf(0, 0, 0.5)));
}

TEST(Lift, GraphsPreferPairsOfRareExpertsThatBelongTogether) {
    // 0 and 1 are busy and meet most; 2 and 3 are rare and always together.
    const std::vector<std::int32_t> both = {0, 30, 4, 4, 30, 0, 1, 1, 4, 1, 0, 6, 4, 1, 6, 0};
    const std::vector<std::int64_t> counts = {80, 60, 6, 6};
    const auto byWeight = rhoGraph(both, 4, 100, 0.17); // one of six
    const auto byLift = liftGraph(both, counts, 4, 100, 0.17);
    ASSERT_EQ(byLift.size(), 1u);
    EXPECT_EQ(byWeight[0].first, 0);
    EXPECT_EQ(std::pair(byLift[0].first, byLift[0].second), std::pair(2, 3));
    EXPECT_DOUBLE_EQ(byLift[0].weight, 6.0 * 100 / 36);
}

} // namespace
} // namespace mooring
