// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/data_folder.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string one(const std::string& row) {
    const DataFolder folder;
    const auto rows = rowsOf(folder.write("rows.jsonl", row + "\n"));
    return rows.size() == 1 ? shown(rows[0]) : "not one row";
}

std::string refused(const std::string& row) {
    const DataFolder folder;
    return readError(folder.write("rows.jsonl", row + "\n"));
}

TEST(RowForms, EveryKnownFormIsRead) {
    EXPECT_EQ(one(R"({"messages": [{"role": "user", "content": "q"}, )"
                  R"({"role": "assistant", "content": "a"}]})"),
        "user: q | assistant: a");
    EXPECT_EQ(one(R"({"conversations": [{"from": "system", "value": "s"}, )"
                  R"({"from": "human", "value": "q"}, {"from": "gpt", "value": "a"}]})"),
        "system: s | user: q | assistant: a");
    EXPECT_EQ(one(R"({"prompt": "q", "response": "a"})"), "user: q | assistant: a");
    EXPECT_EQ(one(R"({"prompt": "q", "completion": "a"})"), "user: q | assistant: a");
    EXPECT_EQ(one(R"({"question": "q", "answer": "a"})"), "user: q | assistant: a");
    EXPECT_EQ(one(R"({"problem": "q", "solution": "a"})"), "user: q | assistant: a");
    EXPECT_EQ(one(R"({"instruction": "q", "output": "a"})"), "user: q | assistant: a");
    EXPECT_EQ(one(R"({"text": "t"})"), "t");
}

TEST(RowForms, TheInputFollowsItsInstructionAfterAnEmptyLine) {
    EXPECT_EQ(one(R"({"instruction": "Add.", "input": "2 3", "output": 5})"),
        "user: Add.\n\n2 3 | assistant: 5");
    EXPECT_EQ(one(R"({"instruction": "Hi.", "input": "", "output": "Hello."})"),
        "user: Hi. | assistant: Hello.");
}

TEST(RowForms, TheFirstCompleteFormCounts) {
    EXPECT_EQ(
        one(R"({"text": "t", "problem": "p", "solution": "s", "question": "q", "answer": 4})"),
        "user: q | assistant: 4");
    EXPECT_EQ(one(R"({"messages": [], "prompt": "p", "response": null, "completion": "c"})"),
        "user: p | assistant: c");
    EXPECT_EQ(one(R"({"problem": "p", "answer": "3", "solution": "s"})"), "user: p | assistant: s");
}

TEST(RowForms, AnIncompleteRowSaysWhatItLacks) {
    EXPECT_EQ(one(R"({"prompt": "p", "response": null})"), "[`response` is null]");
    EXPECT_EQ(one(R"({"question": "q", "answer": ["a"]})"), "[`answer` is a list]");
    EXPECT_EQ(one(R"({"messages": []})"), "[`messages` is an empty list]");
    EXPECT_EQ(one(R"({"messages": "no list"})"), "[`messages` is string]");
    EXPECT_THAT(one(R"({"title": "t", "year": 1})"),
        AllOf(HasSubstr("none of the known columns"), HasSubstr("but title, year]")));
    EXPECT_EQ(one(R"(["a", "list"])"), "[the row is a list, not an object]");
    EXPECT_EQ(one("42"), "[the row is number, not an object]");
}

TEST(RowForms, ContentPartsOfTextAreJoinedAndOthersNamed) {
    EXPECT_EQ(one(R"({"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}, )"
                  R"({"type": "text", "value": "b"}]}, {"role": "assistant", "content": "c"}]})"),
        "user: ab | assistant: c");
    EXPECT_THAT(one(R"({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]})"),
        AllOf(HasSubstr("message 1"), HasSubstr("\"image_url\""), HasSubstr("only text")));
}

