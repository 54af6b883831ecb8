// SPDX-License-Identifier: GPL-3.0-or-later
// Wrong configurations and wrong command lines: exit code 2, and the sentence says where.
#include "tests/app/cli/cli_testing.h"

namespace mooring::testing {
namespace {

using ::testing::HasSubstr;

// Trains by a configuration that is expected to be refused.
void expectRefused(const Json& change, const Words& parts, const std::string& more = {}) {
    const TemporaryFolder folder;
    const auto config = writeConfig(folder.path(), change, more);
    expectError(runCli({"train", config.string()}), 2, parts);
    EXPECT_FALSE(fs::exists(folder / "run"));
}

TEST(BadConfig, UnknownKeyIsNamedWithFileLineAndTheKeyThatWasMeant) {
    const TemporaryFolder folder;
    const auto config = writeConfig(folder.path());
    const std::string text = readText(config);
    const auto place = text.find("warmup_steps");
    ASSERT_NE(place, std::string::npos);
    writeText(config, text.substr(0, place) + "warmup_step" + text.substr(place + 12));
    const auto line = 1 + std::count(text.begin(), text.begin() + place, '\n');
    expectError(runCli({"train", config.string()}), 2,
        {config.string(), "line " + std::to_string(line), "warmup_step", "warmup_steps"});
    EXPECT_FALSE(fs::exists(folder / "run"));
}

TEST(BadConfig, WrongTypesAndImpossibleValuesNameTheirKey) {
    expectRefused({{"optimizer", {{"lr", "fast"}}}}, {"lr"});
    expectRefused({{"optimizer", {{"lr", -1.0}}}}, {"lr"});
    expectRefused({{"batch", {{"global", 0}}}}, {"global"});
    expectRefused({{"optimizer", {{"schedule", "cosin"}}}}, {"schedule", "cosine"});
    expectRefused({{"optimizer", {{"epochs", 2}}}}, {"steps", "epochs"});
    expectRefused({{"probe", {{"rho", 1.5}}}}, {"rho"});
    expectRefused({{"model", {{"device", "banana"}}}}, {"banana", "cpu"});
}

TEST(BadConfig, AValueThatTheMethodLacksIsRejected) {
    expectRefused({{"method", {{"id", "sft"}, {"beta", 1.0}}}}, {"beta", "sft"});
    expectRefused({{"method", {{"id", "rpb"}, {"strength", 1.0}}}}, {"strength", "rpb"});
    expectRefused({{"method", {{"id", "rbp"}}}}, {"rbp", "rpb"});
}

TEST(BadConfig, ThePoolOfTheProbeSetsKeepsItsName) {
    const auto file = (demoFolder() / "probe" / "new.jsonl").string();
    const Json set = {{"name", "pooled"}, {"files", Json::array({file})}};
    expectRefused({{"probe", {{"sets", Json::array({set})}}}}, {"pooled"});
}

TEST(BadConfig, BrokenTomlNamesTheLine) {
    const TemporaryFolder folder;
    writeText(folder / "run.toml", "[run]\nname = \"x\"\nseed = = 3\n");
    expectError(runCli({"train", (folder / "run.toml").string()}), 2, {"run.toml", "line 3"});
}

TEST(BadConfig, OverridesAreCheckedAsTheFileIs) {
    const TemporaryFolder folder;
    const auto config = writeConfig(folder.path()).string();
    expectError(runCli({"train", config, "--set", "optimizer.lrr=1"}), 2, {"lrr", "lr"});
    expectError(runCli({"train", config, "--set", "optimizer.lr"}), 2, {"optimizer.lr"});
    expectError(runCli({"train", config, "--set", "method.id=kl_to_bass"}), 2, {"kl_to_base"});
    EXPECT_FALSE(fs::exists(folder / "run"));
}

TEST(CommandLine, UnknownCommandsAndOptionsAreRejected) {
    expectError(runCli({"dance"}), 2, {"dance"});
    expectError(runCli({"trian", "run.toml"}), 2, {"trian", "train"});
    expectError(runCli({}), 2, {});
    expectError(runCli({"train"}), 2, {});
    expectError(runCli({"train", "run.toml", "--fast"}), 2, {"--fast"});
    expectError(
        runCli({"forward", "m", "--ids", "i", "--out", "o", "--compute", "fp16"}), 2, {"fp16"});
}

TEST(CommandLine, NumbersAndDevicesThatCannotBeAreRejected) {
    expectError(runCli({"train", "run.toml", "--stop-after", "-1"}), 2, {"--stop-after"});
    expectError(runCli({"train", "run.toml", "--stop-after", "soon"}), 2, {"--stop-after"});
    for (const char* device : {"banana", "cuda:x", ""})
        expectError(runCli({"forward", (demoFolder() / "model").string(), "--ids", "ids.json",
                        "--out", "f.safetensors", "--device", device}),
            2, {"device"});
}

TEST(CommandLine, AnAnswerThatCannotBeWrittenIsNoSuccess) {
    if (!fs::exists("/dev/full"))
        GTEST_SKIP() << "there is no /dev/full on this system";
    const auto outcome = runCli({"tokenize", (demoFolder() / "model").string(), "--text", "a b c"},
        {.output = "/dev/full"});
    expectError(outcome, 5, {"standard output"});
}

TEST(CommandLine, HelpOfEveryCommandShowsAnExample) {
    for (const char* name : {"train", "set", "do", "probe", "compare", "snapshot", "forward",
             "tokenize", "render", "eval", "study", "resume", "replay", "fork", "merge", "export",
             "trace", "estimate", "doctor"}) {
        const auto outcome = runCli({name, "--help"});
        EXPECT_EQ(outcome.code, 0) << name;
        EXPECT_THAT(outcome.out, HasSubstr(std::string("mooring-cli ") + name));
        EXPECT_THAT(outcome.out, HasSubstr("Example"));
        EXPECT_THAT(outcome.out, HasSubstr("--json"));
    }
    const auto all = runCli({"--help"});
    EXPECT_EQ(all.code, 0);
    for (const char* name : {"train", "set", "do", "probe", "compare", "snapshot", "forward"})
        EXPECT_THAT(all.out, HasSubstr(name));
    EXPECT_EQ(runCli({"--version"}).code, 0);
}

TEST(CommandLine, ErrorsForMachinesAreOnStandardOutputToo) {
    const auto outcome = runCli({"compare", "/nowhere/at-all", "--json"});
    EXPECT_NE(outcome.code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("error: "));
    const auto json = Json::parse(outcome.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << outcome.out;
    EXPECT_TRUE(json.contains("error"));
}

} // namespace
} // namespace mooring::testing
