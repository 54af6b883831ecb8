// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/routing_findings.h"
#include "tests/core/routing/frames.h"
#include <gtest/gtest.h>

namespace mooring {
namespace {

constexpr CommunityRequest kInside{0.43, 1.0, 0}; // the 12 pairs inside the two groups

// Eight experts in two groups of four, top-2; every token stays in one group, and both halves of
// the tokens say so.
FramePtr twoGroups(std::int64_t step) {
    RoutingFrame frame;
    frame.step = step;
    frame.layers = {1};
    frame.experts = 8;
    frame.topK = 2;
    std::vector<std::int16_t> ids;
    for (int t = 0; t < 240; ++t) {
        const int group = t / 2 % 2 * 4;
        ids.push_back(static_cast<std::int16_t>(group + t / 4 % 4));
        ids.push_back(static_cast<std::int16_t>(group + (t / 4 + 1 + t / 16 % 3) % 4));
    }
    frame.domains.push_back(smallDomain("two groups", frame, ids));
    return std::make_shared<const RoutingFrame>(frame);
}

std::vector<CommunitiesPtr> told(
    const FramePtr& base, const FramePtr& tuned, const CancelRequested& cancel = neverCancel) {
    std::vector<CommunitiesPtr> stages;
    RoutingFindings().find(base, tuned, kInside, cancel,
        [&](CommunitiesPtr set) { stages.push_back(std::move(set)); });
    return stages;
}

TEST(RoutingFindings, ComeQuickOnesFirstAndEachTimeWithMore) {
    const auto stages = told(twoGroups(0), twoGroups(7));
    ASSERT_EQ(stages.size(), 4U);
    EXPECT_EQ(stages[0]->step, 7);
    EXPECT_FALSE(stages[0]->transitions);
    ASSERT_TRUE(stages[1]->transitions);
    EXPECT_EQ(stages[1]->nullGraphs, 0);
    EXPECT_GT(stages[2]->nullGraphs, 0);
    EXPECT_TRUE(stages[2]->transitions->tokens.baseRows.empty());
    EXPECT_FALSE(stages[3]->transitions->tokens.baseRows.empty());
    EXPECT_EQ(stages[3]->nullGraphs, stages[2]->nullGraphs);
}

TEST(RoutingFindings, OfGroupsThatEveryTokenKeepsAreTheGroups) {
    const auto stages = told(twoGroups(0), twoGroups(7));
    ASSERT_FALSE(stages.empty());
    const LayerCommunities& layer = stages.back()->layers[0];
    EXPECT_EQ(layer.base.communities, 2);
    EXPECT_EQ(layer.base.community_E, layer.tuned.community_E);
    EXPECT_DOUBLE_EQ(*layer.nmi, 1.0);
    EXPECT_DOUBLE_EQ(layer.validity.ceiling, 1.0); // both halves of the tokens agree
    EXPECT_DOUBLE_EQ(layer.validity.nmiSpread, 0.0);
    // Two communities without an edge between them: Q = 1/2 (Newman 2006, eq. 1).
    EXPECT_DOUBLE_EQ(layer.base.modularity, 0.5);
    EXPECT_LT(layer.validity.nullQ, 0.4); // graphs drawn without the groups
}

TEST(RoutingFindings, OfTheBaseAloneHaveNoTunedSide) {
    const auto stages = told(twoGroups(0), nullptr);
    ASSERT_FALSE(stages.empty());
    EXPECT_EQ(stages.back()->step, 0);
    EXPECT_TRUE(stages.back()->layers[0].tuned.community_E.empty());
    EXPECT_FALSE(stages.back()->layers[0].nmi);
}

TEST(RoutingFindings, ThatAreCanceledGiveWhatWasFoundBefore) {
    EXPECT_TRUE(told(twoGroups(0), twoGroups(7), [] { return true; }).empty());
    int asked = 0;
    const auto some = told(twoGroups(0), twoGroups(7), [&] { return ++asked > 2; });
    ASSERT_FALSE(some.empty());
    EXPECT_LT(some.size(), 4U);
    EXPECT_EQ(some[0]->layers[0].base.communities, 2);
}

TEST(RoutingFindings, OfFramesWithoutCoactivationAreNone) {
    RoutingFrame frame = *twoGroups(0);
    frame.domains[0].coactivation_LEE.clear();
    EXPECT_TRUE(told(std::make_shared<const RoutingFrame>(frame), nullptr).empty());
    EXPECT_TRUE(told(nullptr, nullptr).empty());
}

} // namespace
} // namespace mooring