TEST(RowForms, AMessageNeedsARoleAndContent) {
    EXPECT_THAT(one(R"({"messages": [{"role": "user", "content": null}]})"),
        HasSubstr("message 1 cannot be used: it has no content"));
    EXPECT_THAT(one(R"({"messages": [{"content": "x"}]})"), HasSubstr("no role"));
    EXPECT_THAT(one(R"({"messages": ["x"]})"), HasSubstr("message 1"));
    // One that calls a tool has no words of its own.
    EXPECT_EQ(one(R"({"messages": [{"role": "assistant", "content": null, "tool_calls": []}]})"),
        "assistant: null");
}

TEST(RowForms, RolesOfOtherFormatsAreTranslatedOrNamed) {
    EXPECT_EQ(one(R"({"messages": [{"role": "human", "content": "q"}, )"
                  R"({"role": "gpt", "content": "a"}]})"),
        "user: q | assistant: a");
    EXPECT_EQ(one(R"({"messages": [{"role": "developer", "content": "d"}]})"), "developer: d");
    EXPECT_THAT(one(R"({"conversations": [{"from": "narrator", "value": "o"}]})"),
        HasSubstr("the role \"narrator\" is unknown"));
}

TEST(RowForms, ShareGptCallsOfToolsBecomeToolCalls) {
    const DataFolder folder;
    const auto rows = rowsOf(folder.write("rows.jsonl",
        R"({"conversations": [{"from": "human", "value": "q"}, {"from": "function_call", "value": )"
        R"("{\"name\": \"f\", \"arguments\": {\"x\": 1}}"}, {"from": "observation", "value": "7"}, )"
        R"({"from": "gpt", "value": "a"}], "tools": "[]"})"));
    ASSERT_TRUE(rows[0].row) << rows[0].problem;
    EXPECT_EQ(shown(rows[0]), "user: q | assistant:  | tool: 7 | assistant: a");
    EXPECT_EQ(rows[0].row->messages[1]["tool_calls"].dump(),
        R"([{"type":"function","function":{"name":"f","arguments":{"x":1}}}])");
    EXPECT_THAT(one(R"({"conversations": [{"from": "function_call", "value": "f of x"}]})"),
        HasSubstr("its tool call is not JSON"));
}

TEST(RowForms, ThinkingAndCallsMayBePartsOfTheContent) {
    const DataFolder folder;
    const auto rows = rowsOf(folder.write("rows.jsonl",
        R"({"messages": [{"role": "assistant", "content": [{"type": "reasoning", "value": "hm"}, )"
        R"({"type": "text", "value": "a"}, {"type": "tool_call", "value": "{\"name\": \"f\"}"}]}]})"));
    ASSERT_TRUE(rows[0].row) << rows[0].problem;
    const auto& message = rows[0].row->messages[0];
    EXPECT_EQ(message["reasoning_content"], "hm");
    EXPECT_EQ(message["content"], "a");
    EXPECT_EQ(message["tool_calls"][0]["function"].dump(), R"({"name":"f","arguments":{}})");
}

TEST(RowForms, ColumnsAreKnownInCapitalsAndTheBodyIsBeforeItsQuestion) {
    EXPECT_EQ(one(R"({"Body": "Two pears.", "Question": "How many?", "Answer": 2.0})"),
        "user: Two pears. How many? | assistant: 2.0");
    EXPECT_EQ(
        one(R"({"Question": "Q", "question": "q", "ANSWER": "a"})"), "user: q | assistant: a");
}

