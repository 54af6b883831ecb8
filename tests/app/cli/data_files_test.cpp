// SPDX-License-Identifier: GPL-3.0-or-later Data files of several kinds, their columns and weights,
// and what `render --summary` says about them.
#include "tests/app/cli/cli_testing.h"
#include <map>

namespace mooring::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string model() {
    return (demoFolder() / "model").string();
}

std::string asked(int i) {
    return "Under which tree does town " + std::to_string(i) + " meet?";
}

Json summaryOf(const Words& more) {
    Words words = {"render", model(), "--summary", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const auto outcome = runCli(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out, nullptr, false);
}

TEST(Summary, CountsRowsTokensAndReasonsWithTheirPlaces) {
    const TemporaryFolder folder;
    const auto file = folder / "rows.jsonl";
    std::string text;
    for (int i = 0; i < 10; ++i)
        text += Json{{"question", asked(i)}, {"answer", "#### hazel"}}.dump() + "\n";
    writeText(file, text + "{\"question\": \"x\"}\nbroken\n{\"question\": \"y\"}\n");
    const Json summary = summaryOf({"--data", file.string(), "--global", "4"});
    EXPECT_EQ(summary["rows"], 13);
    EXPECT_EQ(summary["kept"], 10);
    EXPECT_EQ(summary["dropped"], 3);
    ASSERT_EQ(summary["reasons"].size(), 2U);
    EXPECT_EQ(summary["reasons"][0]["reason"], "`answer` is missing");
    EXPECT_EQ(summary["reasons"][0]["rows"], 2);
    EXPECT_EQ(
        summary["reasons"][0]["places"], Json({file.string() + ":11", file.string() + ":13"}));
    EXPECT_EQ(summary["steps_per_epoch"], 3); // ten rows, four a step
    // The sums are those of the rows one by one.
    std::int64_t tokens = 0, supervised = 0;
    for (int i = 0; i < 10; ++i) {
        const Json row = Json::parse(
            runCli({"render", model(), "--data", file.string(), "--row", std::to_string(i)}).out);
        tokens += static_cast<std::int64_t>(row["ids"].size());
        for (const auto& one : row["supervised"])
            supervised += one.get<int>();
    }
    EXPECT_EQ(summary["tokens"], tokens);
    EXPECT_EQ(summary["supervised"], supervised);
    EXPECT_EQ(summaryOf({"--data", file.string(), "--max-length", "5"})["kept"], 0);
}

TEST(Summary, OfRowsWithOtherColumnsFollowsTheMapping) {
    const TemporaryFolder folder;
    const auto file = folder / "rows.csv";
    writeText(file, "id;Query;Reply\n1;\"Which; river?\";Faurn\n");
    EXPECT_EQ(summaryOf({"--data", file.string()})["kept"], 0);
    EXPECT_EQ(
        summaryOf({"--data", file.string(), "--columns", "prompt=Query", "answer=Reply"})["kept"],
        1);
    expectError(runCli({"render", model(), "--data", file.string(), "--columns", "prompt"}), 2,
        {"--columns"});
}

TEST(RenderAll, KeepsTheOrderOfManyRows) {
    const TemporaryFolder folder;
    const auto file = folder / "rows.jsonl";
    std::string text;
    for (int i = 0; i < 700; ++i)
        text += Json{{"text", "row " + std::to_string(i)}}.dump() + "\n";
    writeText(file, text);
    writeText(folder / "out.jsonl", "");
    const auto outcome = runCli(
        {"render", model(), "--data", file.string(), "--all"}, {.output = folder / "out.jsonl"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto rows = readLines(folder / "out.jsonl");
    ASSERT_EQ(rows.size(), 700U);
    for (std::size_t i = 0; i < rows.size(); ++i)
        ASSERT_EQ(rows[i]["text"], "row " + std::to_string(i));
}

// Three rows of weight 2 and four of weight 0.5: an epoch has 6 + 2.
TEST(Weights, SayHowOftenAnEpochHoldsTheRowsOfAFile) {
    const TemporaryFolder folder;
    std::string first = "question,answer\n", second;
    for (int i = 0; i < 3; ++i)
        first += asked(i) + ",#### hazel\n";
    for (int i = 3; i < 7; ++i)
        second += Json{{"question", asked(i)}, {"answer", "#### elm"}}.dump() + "\n";
    writeText(folder / "a.csv", first);
    writeText(folder / "b.jsonl", second);
    const Json change
        = {{"data",
               {{"train",
                    Json::array({{{"path", (folder / "a.csv").string()}, {"weight", 2}},
                        {{"path", (folder / "b.jsonl").string()}, {"weight", 0.5}}})},
                   {"held_out", nullptr}}},
            {"probe", nullptr}, {"batch", {{"global", 4}, {"micro", 4}}},
            {"optimizer", {{"steps", nullptr}, {"epochs", 2}, {"warmup_steps", 0}}}};
    const auto outcome = runCli({"train", writeConfig(folder.path(), change).string()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::map<int, int> seen[2];
    const auto steps = stepsOf(folder / "run");
    ASSERT_EQ(steps.size(), 4U); // two epochs of eight rows, four a step
    for (std::size_t step = 0; step < 4; ++step)
        for (const auto& row : steps[step]["samples"])
            ++seen[step / 2][row.get<int>()];
    for (const auto& epoch : seen)
        for (int row = 0; row < 3; ++row)
            EXPECT_EQ(epoch.at(row), 2);
    for (int row = 3; row < 7; ++row) // by turns: each row in one of the two epochs
        EXPECT_EQ(seen[0].count(row) + seen[1].count(row), 1U);
    EXPECT_THAT(readText(folder / "run" / "run.toml"), HasSubstr("weight = 0.5}"));
}

TEST(Rows, WithoutAKnownFormAreRejectedWithAProposal) {
    const TemporaryFolder folder;
    const auto file = folder / "rows.csv";
    writeText(file, "id,query,reply\n1,Which river?,Faurn\n");
    const Json change = {{"data", {{"train", Json::array({file.string()})}, {"held_out", nullptr}}},
        {"probe", nullptr}};
    expectError(runCli({"train", writeConfig(folder.path(), change).string()}), 3,
        {"columns here: id, query, reply", "columns = {prompt = \"query\", answer = \"reply\"}"});
}

} // namespace
} // namespace mooring::testing
