// SPDX-License-Identifier: GPL-3.0-or-later
// docs/methods.md#determinism: the same seed gives the same numbers to the last bit, a pause
// included; a micro-batch split changes nothing but rounding.
#include "tests/app/cli/cli_testing.h"
#include <cmath>

namespace mooring::testing {
namespace {

// Everything of two runs but their times, names and folders.
void expectEqualRuns(const fs::path& a, const fs::path& b) {
    for (const char* name : {"metrics.jsonl", "training.jsonl", "retention.jsonl"})
        EXPECT_EQ(withoutTimes(readLines(a / name)), withoutTimes(readLines(b / name))) << name;
    for (const char* name : {"prior.safetensors", "frames/base.safetensors",
             "frames/step-000006.safetensors", "checkpoints/step-000006/model.safetensors",
             "checkpoints/step-000006/trainer/optimizer.safetensors"}) {
        ASSERT_TRUE(fs::is_regular_file(a / name)) << name;
        EXPECT_TRUE(readText(a / name) == readText(b / name)) << name << " differs";
    }
}

TEST(SameSeed, GivesTheSameNumbersToTheLastBit) {
    const TemporaryFolder folder;
    expectEqualRuns(plainRun(), train(folder.path()));
}

TEST(SameSeed, GivesTheSameNumbersWithTwoThreadsToo) {
    const TemporaryFolder first, second;
    const Json change = {{"run", {{"threads", 2}}}};
    expectEqualRuns(train(first.path(), change), train(second.path(), change));
}

TEST(AnotherSeed, TakesTheRowsInAnotherOrder) {
    const TemporaryFolder folder;
    const auto other
        = train(folder.path(), {{"run", {{"seed", 43}}}, {"optimizer", {{"steps", 2}}}});
    EXPECT_NE(stepsOf(other)[0]["samples"], stepsOf(plainRun())[0]["samples"]);
}

TEST(RunToml, OfTheFolderLoadsAgainAndGivesTheSameRun) {
    const TemporaryFolder folder;
    const auto out = folder / "again";
    const auto outcome = runCli(
        {"train", (plainRun() / "run.toml").string(), "--set", "run.out=\"" + out.string() + "\""});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    expectEqualRuns(plainRun(), out);
    auto first = readText(plainRun() / "run.toml"), second = readText(out / "run.toml");
    const auto place = second.find(out.string());
    ASSERT_NE(place, std::string::npos);
    second.replace(place, out.string().size(), plainRun().string());
    EXPECT_EQ(first, second);
}

TEST(RunToml, HasEveryDefaultWrittenOut) {
    const auto text = "\n" + readText(plainRun() / "run.toml");
    for (const char* line : {"\ntemplate = \"auto\"\n", "\ncompute = \"auto\"\n",
             "\nheld_out_fraction = 0.0\n", "\nshuffle = true\n", "\npacking = false\n",
             "\ntoo_long = \"drop\"\n", "\nquestion_weight = 0.0\n", "\nwhat = \"full\"\n",
             "\nrecompute = \"auto\"\n", "\nname = \"adamw\"\n", "\nschedule = \"cosine\"\n",
             "\nbetas = [0.9, 0.95]\n", "\nweight_decay = 0.1\n", "\nclip_norm = 1.0\n",
             "\nclip_scope = \"total\"\n", "\ngate_bias_rate = 0.0\n", "\nbeta = 1.0\n",
             "\napplies_to = \"selection_and_weights\"\n", "\nreference = \"span_prior\"\n",
             "\nlbl_scope = \"step\"\n", "\ngate = \"softmax\"\n", "\ncompute = \"start\"\n",
             "\nstore_choices = \"auto\"\n", "\nrho = 0.1\n", "\nresolution = 1.0\n",
             "\ndetector_seed = 0\n", "\nnull_graphs = 4\n", "\nmax_new_tokens = 256\n",
             "\ntemperature = 0.0\n", "\ntop_p = 1.0\n", "\nrepeats = 1\n", "\nkeep = 2\n",
             "\nexport = \"hf\"\n"})
        EXPECT_THAT(text, ::testing::HasSubstr(line));
    EXPECT_THAT(text, ::testing::ContainsRegex("\nmin_lr = (0.0001|1e-0?4)\n")); // a tenth of lr
    EXPECT_THAT(text, ::testing::ContainsRegex("\neps = 1e-0?8\n"));
}

TEST(Pause, InBetweenChangesNothing) {
    const TemporaryFolder folder;
    const auto run = folder / "run";
    writeText(run / "control.jsonl", "{\"do\": \"pause\"}\n"); // holds before step 1
    Process process({"train", writeConfig(folder.path()).string()});
    const auto state = [&] { return readText(run / "manifest.json"); };
    const auto isPaused = [&] { return state().find("\"paused\"") != std::string::npos; };
    ASSERT_TRUE(waitUntil(process, isPaused));
    EXPECT_TRUE(stepsOf(run).empty());
    for (std::size_t step = 1; step <= 2; ++step) {
        ASSERT_EQ(runCli({"do", run.string(), "step"}).code, 0);
        ASSERT_TRUE(waitUntil(process, [&] { return stepsOf(run).size() >= step; }));
        EXPECT_EQ(stepsOf(run).size(), step);
    }
    ASSERT_EQ(runCli({"do", run.string(), "resume"}).code, 0);
    const auto outcome = process.wait();
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(withoutTimes(stepsOf(run)), withoutTimes(stepsOf(plainRun())));
    for (const char* name : {"model.safetensors", "trainer/optimizer.safetensors"})
        EXPECT_TRUE(readText(checkpointOf(run, kSteps) / name)
            == readText(checkpointOf(plainRun(), kSteps) / name))
            << name;
    EXPECT_EQ(eventsOf(run, "pause").size(), 1U);
    EXPECT_EQ(eventsOf(run, "step").size(), 2U);
    EXPECT_EQ(eventsOf(run, "resume").size(), 1U);
    EXPECT_EQ(eventsOf(run, "resume")[0]["step"], 3);
}

// The first step of sixteen rows, split in several ways.
Json firstStep(const Json& method, const Json& batch) {
    const TemporaryFolder folder;
    const Json change = {{"method", method}, {"batch", batch}, {"optimizer", {{"steps", 1}}},
        {"probe", nullptr}, {"save", nullptr}};
    return stepsOf(train(folder.path(), change)).at(0);
}

void expectSameStep(const Json& whole, const Json& split) {
    EXPECT_EQ(whole["samples"], split["samples"]);
    EXPECT_EQ(whole["supervised_tokens"], split["supervised_tokens"]);
    EXPECT_EQ(whole["valid_tokens"], split["valid_tokens"]);
    for (const auto& [key, tolerance] :
        {std::pair("ce", 1e-5), std::pair("total", 1e-5), std::pair("grad_norm", 1e-4)})
        EXPECT_NEAR(split[key].get<double>(), whole[key].get<double>(),
            tolerance * whole[key].get<double>())
            << key;
}

TEST(MicroBatches, SplitGivesTheSameLossAndGradientWithTheBiasOn) {
    const Json rpb = {{"id", "rpb"}, {"beta", 1.0}};
    const auto whole = firstStep(rpb, {{"global", 16}, {"micro", 16}});
    expectSameStep(whole, firstStep(rpb, {{"global", 16}, {"micro", 4}}));
    expectSameStep(whole, firstStep(rpb, {{"global", 16}, {"micro", 1}}));
    expectSameStep(
        whole, firstStep(rpb, {{"global", 16}, {"micro", nullptr}, {"micro_tokens", 256}}));
}

TEST(MicroBatches, SplitGivesTheSameLoadBalancingLoss) {
    const Json lbl = {{"id", "lbl"}, {"strength", 0.1}};
    const auto whole = firstStep(lbl, {{"global", 16}, {"micro", 16}});
    const auto split = firstStep(lbl, {{"global", 16}, {"micro", 4}});
    expectSameStep(whole, split);
    const double raw = whole["terms"]["lbl"]["raw"];
    EXPECT_NEAR(split["terms"]["lbl"]["raw"].get<double>(), raw, 1e-5 * raw);
    EXPECT_GE(raw, 1.0); // perfect balance is exactly 1
    EXPECT_NEAR(whole["terms"]["lbl"]["scaled"].get<double>(), 0.1 * raw, 1e-9);
    EXPECT_NEAR(whole["total"].get<double>(), whole["ce"].get<double>() + 0.1 * raw, 1e-9);
}

} // namespace
} // namespace mooring::testing
