// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/half.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace mooring {
namespace {

TEST(Half, KnownValuesHaveTheirBits) {
    EXPECT_EQ(halfFromFloat(0.0f), 0x0000);
    EXPECT_EQ(halfFromFloat(-0.0f), 0x8000);
    EXPECT_EQ(halfFromFloat(1.0f), 0x3c00);
    EXPECT_EQ(halfFromFloat(-2.0f), 0xc000);
    EXPECT_EQ(halfFromFloat(0.5f), 0x3800);
    EXPECT_EQ(halfFromFloat(65504.0f), 0x7bff);
    EXPECT_EQ(halfFromFloat(0x1p-14f), 0x0400); // the smallest normal number
    EXPECT_EQ(halfFromFloat(0x1p-24f), 0x0001); // the smallest of all
}

TEST(Half, RoundsToNearestAndTiesToEven) {
    EXPECT_EQ(halfFromFloat(1.0f + 0x1p-11f), 0x3c00); // halfway between 1 and its successor
    EXPECT_EQ(halfFromFloat(1.0f + 3 * 0x1p-11f), 0x3c02);
    EXPECT_EQ(halfFromFloat(1.0f + 0x1.8p-11f), 0x3c01);
    EXPECT_EQ(halfFromFloat(0x1p-25f), 0x0000); // half of the smallest step
    EXPECT_EQ(halfFromFloat(3 * 0x1p-25f), 0x0002);
    EXPECT_EQ(halfFromFloat(0x1p-14f - 0x1p-26f), 0x0400); // carries into the normal numbers
    EXPECT_EQ(halfFromFloat(65519.0f), 0x7bff);
}

TEST(Half, WhatIsTooLargeIsInfiniteAndNanStaysSo) {
    EXPECT_EQ(halfFromFloat(65520.0f), 0x7c00);
    EXPECT_EQ(halfFromFloat(-1e30f), 0xfc00);
    EXPECT_EQ(floatFromHalf(0x7c00), std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(floatFromHalf(halfFromFloat(std::nanf("")))));
}

TEST(Half, EveryHalfGoesToFloatAndBackUnchanged) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const float value = floatFromHalf(static_cast<std::uint16_t>(bits));
        if (!std::isnan(value)) {
            ASSERT_EQ(halfFromFloat(value), bits);
        }
    }
}

} // namespace
} // namespace mooring
