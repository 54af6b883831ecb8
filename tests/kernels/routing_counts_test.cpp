// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/routing_counts.h"

#include "kernels/reference/routing_counts.h"
#include "support.h"

namespace mooring::kernels::tests {

namespace {

TEST(CountTopk, AddsToWhatIsThere) {
    const std::int32_t topk[] = {0, 2, /**/ 2, 3};
    std::vector<std::int64_t> counts = {10, 20, 30, 40};
    countTopk(topk, 2, 2, 4, counts.data());
    EXPECT_EQ(counts, (std::vector<std::int64_t>{11, 20, 32, 41}));
}

TEST(OverlapTopk, ReadsEachRowAsASet) {
    const std::int32_t a[] = {0, 1, 2, /**/ 5, 6, 7, /**/ 3, 3, 1};
    const std::int32_t b[] = {2, 0, 9, /**/ 1, 2, 3, /**/ 3, 3, 3};
    EXPECT_EQ(overlapTopk(a, b, 3, 3, 10), 2 + 0 + 1);
    EXPECT_EQ(reference::overlapTopk(a, b, 3, 3, 10), 2 + 0 + 1);
}

TEST(OverlapTopk, OfEqualChoicesIsEverySlot) {
    const MoeShape shape = {100, 1, 1, 130, 8};
    const std::vector<std::int32_t> topk = randomTopk(shape);
    EXPECT_EQ(overlapTopk(topk.data(), topk.data(), 100, 8, 130), 800);
}

TEST(RoutingCounts, AgreeWithTheReferenceForManyExperts) {
    for (const std::int64_t E : {8, 63, 64, 65, 512}) {
        const MoeShape shape = {200, 1, 1, E, 6};
        const std::vector<std::int32_t> a = randomTopk(shape);
        std::vector<std::int32_t> b = a;
        std::rotate(b.begin(), b.begin() + 6, b.end());
        EXPECT_EQ(overlapTopk(a.data(), b.data(), 200, 6, E),
            reference::overlapTopk(a.data(), b.data(), 200, 6, E));
        std::vector<std::int64_t> counts(E, 3);
        std::vector<std::int64_t> expected(E, 3);
        countTopk(a.data(), 200, 6, E, counts.data());
        reference::countTopk(a.data(), 200, 6, E, expected.data());
        EXPECT_EQ(counts, expected);
    }
}

TEST(RoutingCounts, NoTokensCountNothing) {
    std::vector<std::int64_t> counts = {1, 2};
    countTopk(nullptr, 0, 2, 2, counts.data());
    EXPECT_EQ(counts, (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(overlapTopk(nullptr, nullptr, 0, 2, 2), 0);
}

} // namespace

} // namespace mooring::kernels::tests
