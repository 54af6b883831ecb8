// SPDX-License-Identifier: GPL-3.0-or-later
// How runs end: by themselves, by a word, by Ctrl-C, by a full disk, by numbers that are not
// finite.
#include "tests/app/cli/cli_testing.h"
#include <csignal>

namespace mooring::testing {
namespace {

using ::testing::HasSubstr;

std::string stateOf(const fs::path& run) {
    return readJson(run / "manifest.json").value("state", "");
}

// Manifest, tensors and logs of a checkpoint that nobody interrupted.
void expectWholeCheckpoint(const fs::path& run, std::int64_t step) {
    const auto place = checkpointOf(run, step);
    ASSERT_TRUE(fs::is_regular_file(place / "manifest.json")) << place;
    EXPECT_EQ(tensorKinds(place / "model.safetensors"),
        tensorKinds(demoFolder() / "model" / "model.safetensors"));
}

// No file was left under a temporary name or half written.
void expectNoRemains(const fs::path& folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
        if (entry.path().extension() == ".safetensors") {
            EXPECT_FALSE(tensorKinds(entry.path()).empty()) << entry.path();
        }
    }
}

TEST(StopAfter, FinishesTheStepSavesAndLeavesWithZero) {
    const TemporaryFolder folder;
    const auto outcome
        = runCli({"train", writeConfig(folder.path()).string(), "--stop-after", "2", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto run = folder / "run";
    EXPECT_EQ(stepsOf(run).size(), 2U);
    EXPECT_EQ(stateOf(run), "stopped");
    expectWholeCheckpoint(run, 2);
    auto said = Json::parse(outcome.out);
    EXPECT_EQ(said["parameters"]["trainable"], said["parameters"]["total"]); // all of it trains
    said.erase("parameters");
    EXPECT_EQ(said, Json({{"run", run.string()}, {"step", 2}, {"state", "stopped"}}));
    EXPECT_EQ(withoutTimes(stepsOf(run))[0], withoutTimes(stepsOf(plainRun()))[0]);
}

TEST(DoStop, EndsTheRunWithZeroAndACheckpointOfTheLastStep) {
    const TemporaryFolder folder;
    const auto run = folder / "run";
    Process process({"train",
        writeConfig(folder.path(), {{"optimizer", {{"steps", 100000}}}, {"probe", nullptr}})
            .string()});
    ASSERT_TRUE(waitUntil(process, [&] { return !stepsOf(run).empty(); }));
    ASSERT_EQ(runCli({"do", run.string(), "stop"}).code, 0);
    const auto outcome = process.wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(stateOf(run), "stopped");
    expectWholeCheckpoint(run, static_cast<std::int64_t>(stepsOf(run).size()));
}

TEST(Interrupt, SavesTheLastStepAndLeavesWith130) {
    const TemporaryFolder folder;
    const auto run = folder / "run";
    Process process({"train",
        writeConfig(folder.path(), {{"optimizer", {{"steps", 100000}}}, {"probe", nullptr}})
            .string()});
    ASSERT_TRUE(waitUntil(process, [&] { return stepsOf(run).size() >= 2; }));
    process.signal(SIGINT);
    const auto outcome = process.wait();
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_EQ(stateOf(run), "stopped");
    expectWholeCheckpoint(run, static_cast<std::int64_t>(stepsOf(run).size()));
    expectNoRemains(run);
}

TEST(Interrupt, OfAPausedRunSavesTheStepItStandsAt) {
    const TemporaryFolder folder;
    const auto run = folder / "run";
    writeText(run / "control.jsonl", "{\"do\": \"pause\"}\n{\"do\": \"step\"}\n");
    Process process({"train", writeConfig(folder.path()).string()});
    ASSERT_TRUE(waitUntil(process, [&] { return stepsOf(run).size() == 1; }));
    process.signal(SIGINT);
    EXPECT_EQ(process.wait().code, 130);
    EXPECT_EQ(stepsOf(run).size(), 1U);
    expectWholeCheckpoint(run, 1);
}

TEST(Interrupt, BeforeStepOneSaysThatNothingWasTrained) {
    const TemporaryFolder folder;
    const auto run = folder / "run";
    writeText(run / "control.jsonl", "{\"do\": \"pause\"}\n");
    Process process({"train", writeConfig(folder.path()).string()});
    ASSERT_TRUE(waitUntil(process, [&] { return !eventsOf(run, "pause").empty(); }));
    process.signal(SIGINT);
    expectError(process.wait(), 130, {"before step 1"});
    EXPECT_FALSE(fs::exists(run / "checkpoints"));
}

TEST(Interrupt, IsHeardInThePreparationsAsAStopIs) {
    const auto rows = (demoFolder() / "train.jsonl").string(); // long to prepare
    for (const bool bySignal : {true, false}) {
        const TemporaryFolder folder;
        const auto run = folder / "run";
        const Json change = {{"data", {{"train", Json::array({rows})}}},
            {"optimizer", {{"steps", 1'000'000'000'000'000'000}}}};
        Process process({"train", writeConfig(folder.path(), change).string()});
        ASSERT_TRUE(waitUntil(process, [&] { return fs::exists(run / "manifest.json"); }));
        if (bySignal)
            process.signal(SIGTERM);
        else
            EXPECT_EQ(runCli({"do", run.string(), "stop"}).code, 0);
        const auto outcome = process.wait();
        EXPECT_EQ(outcome.code, bySignal ? 130 : 0) << outcome.err;
        EXPECT_EQ(stateOf(run), "stopped");
        EXPECT_TRUE(stepsOf(run).empty());
        EXPECT_EQ(eventsOf(run, "stop").size(), bySignal ? 0U : 1U);
        expectNoRemains(run);
    }
}

TEST(Interrupt, DuringThePreparationsLeavesNoHalfPrior) {
    const TemporaryFolder folder;
    const auto run = folder / "run";
    const auto rows
        = (demoFolder() / "train.jsonl").string(); // all of them, so that it takes a while
    const Json change = {{"data", {{"train", Json::array({rows})}}}, {"probe", nullptr}};
    Process process({"train", writeConfig(folder.path(), change).string()});
    ASSERT_TRUE(waitUntil(process, [&] { return fs::exists(run / "manifest.json"); }));
    process.signal(SIGINT);
    EXPECT_EQ(process.wait().code, 130);
    if (fs::exists(run / "prior.safetensors")) { // it was faster
        const auto valid
            = tensorValues<std::uint8_t>(*openTensors(run / "prior.safetensors"), "valid");
        EXPECT_THAT(valid, ::testing::Each(1));
    }
    expectNoRemains(run);
}

TEST(Kill, LeavesTheCheckpointBeforeUsable) {
    const TemporaryFolder folder;
    const auto run = folder / "run";
    Process process({"train",
        writeConfig(folder.path(),
            {{"optimizer", {{"steps", 100000}}}, {"probe", nullptr}, {"save", {{"every", 1}}}})
            .string()});
    ASSERT_TRUE(waitUntil(process, [&] { return eventsOf(run, "checkpoint").size() >= 2; }));
    process.signal(SIGKILL);
    EXPECT_EQ(process.wait().code, 1000 + SIGKILL);
    std::int64_t last = 0;
    for (const auto& event : eventsOf(run, "checkpoint"))
        last = std::max(last, event["step"].get<std::int64_t>() - 1);
    // The next one may have been on its way: one of the kept two is always whole.
    expectWholeCheckpoint(run, last);
    writeText(folder / "ids.json", "[[1, 2, 3]]");
    EXPECT_EQ(
        runCli({"forward", checkpointOf(run, last).string(), "--ids",
                   (folder / "ids.json").string(), "--out", (folder / "f.safetensors").string()})
            .code,
        0);
}

TEST(Numbers, ThatAreNotFiniteEndTheRunAndKeepTheLastCheckpoint) {
    const TemporaryFolder folder;
    const auto run = folder / "run";
    const Json change = {{"optimizer", {{"lr", 1e30}, {"warmup_steps", 0}}},
        {"probe", {{"every", 100}}}, {"save", {{"every", 1}}}};
    const auto outcome = runCli({"train", writeConfig(folder.path(), change).string()});
    expectError(outcome, 6, {"step 2", "not finite"});
    EXPECT_EQ(stepsOf(run).size(), 1U);
    EXPECT_EQ(stateOf(run), "failed");
    EXPECT_THAT(readJson(run / "manifest.json")["error"].get<std::string>(), HasSubstr("step 2"));
    expectWholeCheckpoint(run, 1);
    EXPECT_FALSE(fs::exists(checkpointOf(run, 2)));
}

TEST(FullDisk, WhileSavingLeavesEveryEarlierFileWhole) {
    const TemporaryFolder folder;
    const auto run = folder / "run";
    // The weights take 4.9 MB, nothing before them more than a few hundred kB.
    const auto outcome
        = runCli({"train", writeConfig(folder.path()).string()}, {.fileSizeLimit = 2'000'000});
    expectError(outcome, 5, {"checkpoint"});
    EXPECT_EQ(stepsOf(run).size(), 3U);
    EXPECT_EQ(withoutTimes(readLines(run / "training.jsonl")).size(), 3U);
    EXPECT_EQ(stateOf(run), "failed");
    EXPECT_FALSE(fs::exists(checkpointOf(run, 3)));
    expectNoRemains(run);
}

TEST(FullDisk, OfForwardAndSnapshotLeavesNothingUnderTheirNames) {
    const TemporaryFolder folder;
    writeText(folder / "ids.json", "[[1, 2, 3, 4, 5, 6, 7, 8]]");
    const auto forward
        = runCli({"forward", (demoFolder() / "model").string(), "--ids",
                     (folder / "ids.json").string(), "--out", (folder / "f.safetensors").string()},
            {.fileSizeLimit = 10'000});
    expectError(forward, 5, {"f.safetensors"});
    EXPECT_FALSE(fs::exists(folder / "f.safetensors"));
    const auto snapshot
        = runCli({"snapshot", plainRun().string(), "--out", (folder / "s").string()},
            {.fileSizeLimit = 10'000});
    expectError(snapshot, 5, {});
    EXPECT_FALSE(fs::exists(folder / "s"));
    expectNoRemains(folder.path());
}

TEST(OutputFolder, ThatCannotBeMadeIsNamed) {
    const TemporaryFolder folder;
    writeText(folder / "file", "keep me");
    const auto out = (folder / "file" / "run").string();
    const auto config = writeConfig(folder.path(), {{"run", {{"out", out}}}}).string();
    expectError(runCli({"train", config}), 5, {out});
    expectError(
        runCli({"snapshot", plainRun().string(), "--out", out}), 5, {(folder / "file").string()});
    EXPECT_EQ(readText(folder / "file"), "keep me");
}

TEST(OutputFolder, ThatHoldsARunGetsANumber) {
    const TemporaryFolder folder;
    const Json change = {{"optimizer", {{"steps", 1}}}, {"probe", nullptr}};
    const auto first = train(folder.path(), change);
    const auto before = readText(first / "metrics.jsonl");
    train(folder.path(), change);
    EXPECT_TRUE(fs::is_regular_file(folder / "run-2" / "metrics.jsonl"));
    EXPECT_EQ(readText(first / "metrics.jsonl"), before);
    EXPECT_EQ(
        readText(folder / "run-2" / "run.toml").find(first.string() + "\""), std::string::npos);
}

TEST(OutputFolder, IsRelativeToTheWorkingDirectory) {
    const TemporaryFolder config, work;
    const Json change
        = {{"run", {{"out", nullptr}}}, {"optimizer", {{"steps", 1}}}, {"probe", nullptr}};
    const auto outcome
        = runCli({"train", writeConfig(config.path(), change).string()}, {.folder = work.path()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(fs::is_regular_file(work / "runs" / "small" / "metrics.jsonl"));
}

} // namespace
} // namespace mooring::testing
