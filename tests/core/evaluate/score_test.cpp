// SPDX-License-Identifier: GPL-3.0-or-later
// Answer extraction and comparison (docs/methods.md#accuracy).
#include "core/evaluate/choice_rows.h"
#include "core/evaluate/evaluate.h"
#include <cmath>
#include <gmock/gmock.h>
#include <set>

namespace mooring {
namespace {

using ::testing::HasSubstr;

TEST(Extraction, TheLastBalancedBoxComesFirst) {
    EXPECT_EQ(
        extractAnswer("so \\boxed{1} or \\boxed{\\frac{1}{2}} then", "exact"), "\\frac{1}{2}");
    EXPECT_EQ(extractAnswer("\\boxed{7} #### 8\nand 9", "number"), "7");
    EXPECT_EQ(extractAnswer("\\boxed{7} then \\boxed{8", "number"), "7"); // the last one never ends
    EXPECT_EQ(extractAnswer("\\boxed{}", "number"), "");
}

TEST(Extraction, ThenTheTextAfterTheLastHashes) {
    EXPECT_EQ(extractAnswer("a #### 3\nb #### 17 ", "exact"), "17");
    EXPECT_EQ(extractAnswer("5 #### hazel\ntree", "exact"), "hazel\ntree");
    EXPECT_EQ(extractAnswer("12 ####", "number"), "");
}

TEST(Extraction, ThenTheLastNumberForNumbersAlone) {
    EXPECT_EQ(extractAnswer("it costs $1,250.50.", "number"), "1,250.50");
    EXPECT_EQ(extractAnswer("from 3 to -4 degrees", "number"), "-4");
    EXPECT_EQ(extractAnswer("10-4", "number"), "4"); // a minus between numbers is not a sign
    EXPECT_EQ(extractAnswer("covid-19", "number"), "19");
    EXPECT_EQ(extractAnswer("none", "number"), "");
    EXPECT_EQ(extractAnswer(" the hazel \n", "exact"), "the hazel");
}

TEST(Comparison, NumbersAreComparedAsDecimals) {
    EXPECT_TRUE(answersAgree("1,250.50", "1250.5", "number"));
    EXPECT_TRUE(answersAgree("$ 40%", "40.0", "number"));
    EXPECT_TRUE(answersAgree("-0.50", "-.5", "number"));
    EXPECT_TRUE(answersAgree("+007", "7", "number"));
    EXPECT_TRUE(answersAgree("-0", "0.0", "number"));
    EXPECT_FALSE(answersAgree("forty", "40", "number"));
    EXPECT_FALSE(answersAgree("", "0", "number"));
    EXPECT_FALSE(answersAgree("5", "-5", "number"));
    // 2^53 + 1 and 2^53 are one double and two numbers.
    EXPECT_FALSE(answersAgree("9007199254740993", "9007199254740992", "number"));
}

TEST(Comparison, ExactAnswersCollapseSpaceAndKeepTheirCase) {
    EXPECT_TRUE(answersAgree(" hazel  tree\n", "hazel tree", "exact"));
    EXPECT_FALSE(answersAgree("Hazel", "hazel", "exact"));
    EXPECT_FALSE(answersAgree("", "", "exact"));
}

TEST(Choice, TheLetterIsFoundInWhatWasExtracted) {
    EXPECT_EQ(extractAnswer("A or C? #### B", "choice"), "B");
    EXPECT_EQ(extractAnswer("\\boxed{\\text{D}}", "choice"), "D");
    EXPECT_EQ(extractAnswer("(c).", "choice"), "C");
    EXPECT_EQ(extractAnswer("B. A river flows there", "choice"), "B");
    EXPECT_EQ(extractAnswer("The answer is C, since Bees fly", "choice"), "C");
    EXPECT_EQ(extractAnswer("no idea", "choice"), "");
    EXPECT_FALSE(answersAgree("", "", "choice"));
}

nlohmann::ordered_json parse(const char* text) {
    return nlohmann::ordered_json::parse(text);
}

std::string promptOf(const RowOrProblem& row) {
    return row.row ? row.row->messages[0]["content"].get<std::string>() : row.problem;
}

std::string answerOf(const RowOrProblem& row) {
    return row.row ? row.row->messages[1]["content"].get<std::string>() : row.problem;
}

// The line of the letter that is right must hold the right text, whatever the order.
void expectRight(const RowOrProblem& row, const std::string& text) {
    const auto letter = extractAnswer(answerOf(row), "choice");
    EXPECT_THAT(promptOf(row), HasSubstr("\n" + letter + ". " + text + "\n"));
}

TEST(Choice, IndexLetterTextAndKeyNameTheSameOption) {
    for (const char* text : {R"({"question": "q", "choices": ["w", "x", "y", "z"], "answer": 2})",
             R"({"question": "q", "choices": ["w", "x", "y", "z"], "answer": "C"})",
             R"({"question": "q", "choices": ["w", "x", "y", "z"], "answer": "y"})",
             R"({"question": "q", "choices": {"text": ["w", "x", "y", "z"],
                 "label": ["1", "2", "3", "4"]}, "answerKey": "3"})"})
        for (std::uint64_t number = 0; number < 5; ++number)
            expectRight(choiceRow(parse(text), number), "y");
}

TEST(Choice, OptionsAreShuffledOnceByTheRow) {
    const auto object = parse(R"({"question": "q", "choices": ["w", "x", "y", "z"], "answer": 0})");
    EXPECT_EQ(promptOf(choiceRow(object, 3)), promptOf(choiceRow(object, 3)));
    std::set<std::string> answers;
    for (std::uint64_t number = 0; number < 40; ++number)
        answers.insert(answerOf(choiceRow(object, number)));
    EXPECT_EQ(answers.size(), 4u); // each letter is right somewhere
}

TEST(Choice, RowsThatAreNoneSayWhatIsMissing) {
    EXPECT_THAT(choiceRow(parse(R"({"question": "q", "answer": 0})"), 0).problem,
        HasSubstr("`choices` is missing"));
    EXPECT_THAT(choiceRow(parse(R"({"question": "q", "choices": ["a", "b"]})"), 0).problem,
        HasSubstr("`answer`"));
    EXPECT_THAT(
        choiceRow(parse(R"({"question": "q", "choices": ["a", "b"], "answer": 2})"), 0).problem,
        HasSubstr("count from 0"));
    EXPECT_THAT(
        choiceRow(parse(R"({"question": "q", "choices": ["a", "b"], "answer": "c"})"), 0).problem,
        HasSubstr("not one of the options"));
    EXPECT_THAT(choiceRow(parse(R"({"choices": ["a", "b"], "answer": 0})"), 0).problem,
        HasSubstr("`question`"));
    EXPECT_THAT(choiceRow(parse(R"(["a"])"), 0).problem, HasSubstr("`question`"));
}

TaskResult resultOf(std::vector<bool> correct, std::int64_t repeats) {
    TaskResult result{"t", "id", repeats, {}};
    for (const bool right : correct) {
        result.answers.emplace_back();
        result.answers.back().correct = right;
    }
    return result;
}

// 3 of 4: variance of the values .75 x .25 x 4 / 3, over 4 questions.
TEST(Score, TheStandardErrorIsThatOfTheMeanOverQuestions) {
    const auto score = resultOf({true, true, false, true}, 1).score(7);
    EXPECT_EQ(score.step, 7);
    EXPECT_EQ(score.correct, 3);
    EXPECT_EQ(score.total, 4);
    EXPECT_DOUBLE_EQ(score.accuracy, 0.75);
    EXPECT_DOUBLE_EQ(score.standardError, std::sqrt(0.25 / 4));
}

// Two questions of two repeats, shares 1 and .5: mean .75, sample deviation .3536, error .25.
TEST(Score, RepeatsOfAQuestionAreNoFurtherQuestions) {
    const auto score = resultOf({true, true, false, true}, 2).score(0);
    EXPECT_EQ(score.repeats, 2);
    EXPECT_DOUBLE_EQ(score.accuracy, 0.75);
    EXPECT_DOUBLE_EQ(score.standardError, 0.25);
}

} // namespace
} // namespace mooring
