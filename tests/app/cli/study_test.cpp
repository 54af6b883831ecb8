// SPDX-License-Identifier: GPL-3.0-or-later
// study: methods x seeds from one file; goes on where it was, whatever ended it.
#include "tests/app/cli/cli_testing.h"
#include <csignal>

namespace mooring::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Two conditions of two seeds of the six-step run, with three questions of two tasks.
class Study : public ::testing::Test {
protected:
    void SetUp() override { writeFiles(); }
    void writeFiles(const std::string& seeds = "[1, 2]", const std::string& more = {}) const {
        const auto task = [](const char* name, const char* split) {
            return Json{{"name", name}, {"split", split}, {"limit", 3},
                {"file", (demoFolder() / "eval" / (std::string(name) + ".jsonl")).string()}};
        };
        writeConfig(m_folder.path(),
            Json{{"method", {{"id", "sft"}}},
                {"evaluate",
                    {{"max_new_tokens", 8},
                        {"tasks", Json::array({task("new", "id"), task("facts", "ood")})}}}});
        writeText(m_folder / "study.toml",
            "[study]\nbase = \"run.toml\"\nseeds = " + seeds + "\nout = \"" + out().string()
                + "\"\n[[run]]\nname = \"sft\"\n[[run]]\nname = \"rpb\"\nset = {\"method.id\" = "
                  "\"rpb\"}\n"
                + more);
    }
    fs::path out() const { return m_folder / "s"; }
    fs::path run(const std::string& name) const { return out() / "runs" / name; }
    Words words(const Words& more = {}) const {
        Words all = {"study", (m_folder / "study.toml").string()};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    std::vector<std::string> runsThere() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(out() / "runs"))
            names.push_back(entry.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }
    const TemporaryFolder m_folder;
};

