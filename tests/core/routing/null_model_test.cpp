// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/mean_and_sd.h"
#include "core/routing/communities/null_model.h"
#include <cmath>
#include <gtest/gtest.h>

namespace mooring {
namespace {

constexpr int kDraws = 4000;

// Four experts; totals 9, 7, 6, 6 of 28 (each pair from both sides).
const std::vector<std::int32_t> kCounts = {0, 5, 3, 1, 5, 0, 0, 2, 3, 0, 0, 3, 1, 2, 3, 0};
constexpr double kTotal[] = {9, 7, 6, 6};

TEST(NullModel, DrawsPairsInProportionToTheProductOfTheirTotals) {
    // s_i s_j S / (S^2 - sum s^2) with S = 28 and sum s^2 = 202.
    const double scale = 28.0 / (28.0 * 28.0 - 202.0);
    SplitMix64 random = nullStream(0);
    std::vector<double> sum(16, 0);
    for (int draw = 0; draw < kDraws; ++draw) {
        const auto drawn = drawNullCounts(kCounts, 4, random);
        for (int i = 0; i < 4; ++i) {
            ASSERT_EQ(drawn[i * 4 + i], 0);
            for (int j = 0; j < 4; ++j) {
                ASSERT_EQ(drawn[i * 4 + j], drawn[j * 4 + i]);
                sum[i * 4 + j] += drawn[i * 4 + j];
            }
        }
    }
    double all = 0;
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j) {
            const double expected = kTotal[i] * kTotal[j] * scale;
            all += expected;
            // The mean of n Poisson draws has variance expected / n: five of its deviations.
            EXPECT_NEAR(sum[i * 4 + j] / kDraws, expected, 5 * std::sqrt(expected / kDraws))
                << i << " " << j;
        }
    EXPECT_NEAR(all, 14, 1e-12); // the total of all pairs is that of the real graph
}

TEST(NullModel, LargeExpectationsHaveThePoissonMeanAndVariance) {
    // Two experts that met 400 times: the only pair expects 400.
    const std::vector<std::int32_t> counts = {0, 400, 400, 0};
    SplitMix64 random = nullStream(3);
    std::vector<double> drawn;
    for (int draw = 0; draw < kDraws; ++draw)
        drawn.push_back(drawNullCounts(counts, 2, random)[1]);
    const auto [mean, sd] = meanAndSd(drawn);
    EXPECT_NEAR(mean, 400, 5 * 20 / std::sqrt(kDraws));
    EXPECT_NEAR(sd, 20, 1.5);
}

TEST(NullModel, DirectedDrawsKeepOutAndInApartAndTheDiagonalOutOfThem) {
    // Without the diagonal: out 6, 1, 3; in 2, 4, 4; all 10; expected pairs 10 out in / (100 - 28).
    const std::vector<std::int32_t> counts = {50, 3, 3, 0, 9, 1, 2, 1, 7};
    const double out[] = {6, 1, 3}, in[] = {2, 4, 4};
    SplitMix64 random = nullStream(1);
    std::vector<double> sum(9, 0);
    for (int draw = 0; draw < kDraws; ++draw) {
        const auto drawn = drawNullTransitions(counts, 3, false, random);
        for (int i = 0; i < 9; ++i)
            sum[i] += drawn[i];
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const double expected = i == j ? 0 : 10 * out[i] * in[j] / (100 - (12 + 4 + 12));
            EXPECT_NEAR(sum[i * 3 + j] / kDraws, expected, 5 * std::sqrt(expected / kDraws));
        }
}

TEST(NullModel, TwoCliquesStandOutOfItAndTheirPartitionIsNotFoundByChance) {
    // Experts 0-3 and 4-7 meet 90 times inside, 10 times across.
    std::vector<std::int32_t> counts(64, 0);
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
            if (i != j)
                counts[i * 8 + j] = i / 4 == j / 4 ? 90 : 10;
    const std::vector<int> halves = {0, 0, 0, 0, 1, 1, 1, 1};
    // 12 of 28 pairs are kept: of the real graph those inside, and Q = 1 - 2 (1/2)^2.
    const auto null = nullFigures(counts, 8, halves, {.rho = 0.43}, 100, 0, neverCancel);
    ASSERT_TRUE(null);
    EXPECT_LT(null->q + 3 * null->qSd, 0.5);
    EXPECT_GT(null->qSd, 0);
    EXPECT_LT(null->nmi, 0.5);
}

TEST(NullModel, GivesTheSameNumbersEachTimeAndNoneWhenCanceled) {
    const std::vector<int> each = {0, 1, 2, 3};
    const auto once = nullFigures(kCounts, 4, each, {.rho = 1.0}, 10, 5, neverCancel);
    const auto twice = nullFigures(kCounts, 4, each, {.rho = 1.0}, 10, 5, neverCancel);
    EXPECT_EQ(once->q, twice->q);
    EXPECT_EQ(once->nmi, twice->nmi);
    EXPECT_FALSE(nullFigures(kCounts, 4, each, {.rho = 1.0}, 10, 5, [] { return true; }));
}

} // namespace
} // namespace mooring
