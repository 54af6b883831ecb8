// SPDX-License-Identifier: GPL-3.0-or-later
// Steering a run: control.jsonl, `set`, `do`, and [[schedule]]. Ramp: a change in force from step s
// with r steps has old + (new - old)(j + 1)/r at step s + j.
#include "tests/app/cli/cli_testing.h"

namespace mooring::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Trains with these lines in control.jsonl from the start.
fs::path trainWithControl(
    const fs::path& folder, const std::string& lines, const Json& change = {}) {
    writeText(folder / "run" / "control.jsonl", lines);
    return train(folder, change);
}

TEST(ControlLine, PresentAtTheStartAppliesBeforeStepOneByTheRamp) {
    const TemporaryFolder folder;
    const auto run
        = trainWithControl(folder.path(), "{\"set\": {\"beta\": 0.5}, \"ramp_steps\": 4}\n");
    EXPECT_THAT(valuesOf(stepsOf(run), "beta"), ElementsAre(0.875, 0.75, 0.625, 0.5, 0.5, 0.5));
    const auto events = eventsOf(run, "beta");
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0]["step"], 1);
    EXPECT_EQ(events[0]["source"], "control");
    EXPECT_EQ(events[0]["old"], 1.0);
    EXPECT_EQ(events[0]["new"], 0.5);
    EXPECT_EQ(events[0]["ramp_steps"], 4);
}

TEST(Set, SteersARunThatIsGoing) {
    PausedRun run;
    run.step(1);
    run.say({"set", run.path().string(), "beta=0.5", "--ramp", "4"});
    ASSERT_TRUE(run.waitForEvent("beta"));
    ASSERT_EQ(run.end("resume").code, 0);
    EXPECT_THAT(
        valuesOf(stepsOf(run.path()), "beta"), ElementsAre(1.0, 0.875, 0.75, 0.625, 0.5, 0.5));
    EXPECT_EQ(eventsOf(run.path(), "beta")[0]["step"], 2);
    EXPECT_EQ(eventsOf(run.path(), "beta")[0]["ramp_steps"], 4);
}

TEST(Set, ScalesTheLearningRate) {
    const TemporaryFolder folder;
    const auto run = trainWithControl(folder.path(), "{\"set\": {\"lr_scale\": 0.5}}\n");
    const auto plain = valuesOf(stepsOf(plainRun()), "lr");
    const auto halved = valuesOf(stepsOf(run), "lr");
    for (std::size_t i = 0; i < plain.size(); ++i)
        EXPECT_DOUBLE_EQ(halved.at(i), plain[i] / 2);
    EXPECT_THAT(valuesOf(stepsOf(run), "lr_scale"), ::testing::Each(0.5));
}

TEST(Set, AddsAndRemovesAFurtherTerm) {
    PausedRun run;
    run.say({"set", run.path().string(), "also.lbl=0.01"});
    ASSERT_TRUE(run.waitForEvent("also.lbl"));
    run.step(1);
    run.say({"set", run.path().string(), "also.lbl=0"});
    ASSERT_TRUE(run.waitForEvent("also.lbl", 2));
    run.step(2);
    EXPECT_EQ(run.end("stop").code, 0);
    const auto steps = stepsOf(run.path());
    EXPECT_EQ(steps[0]["strengths"], Json({{"lbl", 0.01}}));
    EXPECT_TRUE(steps[0]["terms"].contains("lbl"));
    EXPECT_EQ(steps[0]["beta"], 1.0);
    EXPECT_EQ(steps[1]["strengths"], Json::object());
    EXPECT_EQ(steps[1]["terms"], Json::object());
}

TEST(Set, RejectsWhatNoRunUnderstandsAndAppendsNothing) {
    const auto before = readText(plainRun() / "control.jsonl");
    const auto run = plainRun().string();
    expectError(runCli({"set", run, "betta=0.5"}), 2, {"betta", "beta"});
    expectError(runCli({"set", run, "beta"}), 2, {"beta"});
    expectError(runCli({"set", run, "beta=high"}), 2, {"beta", "number"});
    expectError(runCli({"set", run, "beta=-1"}), 2, {"beta"});
    expectError(runCli({"set", run, "method=kl_to_bass"}), 2, {"kl_to_bass", "kl_to_base"});
    expectError(runCli({"do", run, "dance"}), 2, {"dance"});
    EXPECT_EQ(readText(plainRun() / "control.jsonl"), before);
}

TEST(Set, RejectsAFolderThatIsNotARun) {
    const TemporaryFolder folder;
    expectError(runCli({"set", folder.path().string(), "beta=1"}), 2, {folder.path().string()});
    EXPECT_FALSE(fs::exists(folder / "control.jsonl"));
}

TEST(Schedule, ReleasesTheBiasAtAShareOfTheRunUntilAShare) {
    const TemporaryFolder folder;
    // s = floor(0.5 * 6) + 1 = 4; 0 holds from step round(0.9 * 6) = 5.
    const auto run = train(
        folder.path(), {}, "[[schedule]]\nat = 0.5\nset = {beta = 0.0}\nramp_until = 0.9\n");
    EXPECT_THAT(valuesOf(stepsOf(run), "beta"), ElementsAre(1, 1, 1, 0.5, 0, 0));
    ASSERT_EQ(eventsOf(run, "beta").size(), 1U);
    EXPECT_EQ(eventsOf(run, "beta")[0]["source"], "schedule");
    EXPECT_EQ(eventsOf(run, "beta")[0]["step"], 4);
}

