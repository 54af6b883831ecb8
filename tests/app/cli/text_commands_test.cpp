// SPDX-License-Identifier: GPL-3.0-or-later
// tokenize and render: the tokenizer's files alone, no weights.
#include "tests/app/cli/cli_testing.h"
#include <sstream>

namespace mooring::testing {
namespace {

using ::testing::HasSubstr;

std::string model() {
    return (demoFolder() / "model").string();
}

Json tokenized(const Words& more, const std::string& input = {}) {
    Words words = {"tokenize", model()};
    words.insert(words.end(), more.begin(), more.end());
    const auto outcome = runCli(words, {.input = input});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
}

// The demo's template.
const std::string kQuestion = "Under which tree does Fukeind meet?", kAnswer = "#### hazel";
const std::string kHead = "<|bos|><|im_user|>user<|im_middle|>" + kQuestion
    + "<|im_end|><|im_assistant|>assistant<|im_middle|>";
const std::string kText = kHead + kAnswer + "<|im_end|>";

class Render : public ::testing::Test {
protected:
    Render() {
        writeText(file(),
            Json({{"question", kQuestion}, {"answer", kAnswer}}).dump() + "\nbroken\n"
                + Json({{"text", "A plain text."}}).dump() + "\n"
                + R"({"messages": [{"role": "system", "content": "x"}]})" + "\n");
    }
    fs::path file() const { return m_folder / "rows.jsonl"; }
    Outcome run(const Words& more) const {
        Words words = {"render", model(), "--data", file().string()};
        words.insert(words.end(), more.begin(), more.end());
        return runCli(words);
    }
    Json row(const Words& more) const {
        const auto outcome = run(more);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return Json::parse(outcome.out);
    }
    fs::path path(const std::string& name) const { return m_folder / name; }

private:
    TemporaryFolder m_folder;
};

TEST(Tokenize, AddsNoSpecialTokensAndKnowsThoseInTheText) {
    EXPECT_EQ(tokenized({"--text", ""}), Json::array());
    EXPECT_EQ(tokenized({"--text", "<|bos|><|im_end|><|pad|>"}), Json({1, 2, 0}));
    EXPECT_EQ(tokenized({"--text", "1234"}).size(), 4U); // digits stand alone
}

TEST(Tokenize, ReadsStandardInputWhereNoTextIsGiven) {
    EXPECT_EQ(tokenized({}, "the river"), tokenized({"--text", "the river"}));
}

TEST(Tokenize, PiecesCoverEveryByteInOrder) {
    const std::string text = "Füße: 1 + 2\n日本";
    const auto json = tokenized({"--text", text, "--pieces"});
    ASSERT_EQ(json["ids"].size(), json["pieces"].size());
    EXPECT_EQ(json["ids"], tokenized({"--text", text}));
    std::size_t at = 0;
    for (const auto& piece : json["pieces"]) {
        EXPECT_LE(piece[0].get<std::size_t>(), at);
        EXPECT_LE(at, piece[1].get<std::size_t>());
        at = piece[1];
    }
    EXPECT_EQ(at, text.size());
}

TEST(Tokenize, LinesGiveOneArrayEach) {
    const auto outcome
        = runCli({"tokenize", model(), "--lines"}, {.input = "\"a\\nb\"\n\"\"\n\"the river\"\n"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::istringstream lines(outcome.out);
    std::vector<Json> all;
    for (std::string line; std::getline(lines, line);)
        all.push_back(Json::parse(line));
    EXPECT_THAT(all,
        ::testing::ElementsAre(
            tokenized({"--text", "a\nb"}), Json::array(), tokenized({"--text", "the river"})));
    expectError(
        runCli({"tokenize", model(), "--lines"}, {.input = "\"a\"\nplain\n"}), 3, {"line 2"});
}

TEST(Tokenize, NeedsATokenizer) {
    const TemporaryFolder folder;
    expectError(
        runCli({"tokenize", folder.path().string(), "--text", "a"}), 3, {folder.path().string()});
}

TEST_F(Render, GivesTheTextOfTheTemplateAndItsTokens) {
    const auto json = row({"--row", "0"});
    EXPECT_EQ(json["text"], kText);
    EXPECT_EQ(json["ids"], tokenized({"--text", kText}));
    EXPECT_TRUE(json["dropped"].is_null());
}

TEST_F(Render, MarksTheAnswerAndTheEndOfItsTurnAsSpanAAndSupervised) {
    const auto json = row({});
    const auto head = tokenized({"--text", kHead}).size(), all = json["ids"].size();
    EXPECT_EQ(json["span"], std::string(head, 'Q') + std::string(all - head, 'A'));
    std::vector<int> expected(all, 0);
    std::fill(expected.begin() + static_cast<std::ptrdiff_t>(head), expected.end(), 1);
    EXPECT_EQ(json["supervised"], Json(expected));
}

TEST_F(Render, TakesATextRowAsItIs) {
    const auto json = row({"--row", "2"});
    EXPECT_EQ(json["text"], "A plain text.");
    EXPECT_EQ(json["ids"], tokenized({"--text", "A plain text."}));
    EXPECT_EQ(json["span"], std::string(json["ids"].size(), 'Q'));
    EXPECT_EQ(json["supervised"][1], 1);
}

TEST_F(Render, AllGivesALineEachWithTheReasonOfDroppedOnes) {
    const auto outcome = run({"--all"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::istringstream lines(outcome.out);
    std::vector<Json> all;
    for (std::string line; std::getline(lines, line);)
        all.push_back(Json::parse(line));
    ASSERT_EQ(all.size(), 4U);
    EXPECT_TRUE(all[0]["dropped"].is_null());
    EXPECT_THAT(all[1]["dropped"].get<std::string>(), HasSubstr("2"));
    EXPECT_TRUE(all[2]["dropped"].is_null());
    // The template itself rejects a system turn, in its own words.
    EXPECT_THAT(all[3]["dropped"].get<std::string>(), HasSubstr("user and assistant turns only"));
}

TEST_F(Render, GenerationPromptEndsWithTheHeaderOfTheAssistant) {
    const auto text = row({"--generation-prompt"})["text"].get<std::string>();
    EXPECT_EQ(text, kText + "<|im_assistant|>assistant<|im_middle|>");
}

TEST_F(Render, TemplateFileKwargsAndDateReachTheTemplate) {
    const auto file = path("other.jinja");
    writeText(file, "{{ greeting }} {{ strftime_now('%Y-%m-%d') }} {{ messages[0].content }}");
    const auto json = row({"--template", file.string(), "--kwargs", R"({"greeting": "Hello"})",
        "--now", "2026-01-15"});
    EXPECT_EQ(json["text"], "Hello 2026-01-15 " + kQuestion);
    expectError(run({"--kwargs", "[1]"}), 2, {"--kwargs"});
}

TEST_F(Render, TemplateWithoutATokenizerGivesTheTextAlone) {
    const TemporaryFolder empty;
    writeText(path("t.jinja"), "{{ messages[1].content }}!");
    const auto outcome = runCli({"render", empty.path().string(), "--data", file().string(),
        "--template", path("t.jinja").string()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out), Json({{"text", kAnswer + "!"}}));
}

TEST_F(Render, RowBeyondTheFileIsRejected) {
    expectError(run({"--row", "9"}), 2, {"9", file().string()});
}

} // namespace
} // namespace mooring::testing
