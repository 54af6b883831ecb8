// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_testing.h"
#include "core/config/config_difference.h"
#include <gmock/gmock.h>

namespace mooring {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(TrainSection, ReadsWhatTrainsAndFillsTheDefaultsOfItsChoice) {
    EXPECT_EQ(mustParse("").save.format, "hf");
    EXPECT_THAT(
        mustParse("train = {what = \"groups\", groups = [\"norms\", \"head\"]}").train.groups,
        ElementsAre("norms", "head"));
    const auto plain = mustParse("train.what = \"lora\"");
    EXPECT_EQ(plain.train.lora->rank, 16);
    EXPECT_EQ(plain.train.lora->alpha, 32);
    EXPECT_THAT(plain.train.lora->targets, ElementsAre("attention", "routed_experts"));
    EXPECT_EQ(plain.save.format, "adapter");
    const auto set = mustParse(
        "train = {what = \"lora\", lora = {rank = 4, alpha = 2.5, targets = [\"router\"]}}\n"
        "method.id = \"sft\"\nsave.export = \"merged\"");
    EXPECT_EQ(set.train.lora->rank, 4);
    EXPECT_EQ(set.train.lora->alpha, 2.5);
    EXPECT_THAT(set.train.lora->targets, ElementsAre("router"));
    EXPECT_EQ(set.save.format, "merged");
}

TEST(TrainSection, IsWrittenSoThatItReadsTheSame) {
    for (const char* lines :
        {"train.what = \"router\"", "train = {what = \"groups\", groups = [\"norms\", \"router\"]}",
            "train = {what = \"lora\", lora = {rank = 3, targets = [\"dense_mlp\"]}}",
            "train = {what = \"lora\", lora = {from = \"an \\\"adapter\\\"\"}}"}) {
        const auto config = mustParse(lines);
        const auto again = parseRunConfig(writeRunConfig(config), "run.toml", "/work/folder");
        ASSERT_TRUE(again.ok()) << again.error().message();
        EXPECT_TRUE(*again == config) << lines;
    }
}

TEST(TrainSection, AnotherChoiceDoesNotInheritWhatWasSetForTheFirst) {
    const auto config
        = mustParse("train = {what = \"groups\", groups = [\"norms\"]}", {{"train.what", "full"}});
    EXPECT_TRUE(config.train.groups.empty());
}

TEST(TrainSection, AnAdapterToBeginWithBringsItsOwnShape) {
    const auto config = mustParse("train = {what = \"lora\", lora = {from = \"adapter/\"}}");
    EXPECT_EQ(config.train.lora->from, "/work/folder/adapter");
    EXPECT_EQ(config.save.format, "adapter");
    // The layer below set a rank for adapters of the run's own.
    const auto over
        = mustParse("train = {what = \"lora\", lora = {rank = 3}}", {{"train.lora.from", "other"}});
    EXPECT_EQ(over.train.lora->rank, LoraConfig{}.rank);
    EXPECT_EQ(differingKeys(config, over), std::vector<std::string>{"train.lora"});
    const auto none
        = mustParse("train = {what = \"lora\", lora = {from = \"a\"}}", {{"train.lora.from", ""}});
    EXPECT_TRUE(none.train.lora->from.empty());
}

struct Wrong {
    const char* lines;
    const char* place;
    const char* text;
};

class WrongTrainSection : public testing::TestWithParam<Wrong> { };

TEST_P(WrongTrainSection, IsRejectedWithItsPlace) {
    EXPECT_THAT(
        errorOf(GetParam().lines), AllOf(HasSubstr(GetParam().place), HasSubstr(GetParam().text)));
}

INSTANTIATE_TEST_SUITE_P(All, WrongTrainSection,
    testing::Values(Wrong{"train.what = \"loar\"", "line 4, train.what", "did you mean \"lora\"?"},
        Wrong{"train.what = \"groups\"", "train.groups", "the list is empty"},
        Wrong{"train = {what = \"groups\", groups = [\"rooter\"]}", "line 4, train.groups[0]",
            "did you mean \"router\"?"},
        Wrong{"train = {what = \"groups\", groups = [\"norms\", \"norms\"]}", "train.groups[1]",
            "more than once"},
        Wrong{"train = {what = \"groups\", groups = [3]}", "train.groups[0]", "text"},
        Wrong{"train.groups = [\"norms\"]", "line 4, train.groups", "what is \"full\""},
        Wrong{"train.lora = {rank = 4}", "line 4, train.lora", "what is \"full\""},
        Wrong{"train = {what = \"lora\", lora = {rank = 0}}", "train.lora.rank", "1 or more"},
        Wrong{"train = {what = \"lora\", lora = {alpha = 0}}", "train.lora.alpha", "above 0"},
        Wrong{"train = {what = \"lora\", lora = {rnk = 4}}", "train.lora.rnk",
            "did you mean \"rank\"?"},
        Wrong{"train = {what = \"lora\", lora = {targets = [\"norms\"]}}", "train.lora.targets[0]",
            "unknown value \"norms\""},
        Wrong{"train = {what = \"lora\", lora = {from = \"a\", rank = 4}}", "train.lora.rank",
            "comes from the adapter"},
        Wrong{"train = {what = \"lora\", lora = {targets = [\"router\"], from = \"a\"}}",
            "train.lora.targets", "comes from the adapter"},
        Wrong{"train = {what = \"lora\", lora = {from = 3}}", "train.lora.from", "path"},
        Wrong{"train.what = \"router\"\nmethod.id = \"router_freeze\"", "train.what",
            "nothing trains"},
        Wrong{"train.what = \"lora\"\nsave.export = \"hf\"", "save.export", "\"adapter\""},
        Wrong{"save.export = \"adapter\"", "line 4, save.export", "use \"hf\""}));

} // namespace mooring
