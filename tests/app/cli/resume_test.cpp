// SPDX-License-Identifier: GPL-3.0-or-later
// N steps are k steps, a resume and N - k steps, to the last bit; and what a resume says.
#include "core/config/run_config.h"
#include "core/run/run_reader.h"
#include "tests/app/cli/cli_testing.h"
#include <csignal>

namespace mooring::testing {
namespace {

using ::testing::HasSubstr;

// What is trained without probes takes half a second.
Json quick(Json change) {
    change["probe"] = nullptr;
    return change;
}

fs::path trainUntil(const fs::path& folder, int step, const Json& change, const std::string& more) {
    const auto outcome = runCli({"train", writeConfig(folder, change, more).string(),
        "--stop-after", std::to_string(step)});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return folder / "run";
}

Outcome resume(const fs::path& run, const Words& more = {}) {
    Words words = {"resume", run.string()};
    words.insert(words.end(), more.begin(), more.end());
    return runCli(words);
}

// Live changes on both sides of the cut at step 3: a ramp that runs over it, a further term, a
// learning rate, a switch of the method after it.
std::string changesAround(const std::string& method) {
    const std::string term = method == "z_loss" ? "lbl" : "z_loss";
    const std::string other = method == "router_l2" ? "rpb" : "router_l2";
    return "[[schedule]]\nstep = 2\nset = {lr_scale = 0.5}\nramp_steps = 4\n"
           "[[schedule]]\nstep = 3\nset = {also = {"
        + term
        + " = 0.01}}\nramp_steps = 3\n"
          "[[schedule]]\nstep = 5\nset = {method = \""
        + other + "\"}\nramp_steps = 2\n";
}

void expectResumeIsExact(const Json& change, const std::string& more) {
    const TemporaryFolder whole, cut;
    const auto a = train(whole.path(), change, more);
    const auto b = trainUntil(cut.path(), 3, change, more);
    ASSERT_EQ(stepsOf(b).size(), 3U);
    const auto outcome = resume(b);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    expectSameTraining(a, b);
}

TEST(Resume, IsExactForEveryMethodWithChangesOnBothSidesOfTheCut) {
    for (const auto& method : methodTraits()) {
        SCOPED_TRACE(method.id);
        expectResumeIsExact(
            quick({{"method", {{"id", method.id}}}, {"optimizer", {{"gate_bias_rate", 1e-3}}}}),
            changesAround(method.id));
    }
}

TEST(Resume, IsExactWhateverTrains) {
    for (const char* what : {"router", "lora"}) {
        SCOPED_TRACE(what);
        expectResumeIsExact(quick({{"train", {{"what", what}}}, {"save", {{"export", nullptr}}}}),
            changesAround("rpb"));
    }
}

TEST(Resume, IsExactForARunThatBeganWithAnAdapter) {
    const TemporaryFolder folder;
    const Json lora = {{"what", "lora"}, {"lora", {{"rank", 2}}}};
    const Json adapter = {{"export", "adapter"}};
    const auto first = train(folder.path(), quick({{"train", lora}, {"save", adapter}}));
    const Json from = {{"from", checkpointOf(first, kSteps).string()}};
    expectResumeIsExact(
        quick({{"train", {{"what", "lora"}, {"lora", from}}}, {"save", adapter}}), {});
}

TEST(Resume, IsExactForSgdToo) {
    expectResumeIsExact(quick({{"optimizer", {{"name", "sgd"}}}}), {});
}

TEST(Resume, IsExactWithEpochsMicroBatchesAndAHeldOutShare) {
    expectResumeIsExact(quick({{"batch", {{"micro", 1}}},
                            {"data", {{"held_out", nullptr}, {"held_out_fraction", 0.25}}},
                            {"optimizer", {{"steps", nullptr}, {"epochs", 1.2}}}}),
        {});
}

TEST(Resume, GivesTheSameProbesToo) {
    const TemporaryFolder folder;
    const auto run = trainUntil(folder.path(), 3, {}, {});
    ASSERT_EQ(resume(run).code, 0);
    EXPECT_EQ(readLines(run / "retention.jsonl"), readLines(plainRun() / "retention.jsonl"));
    for (const char* name : {"frames/base.safetensors", "frames/step-000003.safetensors",
             "frames/step-000006.safetensors", "prior.safetensors"})
        EXPECT_TRUE(readText(run / name) == readText(plainRun() / name)) << name;
}

TEST(Resume, OfARunFromRandomWeightsTakesThemFromTheCheckpoint) {
    const auto model = demoFolder() / "model";
    const Json init = {{"config", (model / "config.json").string()}, {"tokenizer", model.string()}};
    Json change = quick({{"model", {{"path", nullptr}, {"init", init}}}});
    expectResumeIsExact(change, {});
    change["prior"] = {{"compute", "never"}};
    change["method"] = {{"id", "sft"}};
    expectResumeIsExact(change, {});
}

TEST(Resume, CountsStopAfterFromTheStartOfTheRun) {
    const TemporaryFolder folder;
    const auto run = trainUntil(folder.path(), 2, quick({}), {});
    ASSERT_EQ(resume(run, {"--stop-after", "4"}).code, 0);
    EXPECT_EQ(stepsOf(run).size(), 4U);
    ASSERT_EQ(resume(run, {"--stop-after", "3"}).code, 0); // it follows that
    EXPECT_EQ(stepsOf(run).size(), 4U);
    EXPECT_EQ(readJson(run / "manifest.json")["state"], "stopped");
}

// Logs only grow: the lines of the life before lie in them, but the run is what it came to last.
TEST(Resume, ThatStopsBelowWhatWasLoggedShowsNoMoreThanItCameTo) {
    const TemporaryFolder folder;
    const auto run = train(folder.path()); // probed and saved at 3 and 6
    fs::remove_all(checkpointOf(run, kSteps));
    const auto outcome = resume(run, {"--stop-after", "4"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(readJson(run / "manifest.json")["step"], 4);
    EXPECT_EQ(readLines(run / "metrics.jsonl").size(), 1U + kSteps + 1U);
    const auto reader = RunReader::open(run);
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ(reader->record().metrics.back().step, 4);
    EXPECT_EQ(reader->record().training.back().step, 4);
    EXPECT_EQ(reader->record().retention.back().step, 4);
    EXPECT_EQ(reader->record().frameSteps, (std::vector<std::int64_t>{3, 4}));
    ASSERT_EQ(resume(run).code, 0);
    EXPECT_EQ(RunReader::open(run)->record().metrics.back().step, kSteps);
    expectSameTraining(plainRun(), run);
}

TEST(Resume, OfAFinishedRunSaysSoAndChangesNothing) {
    const TemporaryFolder folder;
    const auto run = train(folder.path(), quick({}));
    const auto metrics = readText(run / "metrics.jsonl"), events = readText(run / "events.jsonl");
    const auto outcome = resume(run);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("finished"));
    EXPECT_EQ(readText(run / "metrics.jsonl"), metrics);
    EXPECT_EQ(readText(run / "events.jsonl"), events);
}

TEST(Resume, SkipsACheckpointThatIsBrokenAndSaysWhich) {
    const TemporaryFolder folder;
    const auto run = trainUntil(folder.path(), 4, {}, {}); // saved at 3 and 4
    const auto broken = checkpointOf(run, 4) / "trainer" / "optimizer.safetensors";
    auto bytes = readText(broken);
    bytes[bytes.size() / 2] ^= 1;
    writeText(broken, bytes);
    const auto outcome = resume(run);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("step 4 is skipped"));
    EXPECT_EQ(eventsOf(run, "resumed")[0]["step"], 4);
    expectSameTraining(plainRun(), run);
}

TEST(Resume, WithoutAnyCheckpointBeginsAgain) {
    const TemporaryFolder folder;
    const auto run = trainUntil(folder.path(), 2, {}, {});
    fs::remove_all(run / "checkpoints");
    ASSERT_EQ(resume(run).code, 0);
    expectSameTraining(plainRun(), run);
}

TEST(Resume, AsksWhichConfigurationToKeepWhereOneWasEdited) {
    const TemporaryFolder first, second;
    for (const auto* folder : {&first, &second}) {
        const auto run = trainUntil(folder->path(), 3, {}, {});
        auto text = readText(run / "run.toml");
        const std::string before = "\nclip_norm = 1.0\n";
        ASSERT_NE(text.find(before), std::string::npos);
        text.replace(text.find(before), before.size(), "\nclip_norm = 0.001\n");
        writeText(run / "run.toml", text);
        const auto manifest = readText(run / "manifest.json");
        expectError(resume(run), 2, {"optimizer.clip_norm", "--config run", "--config checkpoint"});
        EXPECT_EQ(readText(run / "manifest.json"), manifest);
    }
    ASSERT_EQ(resume(first / "run", {"--config", "checkpoint"}).code, 0);
    expectSameTraining(plainRun(), first / "run");
    ASSERT_EQ(resume(second / "run", {"--config", "run"}).code, 0);
    EXPECT_LT(stepsOf(second / "run").at(3)["clip_factor"], 0.01);
    EXPECT_GT(stepsOf(plainRun()).at(3)["clip_factor"], 0.01);
    EXPECT_EQ(
        eventsOf(second / "run", "configuration").at(0)["new"], Json({"optimizer.clip_norm"}));
}

TEST(Resume, OfAFolderThatMovedContinuesThere) {
    const TemporaryFolder folder;
    trainUntil(folder.path(), 3, {}, {});
    fs::rename(folder / "run", folder / "moved");
    ASSERT_EQ(resume(folder / "moved").code, 0);
    EXPECT_FALSE(fs::exists(folder / "run"));
    expectSameTraining(plainRun(), folder / "moved");
}

// The changes of the steps that the kill cost are in events.jsonl; the trainer applies them again.
TEST(Resume, AfterAKillAppliesTheLiveChangesOfTheLostStepsAtTheirSteps) {
    PausedRun run(quick({{"save", {{"every", 2}}}}));
    run.step(1);
    run.step(2);
    ASSERT_TRUE(run.waitForEvent("checkpoint"));
    run.step(3);
    run.say({"set", run.path().string(), "beta=0.25", "--ramp", "3"});
    ASSERT_TRUE(run.waitForEvent("beta"));
    run.process().signal(SIGKILL);
    run.process().wait();
    ASSERT_EQ(resume(run.path()).code, 0);
    const auto steps = stepsOf(run.path());
    EXPECT_THAT(valuesOf(steps, "beta"), ::testing::ElementsAre(1, 1, 1, 0.75, 0.5, 0.25));
    EXPECT_EQ(eventsOf(run.path(), "beta").size(), 1U); // told once
    EXPECT_EQ(eventsOf(run.path(), "pause").size(), 1U); // its line is not read again
    const auto again = run.path().parent_path() / "again";
    ASSERT_EQ(runCli({"replay", run.path().string(), "--out", again.string()}).code, 0);
    expectSameTraining(again, run.path());
}

TEST(Resume, ReadsWhatWasSaidWhileNoProcessTrained) {
    const TemporaryFolder folder;
    const auto run = trainUntil(folder.path(), 3, quick({}), {});
    const auto said = runCli({"set", run.string(), "beta=0.5"});
    EXPECT_EQ(said.code, 0);
    EXPECT_THAT(said.err, HasSubstr("is not training"));
    ASSERT_EQ(resume(run).code, 0);
    EXPECT_THAT(valuesOf(stepsOf(run), "beta"), ::testing::ElementsAre(1, 1, 1, 0.5, 0.5, 0.5));
}

TEST(Resume, RepairsALogWhoseLastLineIsPartial) {
    const TemporaryFolder folder;
    const auto run = trainUntil(folder.path(), 3, {}, {});
    appendText(run / "metrics.jsonl", "{\"step\": 4, \"ce\"");
    appendText(run / "events.jsonl", "{\"step\"");
    ASSERT_EQ(resume(run).code, 0);
    expectSameTraining(plainRun(), run); // every line is whole again
    EXPECT_EQ(eventsOf(run, "resumed").size(), 1U);
}

TEST(Resume, OfWhatIsNotARunIsRejected) {
    const TemporaryFolder folder;
    expectError(resume(folder.path()), 2, {"not a run folder"});
    expectError(resume(folder / "absent"), 2, {"not a run folder"});
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(TwoPrograms, OnOneRunFolderTheSecondIsRejectedAndNothingIsLost) {
    PausedRun run(quick({}));
    const auto events = readText(run.path() / "events.jsonl");
    expectError(resume(run.path()), 5, {"another process is training this run"});
    EXPECT_EQ(readText(run.path() / "events.jsonl"), events);
    EXPECT_EQ(readJson(run.path() / "manifest.json")["state"], "paused");
    EXPECT_EQ(run.end("resume").code, 0);
    EXPECT_EQ(withoutTimes(stepsOf(run.path())).size(), std::size_t{kSteps});
}

} // namespace
} // namespace mooring::testing