TEST_F(Study, TrainsAndScoresEveryRunAndWritesItsTables) {
    const auto outcome = runCli(words({"--json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(runsThere(), (Words{"rpb-s1", "rpb-s2", "sft-s1", "sft-s2"}));
    for (const auto& name : runsThere()) {
        const auto scores = readLines(run(name) / "eval.jsonl");
        ASSERT_EQ(scores.size(), 2U) << name;
        EXPECT_EQ(scores[0]["task"], "new");
        EXPECT_EQ(scores[1]["split"], "ood");
        EXPECT_EQ(scores[1]["step"], kSteps);
        EXPECT_EQ(scores[1]["total"], 3);
        EXPECT_EQ(readLines(run(name) / "samples.jsonl").size(), 6U);
        EXPECT_EQ(readJson(run(name) / "manifest.json")["state"], "finished");
    }
    const auto rows = Json::parse(outcome.out)["rows"];
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0]["condition"], "base");
    EXPECT_EQ(rows[1]["condition"], "sft");
    EXPECT_EQ(rows[2]["seeds"], (Json{1, 2}));
    EXPECT_EQ(rows[0]["values"]["ood"]["mean"], 1.0); // the base knows its facts
    // The means are those of the logs.
    double ood = 0, tvd = 0;
    for (const char* name : {"rpb-s1", "rpb-s2"}) {
        ood += readLines(run(name) / "eval.jsonl")[1]["accuracy"].get<double>() / 2;
        tvd += readLines(run(name) / "retention.jsonl").back()["mean"]["tvd"].get<double>() / 2;
    }
    EXPECT_NEAR(rows[2]["values"]["ood"]["mean"].get<double>(), ood, 1e-12);
    EXPECT_NEAR(rows[2]["values"]["tvd"]["mean"].get<double>(), tvd, 1e-12);
    for (const char* name : {"study.csv", "study.md", "runs.csv", "scatter.csv"})
        EXPECT_TRUE(fs::is_regular_file(out() / "tables" / name)) << name;
    EXPECT_THAT(readText(out() / "tables" / "study.md"), HasSubstr("| rpb | 1 | 2 |"));
}

TEST_F(Study, ARunOfItIsTheRunOfTheSameConfiguration) {
    ASSERT_EQ(runCli(words({"--only", "rpb-s1"})).code, 0);
    EXPECT_EQ(runsThere(), Words{"rpb-s1"});
    const auto alone = runCli({"train", (m_folder / "run.toml").string(), "--set", "method.id=rpb",
        "--set", "run.seed=1"});
    ASSERT_EQ(alone.code, 0) << alone.err;
    EXPECT_EQ(withoutTimes(stepsOf(run("rpb-s1"))), withoutTimes(stepsOf(m_folder / "run")));
}

TEST_F(Study, WhatIsFinishedIsPassedOver) {
    ASSERT_EQ(runCli(words({"--only", "sft"})).code, 0);
    const auto before = readText(run("sft-s1") / "metrics.jsonl");
    const auto again = runCli(words({"--only", "sft"}));
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(again.err, Not(HasSubstr("step ")));
    EXPECT_EQ(readText(run("sft-s1") / "metrics.jsonl"), before);
    EXPECT_EQ(readLines(run("sft-s1") / "eval.jsonl").size(), 2U);
}

TEST_F(Study, ContinuesAfterItWasKilled) {
    {
        Process process(words({"--only", "sft"}));
        ASSERT_TRUE(waitUntil(process, [&] {
            return !readText(run("sft-s1") / "metrics.jsonl").empty()
                && !stepsOf(run("sft-s1")).empty();
        }));
        process.signal(SIGKILL);
        EXPECT_EQ(process.wait().code, 1000 + SIGKILL);
    }
    EXPECT_NE(readJson(run("sft-s1") / "manifest.json")["state"], "finished");
    const auto again = runCli(words({"--only", "sft"}));
    ASSERT_EQ(again.code, 0) << again.err;
    for (const char* name : {"sft-s1", "sft-s2"}) {
        EXPECT_EQ(readJson(run(name) / "manifest.json")["state"], "finished");
        EXPECT_EQ(stepsOf(run(name)).size(), static_cast<std::size_t>(kSteps));
    }
}

TEST_F(Study, APartialRunContinuesFromItsCheckpointBitForBit) {
    {
        Process process(words({"--only", "rpb-s1"}));
        ASSERT_TRUE(
            waitUntil(process, [&] { return fs::is_directory(checkpointOf(run("rpb-s1"), 3)); }));
        process.signal(SIGKILL);
        EXPECT_EQ(process.wait().code, 1000 + SIGKILL);
    }
    ASSERT_NE(readJson(run("rpb-s1") / "manifest.json")["state"], "finished");
    ASSERT_EQ(runCli(words({"--only", "rpb-s1"})).code, 0);
    EXPECT_FALSE(fs::exists(out() / "aside")); // nothing was begun again
    const auto alone = runCli({"train", (m_folder / "run.toml").string(), "--set", "method.id=rpb",
        "--set", "run.seed=1"});
    ASSERT_EQ(alone.code, 0) << alone.err;
    EXPECT_EQ(withoutTimes(stepsOf(run("rpb-s1"))), withoutTimes(stepsOf(m_folder / "run")));
}

TEST_F(Study, AFinishedRunThatWasNotScoredIsScoredFromItsCheckpoint) {
    ASSERT_EQ(runCli(words({"--only", "rpb-s1"})).code, 0);
    const auto scores = readLines(run("rpb-s1") / "eval.jsonl");
    fs::remove(run("rpb-s1") / "eval.jsonl");
    ASSERT_EQ(runCli(words({"--only", "rpb-s1"})).code, 0);
    EXPECT_EQ(readLines(run("rpb-s1") / "eval.jsonl"), scores);
}

TEST_F(Study, AFinishedAdapterThatWasNotScoredIsScoredOnItsBase) {
    writeFiles("[1]",
        "[[run]]\nname = \"lora\"\nset = {\"train.what\" = \"lora\", \"optimizer.lr\" = 0.01}\n");
    ASSERT_EQ(runCli(words({"--only", "lora-s1"})).code, 0);
    ASSERT_TRUE(fs::exists(checkpointOf(run("lora-s1"), kSteps) / "adapter_model.safetensors"));
    const auto scores = readLines(run("lora-s1") / "eval.jsonl");
    const auto samples = readLines(run("lora-s1") / "samples.jsonl");
    fs::remove(run("lora-s1") / "eval.jsonl");
    fs::remove(run("lora-s1") / "samples.jsonl");
    const auto outcome = runCli(words({"--only", "lora-s1"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(readLines(run("lora-s1") / "eval.jsonl"), scores);
    EXPECT_EQ(readLines(run("lora-s1") / "samples.jsonl"), samples); // what it says, not the base
}

TEST_F(Study, AnotherConfigurationIsRejectedUntilTheRunIsRequestedAgain) {
    ASSERT_EQ(runCli(words({"--only", "rpb-s1"})).code, 0);
    const auto before = readText(run("rpb-s1") / "metrics.jsonl");
    writeText(m_folder / "study.toml",
        "[study]\nbase = \"run.toml\"\nseeds = [1, 2]\nout = \"" + out().string()
            + "\"\n[[run]]\nname = \"rpb\"\nset = {\"method.id\" = \"rpb\", \"method.beta\" = "
              "0.5}\n");
    expectError(runCli(words({"--only", "rpb-s1"})), 2, {"rpb-s1", "beta", "--again"});
    EXPECT_EQ(readText(run("rpb-s1") / "metrics.jsonl"), before);
    ASSERT_EQ(runCli(words({"--only", "rpb-s1", "--again", "rpb"})).code, 0);
    EXPECT_EQ(stepsOf(run("rpb-s1"))[0]["beta"], 0.5);
    EXPECT_EQ(readText(out() / "aside" / "rpb-s1-1" / "metrics.jsonl"), before);
}

TEST_F(Study, ANonFiniteRunIsNamedAndTheOthersContinue) {
    writeFiles("[1]",
        "[[run]]\nname = \"wild\"\nset = {\"optimizer.lr\" = 1e30, \"optimizer.clip_norm\" = inf}\n"
        "[[run]]\nname = \"last\"\n");
    const auto outcome = runCli(words());
    expectError(outcome, 6, {"wild-s1", "--again"});
    EXPECT_EQ(readJson(run("wild-s1") / "manifest.json")["state"], "failed");
    EXPECT_EQ(readJson(run("last-s1") / "manifest.json")["state"], "finished");
    EXPECT_THAT(
        readText(out() / "tables" / "study.md"), HasSubstr("wild-s1 is excluded from all means"));
    // It is not tried again by itself.
    const auto before = readText(run("wild-s1") / "metrics.jsonl");
    EXPECT_EQ(runCli(words()).code, 6);
    EXPECT_EQ(readText(run("wild-s1") / "metrics.jsonl"), before);
}

TEST_F(Study, TwoProcessesShareTheRuns) {
    Process first(words({"--json"})), second(words({"--json"}));
    const auto a = first.wait(), b = second.wait();
    EXPECT_EQ(a.code, 0) << a.err;
    EXPECT_EQ(b.code, 0) << b.err;
    EXPECT_EQ(runsThere(), (Words{"rpb-s1", "rpb-s2", "sft-s1", "sft-s2"}));
    EXPECT_FALSE(fs::exists(out() / "aside"));
    for (const auto& name : runsThere()) { // nobody trained a run that another had
        EXPECT_EQ(readJson(run(name) / "manifest.json")["state"], "finished");
        EXPECT_EQ(readLines(run(name) / "eval.jsonl").size(), 2U);
        EXPECT_EQ(
            readLines(run(name) / "metrics.jsonl").size(), static_cast<std::size_t>(kSteps + 1));
    }
}

TEST_F(Study, TablesOnlyTrainsNothing) {
    expectError(runCli(words({"--tables-only"})), 3, {(out() / "runs").string()});
    ASSERT_EQ(runCli(words({"--only", "sft-s1"})).code, 0);
    fs::remove_all(out() / "tables");
    EXPECT_EQ(runCli(words({"--tables-only"})).code, 0);
    EXPECT_TRUE(fs::is_regular_file(out() / "tables" / "study.md"));
    EXPECT_EQ(runsThere(), Words{"sft-s1"});
}

TEST_F(Study, MistakesAreSentencesBeforeAnythingIsTrained) {
    expectError(runCli(words({"--only", "sfft"})), 2, {"sfft", "sft-s1"});
    expectError(runCli({"study", (m_folder / "none.toml").string()}), 2, {"none.toml"});
    writeFiles("[1]", "[[run]]\nname = \"x\"\nset = {\"method.idd\" = \"sft\"}\n");
    expectError(runCli(words()), 2, {"run \"x\"", "method.idd"});
    EXPECT_FALSE(fs::exists(out()));
}

// evaluate.every during a run: the training itself stays the same to the last bit.
TEST(EvaluateEvery, ScoresAtItsStepsAndDoesNotDisturbTheTraining) {
    const TemporaryFolder folder;
    const auto facts = (demoFolder() / "eval" / "facts.jsonl").string();
    const auto evaluated = train(folder.path(),
        {{"evaluate",
            {{"every", 4}, {"samples", 1}, {"max_new_tokens", 8}, {"temperature", 0.6},
                {"top_p", 0.95}, {"repeats", 2},
                {"tasks",
                    Json::array({Json{{"name", "facts"}, {"file", facts}, {"limit", 2}}})}}}});
    const auto scores = readLines(evaluated / "eval.jsonl");
    ASSERT_EQ(scores.size(), 2U); // step 4 and the last
    EXPECT_EQ(scores[0]["step"], 4);
    EXPECT_EQ(scores[1]["step"], kSteps);
    EXPECT_EQ(scores[0]["repeats"], 2);
    EXPECT_EQ(scores[0]["total"], 4);
    EXPECT_EQ(readLines(evaluated / "samples.jsonl").size(), 2U);
    for (const char* name : {"metrics.jsonl", "training.jsonl", "retention.jsonl"})
        EXPECT_EQ(
            withoutTimes(readLines(evaluated / name)), withoutTimes(readLines(plainRun() / name)))
            << name;
    const auto weights = fs::path("checkpoints") / stepName(kSteps) / "model.safetensors";
    EXPECT_TRUE(readText(evaluated / weights) == readText(plainRun() / weights));
}

TEST(EvaluateEvery, NeedsATask) {
    const TemporaryFolder folder;
    expectError(
        runCli({"train", writeConfig(folder.path(), {{"evaluate", {{"every", 2}}}}).string()}), 2,
        {"evaluate", "no task"});
}

} // namespace
} // namespace mooring::testing
