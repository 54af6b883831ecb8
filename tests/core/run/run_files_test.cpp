// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/loaded_run.h"
#include "core/run/run_files.h"
#include "tests/core/run/run_folder_maker.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

using testing::ElementsAre;

TEST(RunFiles, TellEverythingOnceAndThenWhatIsNew) {
    const TemporaryFolder folder("run-files");
    makeRun(folder.path());
    writeText(folder / "samples.jsonl",
        "{\"step\": 3, \"task\": \"sums\", \"prompt\": \"1+1\", \"text\": \"2\", "
        "\"extracted\": \"2\", \"reference\": \"2\", \"correct\": true}\n");
    auto files = RunFiles::open(folder.path());
    ASSERT_TRUE(files.ok()) << files.error().message();
    const auto first = files->news();
    ASSERT_TRUE(first.record);
    EXPECT_THAT(first.record->frameSteps, ElementsAre(50, 100));
    ASSERT_EQ(first.samples.size(), 1U);
    EXPECT_EQ(first.samples[0].task, "sums");
    EXPECT_EQ(first.samples[0].step, 3);
    EXPECT_TRUE(first.samples[0].correct);
    EXPECT_TRUE(files->news().empty());
    appendText(folder / "eval.jsonl", "{\"step\": 100, \"task\": \"sums\"}\n");
    std::filesystem::create_directories(folder / "snapshots" / "step-000100");
    writeText(folder / "snapshots" / "a.mooring.zip", "");
    writeText(folder / "snapshots" / "notes.txt", "");
    const auto later = files->news();
    EXPECT_FALSE(later.record);
    EXPECT_EQ(later.scores.size(), 1U);
    ASSERT_TRUE(later.snapshots);
    EXPECT_THAT(*later.snapshots,
        ElementsAre((folder / "snapshots" / "a.mooring.zip").string(),
            (folder / "snapshots" / "step-000100").string()));
}

TEST(RunFiles, SkipLinesOfSamplesThatAreNone) {
    const TemporaryFolder folder("run-samples");
    makeRun(folder.path());
    writeText(folder / "samples.jsonl", "[1]\nnull\n{\"step\": \"x\", \"correct\": 1}\n");
    const auto samples = RunFiles::open(folder.path())->news().samples;
    ASSERT_EQ(samples.size(), 1U);
    EXPECT_EQ(samples[0].step, 0);
    EXPECT_FALSE(samples[0].correct);
}

TEST(RunFiles, GiveTheSameFrameAgainAndNoneWhereThereIsNoFile) {
    const TemporaryFolder folder("run-frames");
    makeRun(folder.path());
    auto files = RunFiles::open(folder.path());
    const auto frame = files->frame(50);
    ASSERT_TRUE(frame.ok() && *frame);
    EXPECT_EQ((*frame)->step, 50);
    EXPECT_EQ(*files->frame(50), *frame); // not read again
    EXPECT_EQ(*files->frame(51), nullptr);
    writeText(folder / "frames" / frameFileName(100), "broken");
    EXPECT_EQ(files->frame(100).error().code, ErrorCode::Input);
}

TEST(LoadedRun, HasTheFrameAtOrBeforeAStep) {
    EXPECT_EQ(frameStepAt({}, 7), 0);
    EXPECT_EQ(frameStepAt({50, 100}, -1), 100);
    EXPECT_EQ(frameStepAt({50, 100}, 99), 50);
    EXPECT_EQ(frameStepAt({50, 100}, 49), 0);
    const TemporaryFolder folder("loaded-run");
    makeRun(folder.path());
    const auto run = loadRun(folder.path(), 60);
    ASSERT_TRUE(run.ok()) << run.error().message();
    EXPECT_EQ(run->base->step, 0);
    EXPECT_EQ(run->tuned->step, 50);
    ASSERT_TRUE(run->communities);
    EXPECT_EQ(run->communities->step, 50);
    EXPECT_TRUE(run->communities->transitions);
}

TEST(LoadedRun, WithoutProbesHasNoFrames) {
    const TemporaryFolder folder("loaded-run-bare");
    makeRun(folder.path());
    std::filesystem::remove_all(folder / "frames");
    const auto run = loadRun(folder.path());
    ASSERT_TRUE(run.ok()) << run.error().message();
    EXPECT_FALSE(run->base || run->tuned || run->communities);
}

} // namespace
} // namespace mooring
