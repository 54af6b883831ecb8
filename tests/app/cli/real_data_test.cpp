// SPDX-License-Identifier: GPL-3.0-or-later
// Published rows, not written for this project.
#include "tests/app/cli/cli_testing.h"

namespace mooring::testing {
namespace {

TEST(Gsm8k, TrainsTheDemoModelForThreeSteps) {
    const auto file = sharedFolder() / "data" / "gsm8k" / "train-2000.jsonl";
    if (!fs::is_regular_file(file))
        GTEST_SKIP() << "the published rows are not here: " << file
                     << " (MOORING_SHARED names their folder)";
    const TemporaryFolder folder;
    const Json change
        = {{"data",
               {{"train", Json::array({Json{{"path", file.string()}, {"limit", 64}}})},
                   {"held_out", nullptr}, {"held_out_fraction", 0.125}, {"max_length", 512}}},
            {"probe", {{"tokens", 300}, {"every", 100}}}, {"optimizer", {{"steps", 3}}},
            {"save", {{"every", 100}}}};
    const auto run = train(folder.path(), change);
    const auto steps = stepsOf(run);
    ASSERT_EQ(steps.size(), 3U);
    for (const auto& line : steps) {
        EXPECT_TRUE(line["ce"].is_number());
        EXPECT_GT(line["supervised_tokens"].get<int>(), 0);
        EXPECT_LT(line["supervised_tokens"].get<int>(), line["valid_tokens"].get<int>());
    }
    const auto rows = readJson(run / "manifest.json")["rows"];
    EXPECT_EQ(rows["files"], 64);
    EXPECT_EQ(
        rows["train"].get<int>() + rows["held_out"].get<int>() + rows["dropped"].get<int>(), 64);
    EXPECT_TRUE(steps.back().contains("held_out_ce"));
    EXPECT_TRUE(fs::is_regular_file(checkpointOf(run, 3) / "model.safetensors"));
}

} // namespace
} // namespace mooring::testing
