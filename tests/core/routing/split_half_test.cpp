// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/communities/seed_spread.h"
#include "core/routing/split_half.h"
#include "tests/core/routing/frames.h"
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

using testing::ElementsAre;

// Three texts of 2, 1 and 2 tokens; one layer, four experts, top-2.
RoutingFrame threeTexts() {
    RoutingFrame frame;
    frame.layers = {1};
    frame.experts = 4;
    frame.topK = 2;
    frame.domains.push_back(smallDomain("math", frame, {0, 1, 2, 3, 0, 2, 0, 1, 1, 3}));
    frame.domains[0].textOffsets = {0, 2, 3, 5};
    return frame;
}

TEST(SplitHalf, TakesEvenTextsIntoOneHalfAndOddOnesIntoTheOther) {
    const auto even = halfFrame(threeTexts(), 0).domains[0];
    const auto odd = halfFrame(threeTexts(), 1).domains[0];
    EXPECT_EQ(even.tokens, 4);
    EXPECT_THAT(even.topkIds_TLK, ElementsAre(0, 1, 2, 3, 0, 1, 1, 3));
    EXPECT_THAT(even.counts_LE, ElementsAre(2, 3, 1, 2));
    EXPECT_THAT(even.textOffsets, ElementsAre(0, 2, 4));
    EXPECT_THAT(even.span_T, ElementsAre(0, 1, 1, 0)); // of tokens 0, 1, 3, 4
    EXPECT_EQ(odd.tokens, 1);
    EXPECT_THAT(odd.topkIds_TLK, ElementsAre(0, 2));
}

TEST(SplitHalf, OfOneTextTakesEveryOtherToken) {
    auto frame = threeTexts();
    frame.domains[0].textOffsets = {0, 5};
    EXPECT_THAT(halfFrame(frame, 1).domains[0].topkIds_TLK, ElementsAre(2, 3, 0, 1));
}

std::vector<double> ceilingOf(const RoutingFrame& frame) {
    return *splitHalfNmi(halfFrame(frame, 0).domains[0], halfFrame(frame, 1).domains[0], 1,
        frame.experts, {.rho = 1.0}, neverCancel);
}

TEST(SplitHalf, HalvesThatDivideAlikeAgreeFullyAndOthersNotAtAll) {
    // Both halves: pairs {0,1} and {2,3} only, so two communities of two.
    RoutingFrame frame = threeTexts();
    frame.domains[0] = smallDomain("math", frame, {0, 1, 2, 3, 0, 1, 2, 3});
    frame.domains[0].textOffsets = {0, 2, 4};
    EXPECT_DOUBLE_EQ(ceilingOf(frame)[0], 1);
    // The second text holds {0,2} and {1,3}: each community of one half is split evenly by the
    // other, no information.
    frame.domains[0] = smallDomain("math", frame, {0, 1, 2, 3, 0, 2, 1, 3});
    frame.domains[0].textOffsets = {0, 2, 4};
    EXPECT_NEAR(ceilingOf(frame)[0], 0, 1e-12);
}

TEST(SplitHalf, AHalfWithoutTokensIsNoData) {
    auto frame = threeTexts();
    frame.domains[0].textOffsets = {0, 5, 5};
    EXPECT_TRUE(std::isnan(ceilingOf(frame)[0]));
}

TEST(SeedSpread, AgreementIsTheMeanOverAllPairsOfSeeds) {
    const Labels twos = {0, 0, 1, 1}, crossed = {0, 1, 0, 1};
    // NMI of equal ones 1, of crossed ones 0: of three pairs one agrees.
    EXPECT_NEAR(meanPairwiseNmi(std::vector<Labels>{twos, twos, crossed}), 1.0 / 3, 1e-12);
    EXPECT_DOUBLE_EQ(meanPairwiseNmi(std::vector<Labels>{twos, twos}), 1);
    EXPECT_TRUE(std::isnan(meanPairwiseNmi(std::vector<Labels>{twos})));
}

TEST(SeedSpread, IsTheSampleDeviationOfNmiOverSeeds) {
    const Labels twos = {0, 0, 1, 1}, crossed = {0, 1, 0, 1};
    // NMI 1 and 0: mean 1/2, sample deviation sqrt(2 / 4).
    EXPECT_NEAR(nmiSpread(std::vector<Labels>{twos, twos}, std::vector<Labels>{twos, crossed}),
        std::sqrt(0.5), 1e-12);
}

} // namespace
} // namespace mooring
