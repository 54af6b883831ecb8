// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

namespace mooring::kernels::tests {

namespace {

template <typename T>
class MoeForward : public testing::Test { };
using Types = testing::Types<float, bfloat16>;
TYPED_TEST_SUITE(MoeForward, Types);

TYPED_TEST(MoeForward, AgreesWithTheReferenceOnEveryInstructionSetAndShape) {
    for (const MoeShape& s : kShapes) {
        const MoeCase<TypeParam> c = randomCase<TypeParam>(s);
        const MoeResult<double> expected = truth(c);
        onEveryIsa([&](cpu::Isa) {
            const MoeResult<TypeParam> actual = run(c);
            EXPECT_LE(relativeError(actual.y, expected.y), kTolerance<TypeParam>)
                << s.D << " x " << s.I;
            EXPECT_LE(relativeError(actual.saved, expected.saved), kTolerance<TypeParam>);
        });
    }
}

TYPED_TEST(MoeForward, NeedsNoMemoryForBackward) {
    const MoeCase<TypeParam> c = randomCase<TypeParam>({50, 7, 5, 4, 2});
    onEveryIsa([&](cpu::Isa) {
        std::vector<TypeParam> y = dirty<TypeParam>(c.x.size());
        moeForward<TypeParam>(c.shape, c.order, c.x.data(), c.gateUp.data(), c.down.data(),
            c.weights.data(), y.data(), nullptr, serial);
        EXPECT_TRUE(sameBits(y, run(c).y));
    });
}

TYPED_TEST(MoeForward, SaturatedGatesStayFinite) {
    MoeCase<TypeParam> c = randomCase<TypeParam>({20, 16, 16, 2, 1});
    c.gateUp = randoms<TypeParam>(c.gateUp.size(), 300, 2);
    const MoeResult<double> expected = truth(c);
    onEveryIsa([&](cpu::Isa) {
        const MoeResult<TypeParam> actual = run(c);
        EXPECT_LE(relativeError(actual.y, expected.y), kTolerance<TypeParam>);
        EXPECT_LE(relativeError(actual.dx, expected.dx), kTolerance<TypeParam>);
    });
}

TYPED_TEST(MoeForward, ANonFiniteTokenShowsInItsOwnRowOnly) {
    for (const std::int64_t D : {16, 17}) {
        MoeCase<TypeParam> c = randomCase<TypeParam>({20, D, 5, 2, 1});
        const double nan = std::numeric_limits<double>::quiet_NaN();
        c.x[7 * D] = reference::fromDouble<TypeParam>(nan);
        onEveryIsa([&](cpu::Isa) {
            const std::vector<double> y = widened(run(c).y);
            for (std::int64_t i = 0; i < 20 * D; ++i) {
                EXPECT_EQ(std::isnan(y[i]), i / D == 7) << i;
            }
        });
    }
}

TEST(MoeForwardByHand, OneExpertOfOneUnitByHand) {
    // x = 2, gate 0.5 and up 3: silu(1) = 1 / (1 + e^-1) = 0.7310585786, times 6, times down -2,
    // times the weight 0.5.
    const std::vector<float> x = {2}, gateUp = {0.5F, 3}, down = {-2}, weights = {0.5F};
    const MoeShape shape = {1, 1, 1, 1, 1};
    const std::int32_t topk[] = {0};
    std::vector<float> y(1), saved(2);
    onEveryIsa([&](cpu::Isa) {
        moeForward<float>(shape, sortByExpert(topk, shape), x.data(), gateUp.data(), down.data(),
            weights.data(), y.data(), saved.data(), serial);
        EXPECT_FLOAT_EQ(saved[0], 1);
        EXPECT_FLOAT_EQ(saved[1], 6);
        EXPECT_NEAR(y[0], -0.7310585786 * 6, 1e-6);
    });
}

TEST(MoeForwardByHand, NothingHappensWithoutTokensOrSlots) {
    for (const MoeShape& shape : {MoeShape{0, 4, 3, 2, 1}, MoeShape{2, 4, 3, 2, 0}}) {
        const ExpertOrder order = sortByExpert(nullptr, shape);
        EXPECT_EQ(order.offsets, (std::vector<std::int64_t>{0, 0, 0}));
        std::vector<float> y(8, 7), x(8, 1), gateUp(48, 1), down(24, 1), gradients(48, 7);
        moeForward<float>(
            shape, order, x.data(), gateUp.data(), down.data(), nullptr, y.data(), nullptr, serial);
        moeBackward<float>(shape, order, x.data(), gateUp.data(), down.data(), nullptr, nullptr,
            x.data(), y.data(), nullptr, gradients.data(), gradients.data(), serial);
        EXPECT_EQ(y, std::vector<float>(8, 7));
        EXPECT_EQ(gradients, std::vector<float>(48, 7));
    }
}

} // namespace

} // namespace mooring::kernels::tests
