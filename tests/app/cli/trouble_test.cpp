// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to a run when the world goes wrong under it: a sentence, the exit code, and nothing
// lost that was saved.
#include "core/files/atomic_folder.h"
#include "tests/app/cli/cli_testing.h"
#include <algorithm>

namespace mooring::testing {
namespace {

void expectWhole(const fs::path& checkpoint) {
    const auto verified = verifyManifest(checkpoint);
    EXPECT_TRUE(verified.ok()) << verified.error().message();
}

// Writes infinity over the first numbers of a tensor, in the type of the file.
void breakTensor(const fs::path& path, const std::string& name) {
    auto bytes = readText(path);
    std::uint64_t headerSize = 0;
    std::memcpy(&headerSize, bytes.data(), sizeof headerSize);
    const auto header = Json::parse(bytes.substr(sizeof headerSize, headerSize));
    const auto begin = sizeof headerSize + headerSize
        + header.at(name).at("data_offsets").at(0).get<std::uint64_t>();
    const std::string infinity = header.at(name).at("dtype") == "BF16"
        ? std::string("\x80\x7f", 2)
        : std::string("\x00\x00\x80\x7f", 4);
    for (std::size_t i = 0; i < 64; ++i)
        bytes[begin + i] = infinity[i % infinity.size()];
    writeText(path, bytes);
}

TEST(FullDisk, WhileACheckpointIsWrittenKeepsTheOneBeforeAndTheRunContinuesLater) {
    const TemporaryFolder folder;
    const auto run = folder / "run";
    const auto config = writeConfig(folder.path()).string();
    ASSERT_EQ(runCli({"train", config, "--stop-after", "3"}).code, 0);
    // The weights take 4.9 MB, nothing before them more than a few hundred kB.
    expectError(runCli({"resume", run.string()}, {.fileSizeLimit = 2'000'000}), 5, {"step-000006"});
    EXPECT_EQ(readJson(run / "manifest.json")["state"], "failed");
    EXPECT_FALSE(fs::exists(checkpointOf(run, 6)));
    expectWhole(checkpointOf(run, 3));
    ASSERT_EQ(runCli({"resume", run.string()}).code, 0);
    expectSameTraining(plainRun(), run);
    EXPECT_EQ(readJson(run / "manifest.json")["state"], "finished");
}

TEST(FullDisk, BeforeTheFirstCheckpointLetsTheRunBeginAgain) {
    const TemporaryFolder folder;
    const auto run = folder / "run";
    expectError(
        runCli({"train", writeConfig(folder.path()).string()}, {.fileSizeLimit = 2'000'000}), 5,
        {"step-000003"});
    ASSERT_EQ(runCli({"resume", run.string()}).code, 0);
    expectSameTraining(plainRun(), run);
}

TEST(RunFolder, RemovedUnderARunEndsItWithASentence) {
    PausedRun run(Json{{"probe", nullptr}});
    const auto place = run.path();
    // The run may put a file in while its folder goes.
    std::error_code busy;
    while (fs::exists(place))
        fs::remove_all(place, busy);
    expectError(run.process().wait(), 5, {place.string(), "removed"});
    EXPECT_FALSE(fs::exists(place));
}

TEST(RunFolder, RemovedDuringTheRunIsNoticedToo) {
    const TemporaryFolder folder;
    const auto run = folder / "run";
    Process process({"train",
        writeConfig(folder.path(), {{"optimizer", {{"steps", 100000}}}, {"probe", nullptr}})
            .string()});
    ASSERT_TRUE(waitUntil(process, [&] { return stepsOf(run).size() >= 2; }));
    fs::rename(run, folder / "elsewhere"); // at once, as a removal by another program may be
    fs::remove_all(folder / "elsewhere");
    expectError(process.wait(), 5, {run.string()});
    EXPECT_FALSE(fs::exists(run));
}

TEST(NotFinite, WeightsOfTheBaseStopTheRunBeforeStepOneAndNameTheLayer) {
    const TemporaryFolder folder;
    fs::copy(demoFolder() / "model", folder / "model");
    breakTensor(folder / "model" / "model.safetensors", "model.layers.2.mlp.gate.weight");
    const auto config = writeConfig(
        folder.path(), {{"model", {{"path", (folder / "model").string()}}}, {"probe", nullptr}});
    expectError(runCli({"train", config.string()}), 6, {"not finite", "router logits of layer 2"});
    EXPECT_TRUE(stepsOf(folder / "run").empty());
    EXPECT_FALSE(fs::exists(folder / "run" / "checkpoints"));
    EXPECT_EQ(readJson(folder / "run" / "manifest.json")["state"], "failed");
}

TEST(NotFinite, WeightsStopAStepBeforeItsUpdateAndTheCheckpointBeforeIsKept) {
    const TemporaryFolder folder;
    const auto run = folder / "run";
    const auto config = writeConfig(folder.path(), {{"probe", nullptr}});
    ASSERT_EQ(runCli({"train", config.string(), "--stop-after", "3"}).code, 0);
    const auto checkpoint = checkpointOf(run, 3);
    breakTensor(
        checkpoint / "trainer" / "optimizer.safetensors", "master.model.layers.3.mlp.gate.weight");
    ASSERT_TRUE(writeManifest(checkpoint, "{\"step\": 3}").ok());
    const auto before = readText(checkpoint / "trainer" / "optimizer.safetensors");
    expectError(runCli({"resume", run.string()}), 6,
        {"step 4 is not finite in ce", "router logits of layer 3", "last checkpoint"});
    EXPECT_EQ(stepsOf(run).size(), 3U);
    EXPECT_FALSE(fs::exists(checkpointOf(run, 4)));
    expectWhole(checkpoint);
    EXPECT_TRUE(readText(checkpoint / "trainer" / "optimizer.safetensors") == before);
}

TEST(Memory, ThatIsShortNamesThePhaseTheSizeAndASmallerMicroBatch) {
    const TemporaryFolder folder;
    // 4,000 rows at once: their hidden states alone take 200 MB a tensor. From random weights, so
    // that nothing but the step is measured.
    const auto model = demoFolder() / "model";
    const Json init = {{"config", (model / "config.json").string()}, {"tokenizer", model.string()}};
    const auto config = writeConfig(folder.path(),
        {{"batch", {{"global", 4000}, {"micro", 4000}}}, {"probe", nullptr},
            {"prior", {{"compute", "never"}}}, {"method", {{"id", "sft"}}},
            {"model", {{"path", nullptr}, {"init", init}}}});
    const auto outcome = runCli({"train", config.string()}, {.memoryLimit = 1'200'000'000});
    expectError(
        outcome, 4, {"not enough memory", "bytes", "training", "halve batch.micro to 2000"});
    EXPECT_EQ(readJson(folder / "run" / "manifest.json")["state"], "failed");
}

TEST(LongestBatch, IsTriedBeforeStepOneOfARunThatIsLongEnough) {
    const TemporaryFolder folder;
    const Json change = {{"optimizer", {{"steps", 50}}}, {"probe", nullptr}, {"prior", nullptr}};
    const auto outcome
        = runCli({"train", writeConfig(folder.path(), change).string(), "--stop-after", "1"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    // The step of four rows with the most tokens, found from the lengths that the steps report.
    const TemporaryFolder other;
    const auto run = train(other.path(), change);
    const auto tokens = valuesOf(stepsOf(run), "valid_tokens");
    const auto longest = std::max_element(tokens.begin(), tokens.end()) - tokens.begin() + 1;
    EXPECT_THAT(outcome.err,
        ::testing::HasSubstr("trying the longest batch, step " + std::to_string(longest) + "\n"));
    // It leaves no trace in the numbers: a run too short for it has the same first step.
    EXPECT_EQ(stepsOf(run)[0]["ce"], stepsOf(plainRun())[0]["ce"]);
}

// What comes before step 1 does not depend on how long the run is.
TEST(LongestBatch, IsFoundAtOnceHoweverLongTheRunIs) {
    for (const std::int64_t steps :
        {std::int64_t{100'000'000}, std::int64_t{1'000'000'000'000'000'000}})
        for (const bool packing : {false, true}) {
            const TemporaryFolder folder;
            const Json change = {{"optimizer", {{"steps", steps}}}, {"probe", nullptr},
                {"prior", nullptr}, {"data", {{"packing", packing}}}};
            const auto outcome = runCli(
                {"train", writeConfig(folder.path(), change).string(), "--stop-after", "1"});
            EXPECT_EQ(outcome.code, 0) << outcome.err;
            EXPECT_THAT(outcome.err, ::testing::HasSubstr("trying the longest batch"));
            const auto resumed = runCli({"resume", (folder / "run").string(), "--stop-after", "2"});
            EXPECT_EQ(resumed.code, 0) << resumed.err;
            EXPECT_EQ(stepsOf(folder / "run").size(), 2U);
        }
}

} // namespace
} // namespace mooring::testing
