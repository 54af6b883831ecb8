// SPDX-License-Identifier: GPL-3.0-or-later
// The order of rows, and that no order of tasks shows in a result.
#include "support.h"

namespace mooring::kernels::tests {

namespace {

template <typename T>
void expectSameBits(const MoeResult<T>& a, const MoeResult<T>& b) {
    EXPECT_TRUE(sameBits(a.y, b.y));
    EXPECT_TRUE(sameBits(a.saved, b.saved));
    EXPECT_TRUE(sameBits(a.dx, b.dx));
    EXPECT_TRUE(sameBits(a.dWeights, b.dWeights));
    EXPECT_TRUE(sameBits(a.dGateUp, b.dGateUp));
    EXPECT_TRUE(sameBits(a.dDown, b.dDown));
}

template <typename T>
class MoeBits : public testing::Test { };
using Types = testing::Types<float, bfloat16>;
TYPED_TEST_SUITE(MoeBits, Types);

TYPED_TEST(MoeBits, AreTheSameTwiceOnTwoThreadsAndInAnyOrderOfTasks) {
    for (const MoeShape& s : {MoeShape{37, 128, 24, 8, 3}, MoeShape{700, 41, 19, 4, 2}}) {
        const MoeCase<TypeParam> c = randomCase<TypeParam>(s);
        onEveryIsa([&](cpu::Isa) {
            const MoeResult<TypeParam> once = run(c);
            expectSameBits(run(c), once);
            expectSameBits(run(c, twoThreads), once);
            expectSameBits(run(c, backwards), once);
        });
    }
}

TYPED_TEST(MoeBits, DoNotDependOnWhatAnEarlierCallLeftInScratchMemory) {
    MoeCase<TypeParam> poison = randomCase<TypeParam>({700, 131, 71, 2, 2});
    poison.x = dirty<TypeParam>(poison.x.size());
    for (const MoeShape& s : kShapes) {
        const MoeCase<TypeParam> c = randomCase<TypeParam>(s);
        onEveryIsa([&](cpu::Isa) {
            const MoeResult<TypeParam> before = run(c);
            run(poison);
            expectSameBits(run(c), before);
        });
    }
}

TYPED_TEST(MoeBits, OfATokenDoNotDependOnTheOtherTokens) {
    const MoeShape whole = {300, 20, 9, 2, 1};
    const MoeCase<TypeParam> c = withRouting<TypeParam>(whole, std::vector<std::int32_t>(300, 1));
    MoeShape part = whole;
    part.T = 5;
    onEveryIsa([&](cpu::Isa) {
        const MoeResult<TypeParam> all = run(c);
        MoeResult<TypeParam> few(part);
        moeForward<TypeParam>(part, sortByExpert(c.topk.data(), part), c.x.data(), c.gateUp.data(),
            c.down.data(), c.weights.data(), few.y.data(), few.saved.data(), serial);
        EXPECT_EQ(std::memcmp(few.y.data(), all.y.data(), few.y.size() * sizeof(TypeParam)), 0);
    });
}

TEST(SortByExpert, IsStableByTokenAndKeepsEmptyExperts) {
    const std::int32_t topk[] = {2, 0, /**/ 0, 3, /**/ 2, 3};
    const MoeShape shape = {3, 1, 1, 5, 2};
    for (const ExpertOrder& order :
        {sortByExpert(topk, shape), reference::sortByExpert(topk, shape)}) {
        EXPECT_EQ(order.offsets, (std::vector<std::int64_t>{0, 2, 2, 4, 6, 6}));
        EXPECT_EQ(order.pair, (std::vector<std::int32_t>{1, 2, 0, 4, 3, 5}));
    }
}

TEST(SortByExpert, AgreesWithTheReferenceOnRandomRouting) {
    const MoeShape shape = {500, 1, 1, 70, 6};
    const std::vector<std::int32_t> topk = randomTopk(shape);
    const ExpertOrder expected = reference::sortByExpert(topk.data(), shape);
    const ExpertOrder actual = sortByExpert(topk.data(), shape);
    EXPECT_EQ(actual.offsets, expected.offsets);
    EXPECT_EQ(actual.pair, expected.pair);
}

} // namespace

} // namespace mooring::kernels::tests
