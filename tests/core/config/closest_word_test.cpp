// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/closest_word.h"
#include <gtest/gtest.h>

namespace mooring {

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
    EXPECT_EQ(editDistance("", ""), 0u);
    EXPECT_EQ(editDistance("", "abc"), 3u);
    EXPECT_EQ(editDistance("steps", "step"), 1u);
    EXPECT_EQ(editDistance("optimiser", "optimizer"), 1u);
    EXPECT_EQ(editDistance("rbp", "rpb"), 1u);
    EXPECT_EQ(editDistance("kitten", "sitting"), 3u);
}

TEST(ClosestWord, IsTheNearestOneOrNoneWhereNothingIsClose) {
    const std::vector<std::string> known = {"lr", "min_lr", "warmup_steps", "steps"};
    EXPECT_EQ(closestWord("lrr", known), "lr");
    EXPECT_EQ(closestWord("min_rl", known), "min_lr");
    EXPECT_EQ(closestWord("warmup", known), std::nullopt);
    EXPECT_EQ(closestWord("step", known), "steps");
    EXPECT_EQ(closestWord("zebra", known), std::nullopt);
    EXPECT_EQ(closestWord(std::string(100000, 'x'), known), std::nullopt);
}

} // namespace mooring
