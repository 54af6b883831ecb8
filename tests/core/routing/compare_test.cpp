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
    const auto rows = compareFrames(folder / "a", folder / "b", {.rho = 1.0});
    ASSERT_TRUE(rows.ok()) << rows.error().message();
    ASSERT_EQ(rows->size(), 3u);
    EXPECT_NEAR((*rows)[0].values[0].tvd, 2.0 / 6, 1e-15);
    EXPECT_EQ((*rows)[2].domain, "pooled");
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

TEST(CompareFrames, RefusesFramesThatCannotBeComparedWithTheReason) {
    EXPECT_EQ(refusal([](RoutingFrame&) {}), "");
    EXPECT_THAT(refusal([](auto& f) { f.layers = {1, 3}; }), HasSubstr("MoE layers differ"));
    EXPECT_THAT(refusal([](auto& f) { f.experts = 8; }), HasSubstr("4 experts, the other 8"));
    EXPECT_THAT(refusal([](auto& f) { f.topK = 1; }), HasSubstr("routes to 2"));
    EXPECT_THAT(refusal([](auto& f) { f.domains[1].name = "x"; }), HasSubstr("domain 'chat'"));
    EXPECT_THAT(refusal([](auto& f) { f.domains.pop_back(); }), HasSubstr("domain 'chat'"));
    EXPECT_THAT(refusal([](auto& f) { f.domains[0].tokenIds_T[1] = 5; }),
        HasSubstr("other tokens in the probe domain 'math'"));
    EXPECT_THAT(refusal([](auto& f) { f.domains[0].name = "x"; }), HasSubstr("one and two"));
}

} // namespace
} // namespace mooring
