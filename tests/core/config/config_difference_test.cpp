// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_difference.h"
#include "tests/core/config/config_testing.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> differing(const std::string& a, const std::string& b) {
    return differingKeys(mustParse(a), mustParse(b));
}

TEST(DifferingKeys, NamesEachSettingThatIsNotTheSame) {
    EXPECT_THAT(differing("", ""), IsEmpty());
    EXPECT_THAT(differing("optimizer.lr = 1e-4\n", "optimizer.lr = 1e-5\n"),
        ElementsAre("optimizer.lr", "optimizer.min_lr")); // whose default is a tenth of it
    EXPECT_THAT(differing("batch.micro = 2\n", "batch.micro_tokens = 64\n"),
        ElementsAre("batch.micro", "batch.micro_tokens"));
    EXPECT_THAT(differing("save.every = 3\n", ""), ElementsAre("save.every"));
}

TEST(DifferingKeys, CountsListsOfTablesAsOneSetting) {
    const std::string entry = "[[schedule]]\nstep = 5\nset = {beta = 0.0}\n";
    EXPECT_THAT(differing(entry, ""), ElementsAre("schedule"));
    EXPECT_THAT(
        differing(entry, "[[schedule]]\nstep = 6\nset = {beta = 0.0}\n"), ElementsAre("schedule"));
    EXPECT_THAT(differing("[[method.also]]\nid = \"lbl\"\n", ""), ElementsAre("method.also"));
    EXPECT_THAT(differing(entry, entry), IsEmpty());
}

TEST(DifferingKeys, LetAFolderMove) {
    EXPECT_THAT(differing("run.out = \"a\"\n", "run.out = \"b\"\n"), IsEmpty());
}

} // namespace
} // namespace mooring
