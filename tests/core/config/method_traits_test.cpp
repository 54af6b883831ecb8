// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/live/live_control.h"
#include <gtest/gtest.h>

namespace mooring {

TEST(MethodTraitsTable, HasTheTwelveMethodsWithWhatEachNeeds) {
    EXPECT_EQ(methodTraits().size(), 12u);
    EXPECT_TRUE(findMethodTraits("rpb")->hasBeta);
    EXPECT_TRUE(findMethodTraits("rpb")->needsPrior);
    EXPECT_TRUE(findMethodTraits("within_soft")->hasBeta);
    EXPECT_FALSE(findMethodTraits("rpb_hard")->hasBeta);
    EXPECT_FALSE(findMethodTraits("lbl")->needsPrior);
    EXPECT_EQ(findMethodTraits("nothing"), nullptr);
}

} // namespace mooring
