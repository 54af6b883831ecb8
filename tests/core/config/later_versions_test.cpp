// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_testing.h"
#include "core/config/live_control.h"
#include <gmock/gmock.h>

namespace mooring {

using testing::AllOf;
using testing::HasSubstr;

class LaterVersion : public testing::TestWithParam<const char*> { };

TEST_P(LaterVersion, IsRefusedByNameWithItsLine) {
    const std::string line = GetParam();
    const std::string key = line.substr(0, line.find(' '));
    EXPECT_THAT(errorOf(line),
        AllOf(HasSubstr("not in this version"), HasSubstr("line 4"), HasSubstr(key)));
}

INSTANTIATE_TEST_SUITE_P(Values, LaterVersion,
    testing::Values("data.packing = true", "data.held_out = [\"a/b.PARQUET\"]"));

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