TEST(Schedule, SwitchesTheMethodAndAFrozenRouterDoesNotMove) {
    const TemporaryFolder folder;
    const auto run = train(folder.path(), {{"save", {{"every", 4}}}},
        "[[schedule]]\nstep = 2\nset = {method = \"lbl\", strength = 0.1}\n"
        "[[schedule]]\nstep = 3\nset = {method = \"sft\"}\n"
        "[[schedule]]\nstep = 5\nset = {method = \"router_freeze\"}\n");
    const auto steps = stepsOf(run);
    std::vector<std::string> methods;
    for (const auto& line : steps)
        methods.push_back(line["method"]);
    EXPECT_THAT(methods, ElementsAre("rpb", "lbl", "sft", "sft", "router_freeze", "router_freeze"));
    EXPECT_THAT(valuesOf(steps, "beta"), ElementsAre(1, 0, 0, 0, 0, 0));
    EXPECT_EQ(steps[1]["strengths"], Json({{"lbl", 0.1}}));
    EXPECT_TRUE(steps[1]["terms"].contains("lbl"));
    EXPECT_EQ(steps[2]["terms"], Json::object());
    EXPECT_NE(steps[3]["router_drift"], steps[2]["router_drift"]);
    EXPECT_EQ(steps[4]["router_drift_layers"], steps[3]["router_drift_layers"]);
    EXPECT_EQ(steps[5]["router_drift_layers"], steps[3]["router_drift_layers"]);
    const auto moved = [&](const std::string& key) {
        return tensorBytes(checkpointOf(run, 4) / "model.safetensors", key)
            != tensorBytes(checkpointOf(run, 6) / "model.safetensors", key);
    };
    EXPECT_FALSE(moved("model.layers.1.mlp.gate.weight"));
    EXPECT_TRUE(moved("model.layers.1.self_attn.o_proj.weight"));
    const auto events = eventsOf(run, "method");
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[0]["old"], "rpb");
    EXPECT_EQ(events[0]["new"], "lbl");
    EXPECT_EQ(events[2]["step"], 5);
}

TEST(MethodSwitch, LetsTheOldTermEndAtOnceAndRampsTheNewOneFromZero) {
    const TemporaryFolder folder;
    const auto run = trainWithControl(
        folder.path(), "{\"set\": {\"method\": \"lbl\", \"strength\": 0.4}, \"ramp_steps\": 4}\n");
    const auto steps = stepsOf(run);
    const double expected[] = {0.1, 0.2, 0.3, 0.4, 0.4, 0.4};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i]["beta"], 0.0);
        EXPECT_DOUBLE_EQ(steps[i]["strengths"]["lbl"], expected[i]);
        EXPECT_NEAR(steps[i]["terms"]["lbl"]["scaled"].get<double>(),
            expected[i] * steps[i]["terms"]["lbl"]["raw"].get<double>(), 1e-9);
    }
}

TEST(BrokenControlLine, IsAnsweredWithItsReasonAndChangesNothing) {
    const TemporaryFolder folder;
    const Words lines = {"not json", "{\"set\": {\"beta\": \"high\"}}", "{\"do\": \"dance\"}",
        "{\"set\": {\"gamma\": 1}}", "{\"set\": {\"beta\": -1}}",
        "{\"set\": {\"method\": \"kl_to_bass\"}}", "{\"set\": {\"beta\": 0.5}, \"ramp_steps\": -3}",
        "[]", "{\"set\": {\"strength\": 0.5}}"};
    std::string text;
    for (const auto& line : lines)
        text += line + "\n";
    const auto run = trainWithControl(folder.path(), text);
    const auto rejected = eventsOf(run, "rejected");
    ASSERT_EQ(rejected.size(), lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_EQ(rejected[i]["line"], lines[i]);
        EXPECT_FALSE(rejected[i].value("reason", "").empty()) << rejected[i];
        EXPECT_EQ(rejected[i]["step"], 1);
    }
    EXPECT_THAT(rejected[5]["reason"].get<std::string>(), HasSubstr("kl_to_base"));
    EXPECT_EQ(withoutTimes(stepsOf(run)), withoutTimes(stepsOf(plainRun())));
}

TEST(Do, SnapshotCheckpointEvaluateAndSampleWorkInBetween) {
    const auto task = (demoFolder() / "eval" / "facts.jsonl").string();
    const Json tasks = Json::array({Json{{"name", "facts"}, {"file", task}, {"limit", 3}}});
    PausedRun run(Json{{"evaluate", {{"tasks", tasks}, {"max_new_tokens", 8}}}});
    run.step(1);
    for (const char* word : {"checkpoint", "snapshot", "evaluate", "sample"})
        run.say({"do", run.path().string(), word});
    ASSERT_TRUE(run.waitForEvent("sample"));
    EXPECT_EQ(run.end("stop").code, 0);
    EXPECT_TRUE(fs::is_regular_file(checkpointOf(run.path(), 1) / "model.safetensors"));
    EXPECT_TRUE(
        fs::is_regular_file(run.path() / "snapshots" / stepName(1) / "tables" / "overlap.csv"));
    const auto results = readLines(run.path() / "eval.jsonl");
    ASSERT_EQ(results.size(), 1U);
    EXPECT_EQ(results[0]["task"], "facts");
    EXPECT_EQ(results[0]["step"], 1);
    EXPECT_EQ(results[0]["total"], 3);
    EXPECT_FALSE(readLines(run.path() / "samples.jsonl").empty());
    EXPECT_EQ(readJson(run.path() / "manifest.json")["state"], "stopped");
}

} // namespace
} // namespace mooring::testing
