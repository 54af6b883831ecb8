// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_testing.h"
#include "core/config/live/schedule_changes.h"
#include "core/config/presets.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace mooring {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string withModel(const std::string& preset) {
    return "extends = \"" + preset + "\"\nmodel.path = \"b\"\ndata.train = [\"t.jsonl\"]\n";
}

TEST(Presets, ThePaperIsTheRecipeOfThePaper) {
    const auto c = parseRunConfig(withModel("paper"), "run.toml", "/x");
    ASSERT_TRUE(c) << c.error().message();
    EXPECT_EQ(c->optimizer.epochs, 5);
    EXPECT_EQ(c->optimizer.steps, 0);
    EXPECT_EQ(c->batch.global, 128);
    EXPECT_EQ(c->data.maxLength, 8192);
    EXPECT_FALSE(c->data.packing);
    EXPECT_EQ(c->optimizer.beta1, 0.9);
    EXPECT_EQ(c->optimizer.beta2, 0.95);
    EXPECT_EQ(c->optimizer.schedule, "cosine");
    EXPECT_EQ(c->optimizer.lr, 1e-5);
    EXPECT_DOUBLE_EQ(c->optimizer.minLr, 1e-6);
    EXPECT_EQ(c->optimizer.warmupSteps, 40);
    EXPECT_EQ(c->optimizer.weightDecay, 0.1);
    EXPECT_EQ(c->optimizer.clipNorm, 1.0);
    EXPECT_EQ(c->train.what, "full");
    EXPECT_EQ(c->method.id, "rpb");
    EXPECT_EQ(c->method.beta, 1.0);
    EXPECT_TRUE(c->schedule.empty());
    EXPECT_EQ(c->data.train[0].path, "/x/t.jsonl");
}

TEST(Presets, ReleasedHoldsTheBiasForHalfTheRunAndLetsGoAtNineTenths) {
    const auto c = parseRunConfig(withModel("released"), "run.toml", "/x");
    ASSERT_TRUE(c) << c.error().message();
    EXPECT_EQ(c->optimizer.epochs, 5);
    EXPECT_EQ(c->method.beta, 1.0);
    EXPECT_THAT(c->schedule, ElementsAre(ScheduledChange{0, 0.5, "{\"beta\":0.0}", 0, 0.9}));
}

TEST(Presets, TheDemoIsTheRunOfTheDemoPage) {
    const auto c = parseRunConfig(withModel("demo"), "run.toml", "/x");
    ASSERT_TRUE(c) << c.error().message();
    EXPECT_EQ(c->optimizer.steps, 240);
    EXPECT_EQ(c->batch.global, 16);
    EXPECT_EQ(c->optimizer.lr, 1e-3);
    EXPECT_EQ(c->optimizer.warmupSteps, 12);
    EXPECT_DOUBLE_EQ(c->optimizer.minLr, 1e-4);
    EXPECT_GE(c->evaluate.maxNewTokens, 64);
}

TEST(Presets, TheFileAndTheOverridesStandAboveThePreset) {
    const auto c = parseRunConfig(withModel("paper") + "optimizer.steps = 7\nbatch.global = 4\n",
        "run.toml", "/x", {{"batch.global", "2"}, {"method.id", "sft"}});
    ASSERT_TRUE(c) << c.error().message();
    EXPECT_EQ(c->optimizer.steps, 7);
    EXPECT_EQ(c->optimizer.epochs, 0);
    EXPECT_EQ(c->batch.global, 2);
    EXPECT_FALSE(c->method.beta);
    EXPECT_EQ(c->optimizer.warmupSteps, 40);
}

TEST(Presets, AnUnknownPresetNamesTheOneThatWasMeant) {
    const auto c = parseRunConfig(withModel("papre"), "run.toml", "/x");
    ASSERT_FALSE(c);
    EXPECT_EQ(c.error().code, ErrorCode::Usage);
    EXPECT_THAT(c.error().message(),
        AllOf(HasSubstr("run.toml, line 1, extends"), HasSubstr("did you mean \"paper\"?")));
}

TEST(Presets, ANameCannotLeadOutOfTheFolder) {
    EXPECT_FALSE(findPreset("../presets/paper"));
    EXPECT_FALSE(findPreset(""));
    EXPECT_TRUE(findPreset("paper"));
}

TEST(Presets, TheNamesAndTheValuesAreThereForADialog) {
    EXPECT_THAT(presetNames(), testing::IsSupersetOf({"demo", "paper", "released"}));
    const auto values = presetConfig("released");
    ASSERT_TRUE(values) << values.error().message();
    EXPECT_EQ(values->data.maxLength, 8192);
    EXPECT_EQ(values->schedule.size(), 1u);
}

TEST(Presets, TheResourceFolderCanBeChosenAndACircleEnds) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "own_resources";
    std::filesystem::create_directories(folder / "presets");
    std::ofstream(folder / "presets/paper.toml") << "optimizer.steps = 3\n";
    std::ofstream(folder / "presets/circle.toml") << "extends = \"circle\"\n";
    ::setenv("MOORING_RESOURCES", folder.c_str(), 1);
    const auto own = parseRunConfig(withModel("paper"), "run.toml", "/x");
    const auto circle = parseRunConfig(withModel("circle"), "run.toml", "/x");
    ::unsetenv("MOORING_RESOURCES");
    ASSERT_TRUE(own) << own.error().message();
    EXPECT_EQ(own->optimizer.steps, 3);
    ASSERT_FALSE(circle);
    EXPECT_THAT(circle.error().message(), HasSubstr("in a cycle"));
}

TEST(Presets, AProblemOfAPresetsValueNamesThePreset) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "broken_resources";
    std::filesystem::create_directories(folder / "presets");
    std::ofstream(folder / "presets/odd.toml") << "\noptimizer.eps = 0\noptimizer.steps = 1\n";
    ::setenv("MOORING_RESOURCES", folder.c_str(), 1);
    const auto odd = parseRunConfig(withModel("odd"), "run.toml", "/x");
    ::unsetenv("MOORING_RESOURCES");
    ASSERT_FALSE(odd);
    EXPECT_THAT(odd.error().message(), HasSubstr("presets/odd.toml, line 2, optimizer.eps"));
}

} // namespace mooring
