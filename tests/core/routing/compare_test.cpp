// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/compare.h"
#include "core/routing/frame_file.h"
#include "tests/core/routing/frames.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

using testing::HasSubstr;

TEST(CompareFrames, GivesTheRetentionOfTheTwoFiles) {
    const TemporaryFolder folder("compare");
    ASSERT_TRUE(writeFrame(folder / "a", smallFrame(0), true).ok());
    ASSERT_TRUE(writeFrame(folder / "b", smallFrame(7), false).ok());
    const auto found = compareFrames(folder / "a", folder / "b", {.rho = 1.0});
    ASSERT_TRUE(found.ok()) << found.error().message();
    ASSERT_EQ(found->retention.size(), 3u);
    EXPECT_NEAR(found->retention[0].values[0].tvd, 2.0 / 6, 1e-15);
    EXPECT_EQ(found->retention[2].domain, "pooled");
    ASSERT_EQ(found->validity.size(), 3u);
    EXPECT_EQ(found->validity[0].values[0].nmi, found->retention[0].values[0].nmi);
    ASSERT_EQ(found->transitions.size(), 6u); // three a kind
    EXPECT_EQ(found->transitions[5].kind, TransitionKind::Layers);
}

TEST(CheckSameGraphs, RejectsNmiAtDifferentRhoOrResolutionButNotAtAnotherSeed) {
    EXPECT_TRUE(checkSameGraphs({.rho = 0.1, .detectorSeed = 1}, {.rho = 0.1}, "one", "two").ok());
    const auto rho = checkSameGraphs({.rho = 0.1}, {.rho = 0.2}, "one", "two");
    ASSERT_FALSE(rho.ok());
    EXPECT_THAT(
        rho.error().message(), HasSubstr("NMI at different rho cannot be compared (0.1 and 0.2)"));
    EXPECT_FALSE(checkSameGraphs({.resolution = 1}, {.resolution = 1.5}, "one", "two").ok());
}

TEST(CompareFrames, AFileThatCannotBeReadIsNamed) {
    const auto rows = compareFrames("/nonexistent-folder/a", "/nonexistent-folder/b", {});
    ASSERT_FALSE(rows.ok());
    EXPECT_THAT(rows.error().message(), HasSubstr("/nonexistent-folder/a"));
}

template <typename Change>
std::string refusal(Change change) {
    RoutingFrame other = smallFrame(7);
    change(other);
    const auto checked = checkComparable(smallFrame(0), other, "one", "two");
    return checked.ok() ? "" : checked.error().message();
}

TEST(CompareFrames, RejectsFramesThatCannotBeComparedWithTheReason) {
    EXPECT_EQ(refusal([](RoutingFrame&) {}), "");
    EXPECT_THAT(refusal([](auto& f) { f.layers = {1, 3}; }), HasSubstr("MoE layers differ"));
    EXPECT_THAT(refusal([](auto& f) { f.experts = 8; }), HasSubstr("4 experts, the other 8"));
    EXPECT_THAT(refusal([](auto& f) { f.topK = 1; }), HasSubstr("routes to 2"));
    EXPECT_THAT(refusal([](auto& f) { f.domains[1].name = "x"; }), HasSubstr("domain 'chat'"));
    EXPECT_THAT(refusal([](auto& f) { f.domains.pop_back(); }), HasSubstr("domain 'chat'"));
    EXPECT_THAT(refusal([](auto& f) { f.domains[0].tokenIds_T[1] = 5; }),
        HasSubstr("tokens differ in the probe domain 'math'"));
    EXPECT_THAT(refusal([](auto& f) { f.domains[0].name = "x"; }), HasSubstr("one and two"));
}

} // namespace
} // namespace mooring