TEST(RowForms, AListOfMessagesMayBeAString) {
    EXPECT_EQ(one(R"({"messages": "[{\"role\": \"user\", \"content\": \"q\"}, )"
                  R"({\"role\": \"assistant\", \"content\": \"a\"}]"})"),
        "user: q | assistant: a");
}

TEST(RowForms, FurtherKeysOfAMessageReachTheTemplate) {
    const DataFolder folder;
    const auto rows = rowsOf(folder.write("rows.jsonl",
        R"({"messages": [{"role": "assistant", "content": "a", "reasoning_content": "r"}], )"
        R"("tools": "[]"})"));
    ASSERT_TRUE(rows[0].row);
    EXPECT_EQ(rows[0].row->messages[0]["reasoning_content"], "r");
    EXPECT_EQ(rows[0].row->tools, "[]");
}

TEST(RowForms, TurnsOfWeightZeroAreContextAndOtherWeightsAreRejected) {
    const auto row = [](const char* user, const char* assistant) {
        const DataFolder folder;
        return rowsOf(
            folder.write("rows.jsonl",
                std::string(R"({"messages": [{"role": "user", "content": "q", "loss_weight": )")
                    + user + R"(}, {"role": "assistant", "content": "a", "loss_weight": )"
                    + assistant + "}]}"))
            .front();
    };
    EXPECT_TRUE(row("0.0", "1.0").row->unsupervised.empty());
    EXPECT_THAT(row("0", "false").row->unsupervised, testing::ElementsAre(1));
    EXPECT_THAT(row("0.0", "0.5").problem, HasSubstr("loss_weight is 0.5"));
    EXPECT_THAT(row("1", "1").problem, HasSubstr("only the assistant's turns"));
}

TEST(RowForms, PromptAndCompletionMayBeMessages) {
    EXPECT_EQ(one(R"({"prompt": [{"role": "system", "content": "s"}, {"role": "user", )"
                  R"("content": "q"}], "completion": [{"role": "assistant", "content": "a"}]})"),
        "system: s | user: q | assistant: a");
}

TEST(RowForms, OtherKindsOfDataAreRejectedWithASentence) {
    EXPECT_THAT(refused(R"({"prompt": "p", "chosen": "c", "rejected": "r"})"),
        AllOf(HasSubstr("preference pairs"), HasSubstr("rows.jsonl, row 1")));
    EXPECT_THAT(refused(R"({"messages": [], "label": false})"), HasSubstr("KTO"));
    EXPECT_THAT(refused(R"({"input_ids": [1, 2], "labels": [1, 2]})"), HasSubstr("tokenized"));
    EXPECT_THAT(refused(R"({"message_tree_id": "1", "prompt": {}})"), HasSubstr("OASST"));
    EXPECT_THAT(
        one(R"({"prompt": "p", "response": "r", "images": ["a.png"]})"), HasSubstr("`images`"));
    EXPECT_EQ(one(R"({"prompt": "p", "response": "r", "images": []})"), "user: p | assistant: r");
    // A label that is a number belongs to a task of classification.
    EXPECT_EQ(one(R"({"prompt": "p", "response": "r", "label": 1})"), "user: p | assistant: r");
}

TEST(RowForms, ColumnsMapToPromptAndAnswer) {
    const DataFolder folder;
    auto file = folder.write("rows.jsonl",
        R"({"Body": "q", "Answer": 8.0, "text": "t"})"
        "\n"
        R"({"Body": "q"})"
        "\n");
    file.columns = {{"prompt", "Body"}, {"answer", "Answer"}};
    const auto rows = rowsOf(file);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(shown(rows[0]), "user: q | assistant: 8.0");
    EXPECT_EQ(shown(rows[1]), "[the column `Answer` is missing]");
    file.columns = {{"prompt", "Body"}};
    EXPECT_THAT(readError(file), HasSubstr("needs prompt and answer"));
    file.columns = {{"prompt", "Body"}, {"answer", "Answer"}, {"system", "text"}};
    EXPECT_EQ(shown(rowsOf(file)[0]), "system: t | user: q | assistant: 8.0");
}

TEST(RowForms, AColumnMapsToMessages) {
    const DataFolder folder;
    auto file = folder.write("rows.jsonl",
        R"({"chat": [{"from": "human", "value": "q"}, {"from": "gpt", "value": "a"}], "messages": 3})");
    file.columns = {{"messages", "chat"}};
    EXPECT_EQ(shown(rowsOf(file)[0]), "user: q | assistant: a");
}

} // namespace
} // namespace mooring
