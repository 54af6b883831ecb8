// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cross_entropy.h"

#include "kernels/reference/cross_entropy.h"
#include "support.h"

namespace mooring::kernels::tests {

namespace {

TEST(CrossEntropy, TwoEqualLogitsByHand) {
    onEveryIsa([](cpu::Isa) {
        std::vector<float> logits = {5, 5};
        const std::int64_t target = 1;
        const float weight = 0.5F;
        double loss = 7;
        crossEntropyRows(1, 2, logits.data(), &target, &weight, &loss, serial);
        EXPECT_NEAR(loss, 0.5 * std::log(2.0), 1e-7);
        EXPECT_FLOAT_EQ(logits[0], 0.25F);
        EXPECT_FLOAT_EQ(logits[1], -0.25F);
    });
}

TEST(CrossEntropy, AgreesWithTheReferenceForEveryWidth) {
    const std::int64_t rows = 6;
    const std::vector<float> weight = {0.1F, 0.2F, 0.05F, 0.3F, 0.15F, 0.2F};
    for (const std::int64_t V : {1, 2, 3, 15, 16, 17, 1000, 5003, 70001}) {
        const std::vector<float> logits = randoms<float>(rows * V, 4, 1);
        const std::vector<std::int64_t> target = {0, V - 1, V / 2, V / 3, 0, V / 5};
        std::vector<float> expected = logits;
        std::vector<double> expectedLoss(rows);
        reference::crossEntropyRows(
            rows, V, expected.data(), target.data(), weight.data(), expectedLoss.data(), serial);
        onEveryIsa([&](cpu::Isa) {
            for (const ParallelFor& parallelFor : {ParallelFor(serial), ParallelFor(twoThreads)}) {
                std::vector<float> actual = logits;
                std::vector<double> loss = dirty<double>(rows);
                crossEntropyRows(
                    rows, V, actual.data(), target.data(), weight.data(), loss.data(), parallelFor);
                EXPECT_LE(relativeError(actual, expected), 1e-5) << V;
                EXPECT_LE(relativeError(loss, expectedLoss), 1e-6) << V;
            }
        });
    }
}

TEST(CrossEntropy, ARowOfWeightZeroGivesZerosWhateverItHolds) {
    onEveryIsa([](cpu::Isa) {
        std::vector<float> logits = {NAN, INFINITY, 1, 2};
        const std::int64_t target[] = {0, 1};
        const float weight[] = {0, 1};
        std::vector<double> loss = dirty<double>(2);
        crossEntropyRows(2, 2, logits.data(), target, weight, loss.data(), serial);
        EXPECT_EQ(logits[0], 0);
        EXPECT_EQ(logits[1], 0);
        EXPECT_EQ(loss[0], 0);
        EXPECT_NEAR(loss[1], std::log1p(std::exp(-1.0)), 1e-6);
    });
}

TEST(CrossEntropy, ANonFiniteLogitMakesItsLossNonFinite) {
    for (const std::size_t position : {0, 20}) {
        for (const float bad : {NAN, INFINITY}) {
            onEveryIsa([&](cpu::Isa) {
                std::vector<float> logits(21, 1);
                logits[position] = bad;
                const std::int64_t target = 3;
                const float weight = 1;
                double loss = 0;
                crossEntropyRows(1, 21, logits.data(), &target, &weight, &loss, serial);
                EXPECT_FALSE(std::isfinite(loss));
            });
        }
    }
}

TEST(CrossEntropy, LargeLogitsDoNotOverflow) {
    onEveryIsa([](cpu::Isa) {
        std::vector<float> logits = {30000, 29990, -30000};
        const std::int64_t target = 1;
        const float weight = 1;
        double loss = 0;
        crossEntropyRows(1, 3, logits.data(), &target, &weight, &loss, serial);
        EXPECT_NEAR(loss, 10 + std::log1p(std::exp(-10.0)), 1e-6);
    });
}

} // namespace

} // namespace mooring::kernels::tests
