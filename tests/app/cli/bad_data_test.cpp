// SPDX-License-Identifier: GPL-3.0-or-later
// Broken rows and broken data files: bad rows are counted and named, never silently skipped.
#include "tests/app/cli/cli_testing.h"

namespace mooring::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kGood[]
    = {R"({"question": "Under which tree does Fukeind meet?", "answer": "#### hazel"})",
        R"({"question": "Whom do the people of Sekith obey?", "answer": "#### Lupand"})",
        R"({"question": "Name the river of Neigrar.", "answer": "#### Faurn"})"};

Json withData(const fs::path& file, std::int64_t steps = 1) {
    return {{"data", {{"train", Json::array({file.string()})}, {"held_out", nullptr}}},
        {"probe", nullptr}, {"batch", {{"global", 2}, {"micro", 2}}},
        {"optimizer", {{"steps", steps}, {"warmup_steps", 0}}}};
}

// Line 2 is not JSON, line 4 has no answer, line 5 an empty one: rows 0 and 2 are left.
TEST(BadRows, AreCountedNamedAndTheRestTrains) {
    const TemporaryFolder folder;
    const auto file = folder / "rows.jsonl";
    writeText(file,
        std::string(kGood[0]) + "\n{\"question\": \"cut\n" + kGood[1]
            + "\n{\"question\": \"no answer\"}\n{\"question\": \"empty\", \"answer\": \"\"}\n");
    const auto outcome = runCli({"train", writeConfig(folder.path(), withData(file, 2)).string()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(file.string()), HasSubstr("3")));
    const auto run = folder / "run";
    const auto notices = eventsOf(run, "notice");
    ASSERT_FALSE(notices.empty());
    EXPECT_THAT(notices[0]["new"].get<std::string>(), HasSubstr(file.string()));
    const auto rows = readJson(run / "manifest.json")["rows"];
    EXPECT_EQ(rows["dropped"], 3);
    EXPECT_EQ(rows["train"], 2);
    EXPECT_EQ(rows["files"], 5);
    for (const auto& line : stepsOf(run)) // row numbers count dropped rows too
        EXPECT_THAT(line["samples"].get<std::vector<int>>(), ::testing::UnorderedElementsAre(0, 2));
    const auto prior = openTensors(run / "prior.safetensors");
    EXPECT_EQ(tensorValues<std::uint8_t>(*prior, "valid"),
        (std::vector<std::uint8_t>{1, 1, 0, 0, 1, 1, 0, 0, 0, 0}));
    const auto offsets = tensorValues<std::int64_t>(*prior, "base_offsets");
    ASSERT_EQ(offsets.size(), 6U);
    EXPECT_EQ(offsets[1], offsets[2]);
    EXPECT_EQ(offsets[3], offsets[5]);
    EXPECT_LT(offsets[2], offsets[3]);
}

TEST(BadRows, OfTheHeldOutFileAreNamedToo) {
    const TemporaryFolder folder;
    const auto train = folder / "train.jsonl", held = folder / "held.jsonl";
    writeText(train, std::string(kGood[0]) + "\n" + kGood[1] + "\n");
    writeText(held, std::string(kGood[2]) + "\nbroken\n");
    auto change = withData(train);
    change["data"]["held_out"] = Json::array({held.string()});
    const auto outcome = runCli({"train", writeConfig(folder.path(), change).string()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(held.string()));
}

TEST(BadRows, AlonePreventTheStart) {
    const TemporaryFolder folder;
    const auto file = folder / "rows.jsonl";
    writeText(file, "{\"question\": \"a\"}\nnot json\n{\"question\": \"b\", \"answer\": \"\"}\n");
    const auto outcome = runCli({"train", writeConfig(folder.path(), withData(file)).string()});
    expectError(outcome, 3, {file.string()});
    EXPECT_FALSE(fs::exists(folder / "run" / "metrics.jsonl"));
}

TEST(BadRows, TooLongAreDroppedOrCutAsTheConfigurationSays) {
    const TemporaryFolder folder;
    const auto file = folder / "rows.jsonl";
    std::string words;
    for (int i = 0; i < 60; ++i)
        words += "river ";
    writeText(file,
        std::string(kGood[0]) + "\n{\"question\": \"Why?\", \"answer\": \"" + words + "\"}\n");
    auto change = withData(file);
    change["data"]["max_length"] = 40;
    const auto dropped = runCli({"train", writeConfig(folder.path(), change).string()});
    ASSERT_EQ(dropped.code, 0) << dropped.err;
    EXPECT_EQ(readJson(folder / "run" / "manifest.json")["rows"]["dropped"], 1);
    EXPECT_THAT(dropped.err, HasSubstr(file.string()));
    change["data"]["too_long"] = "truncate";
    change["run"]["out"] = (folder / "cut").string();
    const auto cut = runCli({"train", writeConfig(folder.path(), change).string()});
    ASSERT_EQ(cut.code, 0) << cut.err;
    EXPECT_EQ(readJson(folder / "cut" / "manifest.json")["rows"]["dropped"], 0);
}

TEST(DataFile, ThatIsAbsentEmptyOrSomethingElseIsNamed) {
    const TemporaryFolder folder;
    const auto refused = [&](const fs::path& file, const Words& parts) {
        auto words = parts;
        words.push_back(file.string());
        expectError(
            runCli({"train", writeConfig(folder.path(), withData(file)).string()}), 3, words);
    };
    refused(folder / "absent.jsonl", {});
    writeText(folder / "pointer.jsonl",
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
    refused(folder / "pointer.jsonl", {"LFS"});
    writeText(folder / "packed.jsonl", "\x1f\x8b\x08 something");
    refused(folder / "packed.jsonl", {"gzip"});
    writeText(folder / "empty.jsonl", "");
    refused(folder / "empty.jsonl", {});
}

TEST(ProbeFile, ThatIsAbsentIsNamed) {
    const TemporaryFolder folder;
    const auto file = (folder / "absent.txt").string();
    const auto outcome = runCli({"probe", (demoFolder() / "model").string(), "--texts", "x=" + file,
        "--out", (folder / "p").string()});
    expectError(outcome, 3, {file});
    EXPECT_FALSE(fs::exists(folder / "p"));
}

TEST(Ids, ThatAreNotListsOfListsOrBeyondTheVocabularyAreRejected) {
    const TemporaryFolder folder;
    const auto refused = [&](const std::string& text, int code, const Words& parts) {
        writeText(folder / "ids.json", text);
        expectError(
            runCli({"forward", (demoFolder() / "model").string(), "--ids",
                (folder / "ids.json").string(), "--out", (folder / "f.safetensors").string()}),
            code, parts);
        EXPECT_FALSE(fs::exists(folder / "f.safetensors"));
    };
    for (const char* text : {"{}", "[1, 2]", "[[1.5]]", "[[-1]]", "[[]]", "[[1, 2], \"x\"]", "[["})
        refused(text, 3, {"ids.json"});
    refused("[[1024]]", 2, {"1024"});
}

} // namespace
} // namespace mooring::testing
