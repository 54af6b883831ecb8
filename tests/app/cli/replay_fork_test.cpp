// SPDX-License-Identifier: GPL-3.0-or-later
// A run once more from its configuration and its events; and a new run from a checkpoint.
#include "tests/app/cli/cli_testing.h"

namespace mooring::testing {
namespace {

using ::testing::HasSubstr;

TEST(Replay, AppliesTheLiveChangesAtTheirStepsAndGivesTheSameBits) {
    PausedRun run(Json{{"probe", nullptr}},
        "[[schedule]]\nstep = 4\nset = {lr_scale = 0.5}\nramp_steps = 2\n");
    const auto path = run.path().string();
    run.say({"set", path, "beta=0.5", "--ramp", "3"});
    run.step(1);
    appendText(run.path() / "control.jsonl", "{\"set\": {\"gamma\": 1}}\n");
    ASSERT_TRUE(run.waitForEvent("rejected"));
    run.say({"set", path, "method=lbl", "strength=0.1", "--ramp", "2"});
    ASSERT_TRUE(run.waitForEvent("method"));
    run.step(2);
    run.say({"set", path, "also.router_l2=10"});
    ASSERT_TRUE(run.waitForEvent("also.router_l2"));
    ASSERT_EQ(run.end("resume").code, 0);
    const TemporaryFolder folder;
    const auto out = folder / "again";
    const auto outcome = runCli({"replay", path, "--out", out.string()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    expectSameTraining(run.path(), out);
    EXPECT_EQ(stepsOf(out).at(1)["method"], "lbl");
    EXPECT_TRUE(eventsOf(out, "pause").empty());
    EXPECT_TRUE(eventsOf(out, "rejected").empty());
    EXPECT_EQ(eventsOf(out, "lr_scale").size(), 1U);
    EXPECT_FALSE(fs::exists(out / "control.jsonl"));
}

TEST(Replay, CanStopEarly) {
    const TemporaryFolder folder;
    const auto out = folder / "again";
    ASSERT_EQ(
        runCli({"replay", plainRun().string(), "--out", out.string(), "--stop-after", "2"}).code,
        0);
    EXPECT_EQ(stepsOf(out).size(), 2U);
    EXPECT_EQ(withoutTimes(stepsOf(out))[1], withoutTimes(stepsOf(plainRun()))[1]);
}

fs::path fork(const fs::path& run, const fs::path& out, const Words& more) {
    Words words = {"fork", run.string(), "--out", out.string()};
    words.insert(words.end(), more.begin(), more.end());
    const auto outcome = runCli(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return out;
}

TEST(Fork, BeginsAtTheCheckpointsWeightsAndKeepsTheOriginalBase) {
    const TemporaryFolder folder;
    const auto run = fork(plainRun(), folder / "lower",
        {"--step", "3", "--set", "optimizer.lr=1e-4", "--set", "method.id=sft"});
    const auto manifest = readJson(run / "manifest.json");
    EXPECT_EQ(manifest["parent"], Json({{"run", plainRun().string()}, {"step", 3}}));
    EXPECT_EQ(manifest["hashes"], readJson(plainRun() / "manifest.json")["hashes"]);
    EXPECT_EQ(manifest["name"], "lower");
    // Before its step 1 it holds what the parent held after step 3.
    const auto begin = readLines(run / "metrics.jsonl").at(0);
    EXPECT_EQ(begin["step"], 0);
    EXPECT_EQ(begin["held_out_ce"], stepsOf(plainRun()).at(2)["held_out_ce"]);
    EXPECT_TRUE(readText(run / "frames/base.safetensors")
        == readText(plainRun() / "frames/base.safetensors"));
    const auto steps = stepsOf(run);
    ASSERT_EQ(steps.size(), std::size_t{kSteps}); // a schedule of its own
    EXPECT_EQ(steps[0]["method"], "sft");
    EXPECT_DOUBLE_EQ(steps[0]["lr"], 0.5e-4); // the first of two warm-up steps
    EXPECT_EQ(steps[0]["samples"], stepsOf(plainRun())[0]["samples"]);
    // Drift is measured against the base: most of it is the parent's.
    EXPECT_GT(steps[0]["router_drift"], 0.5 * stepsOf(plainRun())[2]["router_drift"].get<double>());
}

TEST(Fork, TakesTheNewestCheckpointAndIsReplayedAndResumedBitForBit) {
    const TemporaryFolder folder;
    const Words set = {"--set", "method.id=lbl", "--set", "save.keep=9"};
    const auto whole = fork(plainRun(), folder / "whole", set);
    EXPECT_EQ(readJson(whole / "manifest.json")["parent"]["step"], kSteps);
    EXPECT_TRUE(fs::exists(checkpointOf(whole, 0)));
    auto cut = set;
    cut.insert(cut.end(), {"--stop-after", "2"});
    const auto resumed = fork(plainRun(), folder / "cut", cut);
    ASSERT_EQ(runCli({"resume", resumed.string()}).code, 0);
    expectSameTraining(whole, resumed);
    const auto again = folder / "again";
    ASSERT_EQ(runCli({"replay", whole.string(), "--out", again.string()}).code, 0);
    expectSameTraining(whole, again);
    EXPECT_EQ(
        readJson(again / "manifest.json")["parent"], readJson(whole / "manifest.json")["parent"]);
}

TEST(Fork, SaysHowManyMomentsItKept) {
    const TemporaryFolder folder;
    const auto same = runCli(
        {"fork", plainRun().string(), "--out", (folder / "a").string(), "--stop-after", "1"});
    EXPECT_THAT(same.err, ::testing::Not(HasSubstr("moments")));
    const auto parent
        = fork(plainRun(), folder / "sgd", {"--stop-after", "1", "--set", "optimizer.name=sgd"});
    const auto more = runCli({"fork", parent.string(), "--out", (folder / "b").string(),
        "--stop-after", "1", "--set", "optimizer.name=adamw"});
    ASSERT_EQ(more.code, 0) << more.err;
    EXPECT_THAT(more.err, HasSubstr("moments are restored for 0 of"));
}

TEST(Fork, OfEverythingIntoAdaptersAloneIsRejectedAndIntoMergedOnesIsExact) {
    const TemporaryFolder folder;
    const auto out = (folder / "lora").string();
    const Words words = {"fork", plainRun().string(), "--out", out, "--set", "train.what=lora"};
    expectError(runCli(words), 2, {"save.export", "merged"});
    EXPECT_FALSE(fs::exists(out));
    const Words set = {"--set", "train.what=lora", "--set", "save.export=merged"};
    const auto whole = fork(plainRun(), folder / "whole", set);
    auto cut = set;
    cut.insert(cut.end(), {"--stop-after", "2"});
    const auto resumed = fork(plainRun(), folder / "cut", cut);
    ASSERT_EQ(runCli({"resume", resumed.string()}).code, 0);
    expectSameTraining(whole, resumed);
    EXPECT_EQ(readLines(whole / "metrics.jsonl").at(0)["held_out_ce"],
        stepsOf(plainRun()).at(5)["held_out_ce"]);
    // Back to everything: the adapters would be dropped in silence.
    expectError(runCli({"fork", whole.string(), "--out", (folder / "full").string(), "--set",
                    "train.what=full", "--set", "save.export=hf"}),
        3, {"lora_", "[train]"});
}

TEST(Fork, NamesTheCheckpointsThereAre) {
    const TemporaryFolder folder;
    const auto out = (folder / "fork").string();
    expectError(runCli({"fork", plainRun().string(), "--step", "4", "--out", out}), 3,
        {"no checkpoint at step 4", "3, 6"});
    expectError(
        runCli({"fork", folder.path().string(), "--out", out}), 3, {"no complete checkpoint"});
    expectError(runCli({"fork", plainRun().string(), "--out", out, "--set", "optimizer.lrr=1"}), 2,
        {"lrr"});
    EXPECT_FALSE(fs::exists(out));
}

} // namespace
} // namespace mooring::testing
