// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

namespace mooring::kernels::tests {

namespace {

template <typename T>
class MoeBackward : public testing::Test { };
using Types = testing::Types<float, bfloat16>;
TYPED_TEST_SUITE(MoeBackward, Types);

template <typename T>
void expectClose(const MoeResult<T>& actual, const MoeResult<double>& expected) {
    EXPECT_LE(relativeError(actual.dx, expected.dx), kTolerance<T>);
    EXPECT_LE(relativeError(actual.dWeights, expected.dWeights), kTolerance<T>);
    EXPECT_LE(relativeError(actual.dGateUp, expected.dGateUp), kTolerance<T>);
    EXPECT_LE(relativeError(actual.dDown, expected.dDown), kTolerance<T>);
}

TYPED_TEST(MoeBackward, AgreesWithTheReferenceOnEveryInstructionSetAndShape) {
    for (const MoeShape& s : kShapes) {
        SCOPED_TRACE(testing::Message() << s.T << ' ' << s.D << ' ' << s.I);
        const MoeCase<TypeParam> c = randomCase<TypeParam>(s);
        const MoeResult<double> expected = truth(c);
        onEveryIsa([&](cpu::Isa) { expectClose(run(c), expected); });
    }
}

TYPED_TEST(MoeBackward, OneExpertMayHaveAllTokens) {
    const MoeShape shape = {600, 33, 20, 3, 1};
    const MoeCase<TypeParam> c = withRouting<TypeParam>(shape, std::vector<std::int32_t>(600, 1));
    const MoeResult<double> expected = truth(c);
    onEveryIsa([&](cpu::Isa) {
        const MoeResult<TypeParam> actual = run(c);
        EXPECT_LE(relativeError(actual.y, expected.y), kTolerance<TypeParam>);
        expectClose(actual, expected);
    });
}

TYPED_TEST(MoeBackward, AnExpertWithoutTokensKeepsItsGradientEvenIfItIsDirty) {
    const MoeShape shape = {30, 19, 6, 4, 2};
    const MoeCase<TypeParam> c = withRouting<TypeParam>(shape, randomTopk(shape, 1));
    onEveryIsa([&](cpu::Isa) {
        MoeResult<TypeParam> r = run(c);
        std::vector<float> dGateUp = dirty<float>(r.dGateUp.size());
        std::vector<float> dDown = dirty<float>(r.dDown.size());
        std::fill(dGateUp.begin() + 2 * 6 * 19, dGateUp.end(), 0.25F);
        std::fill(dDown.begin() + 19 * 6, dDown.end(), 0.25F);
        const std::vector<float> dGateUpBefore = dGateUp;
        moeBackward<TypeParam>(shape, c.order, c.x.data(), c.gateUp.data(), c.down.data(),
            c.weights.data(), r.saved.data(), c.dy.data(), r.dx.data(), r.dWeights.data(),
            dGateUp.data(), dDown.data(), serial);
        EXPECT_EQ(std::memcmp(dGateUp.data(), dGateUpBefore.data(), 2 * 6 * 19 * sizeof(float)), 0);
        EXPECT_TRUE(std::equal(
            dGateUp.begin() + 2 * 6 * 19, dGateUp.end(), r.dGateUp.begin() + 2 * 6 * 19));
        EXPECT_TRUE(std::equal(dDown.begin() + 19 * 6, dDown.end(), r.dDown.begin() + 19 * 6));
    });
}

TYPED_TEST(MoeBackward, TheWeightGradientsAccumulate) {
    const MoeCase<TypeParam> c = randomCase<TypeParam>({50, 7, 5, 4, 2});
    const MoeResult<double> once = truth(c);
    onEveryIsa([&](cpu::Isa) {
        MoeResult<TypeParam> r = run(c);
        moeBackward<TypeParam>(c.shape, c.order, c.x.data(), c.gateUp.data(), c.down.data(),
            c.weights.data(), r.saved.data(), c.dy.data(), r.dx.data(), r.dWeights.data(),
            r.dGateUp.data(), r.dDown.data(), serial);
        std::vector<double> twice = widened(once.dDown);
        for (double& value : twice) {
            value = 0.25 + 2 * (value - 0.25);
        }
        EXPECT_LE(relativeError(r.dDown, twice), kTolerance<TypeParam>);
    });
}

TYPED_TEST(MoeBackward, EveryUnwantedGradientMayBeLeftOut) {
    for (const MoeShape& shape : {MoeShape{50, 7, 5, 4, 2}, MoeShape{700, 20, 9, 2, 1}}) {
        const MoeCase<TypeParam> c = randomCase<TypeParam>(shape);
        onEveryIsa([&](cpu::Isa) {
            const MoeResult<TypeParam> all = run(c);
            for (int wanted = 0; wanted < 8; ++wanted) {
                MoeResult<TypeParam> r(shape);
                moeBackward<TypeParam>(shape, c.order, c.x.data(), c.gateUp.data(), c.down.data(),
                    c.weights.data(), all.saved.data(), c.dy.data(),
                    (wanted & 1) != 0 ? r.dx.data() : nullptr, r.dWeights.data(),
                    (wanted & 2) != 0 ? r.dGateUp.data() : nullptr,
                    (wanted & 4) != 0 ? r.dDown.data() : nullptr, serial);
                const MoeResult<TypeParam> none(shape);
                EXPECT_TRUE(sameBits(r.dWeights, all.dWeights)) << wanted;
                EXPECT_TRUE(sameBits(r.dx, (wanted & 1) != 0 ? all.dx : none.dx)) << wanted;
                EXPECT_TRUE(sameBits(r.dGateUp, (wanted & 2) != 0 ? all.dGateUp : none.dGateUp));
                EXPECT_TRUE(sameBits(r.dDown, (wanted & 4) != 0 ? all.dDown : none.dDown));
            }
        });
    }
}

} // namespace

} // namespace mooring::kernels::tests
