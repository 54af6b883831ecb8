// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/column_mapping.h"
#include "core/data/guess_columns.h"
#include "core/data/row_files.h"
#include "tests/core/data/data_folder.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string guessed(const std::string& rows) {
    const DataFolder folder;
    const auto objects = firstObjects(folder.write("rows.jsonl", rows).path, 20);
    return objects.ok() ? mappingText(guessColumns(*objects).columns) : objects.error().message();
}

TEST(GuessColumns, WordsOfTheTradeNamePromptsAndAnswers) {
    EXPECT_EQ(guessed(R"({"id": 1, "Query": "q", "Reply": "a"})"),
        R"({prompt = "Query", answer = "Reply"})");
    EXPECT_EQ(guessed(R"({"user_prompt": "q", "final_answer": "a", "answer_id": null})"),
        R"({prompt = "user_prompt", answer = "final_answer"})");
    EXPECT_EQ(guessed(R"({"text": "Write it.", "code": "x = 1", "task_id": 1})"),
        R"({prompt = "text", answer = "code"})");
    EXPECT_EQ(guessed(R"({"prompt": "q", "canonical_solution": "a", "system_prompt": "s"})"),
        R"({prompt = "prompt", answer = "canonical_solution", system = "system_prompt"})");
}

TEST(GuessColumns, AListOfMessagesGoesBeforeAnything) {
    EXPECT_EQ(
        guessed(R"({"prompt": "q", "answer": "a", "dialogue": [{"from": "human", "value": "q"}]})"),
        R"({messages = "dialogue"})");
}

TEST(GuessColumns, TwoColumnsOfTextAreAPairWhateverTheirNames) {
    EXPECT_EQ(guessed(R"({"a": "q", "b": "x", "c": null})"), R"({prompt = "a", answer = "b"})");
    EXPECT_EQ(guessed(R"({"a": "q", "b": "x", "c": "y"})"), "{}");
}

TEST(GuessColumns, TheReasonNamesWhatWasSeen) {
    const auto guess = guessColumns({{{"query", "four"}, {"reply", "aa"}}, {{"query", "sixsix"}}});
    EXPECT_THAT(guess.reason,
        AllOf(HasSubstr("`query` (text in 2 rows, 5 bytes on average)"), HasSubstr("`reply`"),
            HasSubstr("first 2 rows")));
}

} // namespace
} // namespace mooring
