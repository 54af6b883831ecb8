// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/choice_rows.h"
#include "core/base/random.h"
#include <algorithm>
#include <cctype>

namespace mooring {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kShuffleSeed = 42; // docs/methods.md#accuracy
constexpr std::size_t kMostOptions = 26;

struct Choice {
    std::vector<std::string> texts;
    std::vector<std::string> labels; // as answers name them
    std::size_t right = 0;
};

std::string problemOf(const char* what) {
    return std::string("a choice needs a question, choices and an answer, but ") + what;
}

bool readTexts(const Json& list, std::vector<std::string>& out) {
    if (!list.is_array())
        return false;
    for (const auto& item : list) {
        if (!item.is_string())
            return false;
        out.push_back(item.get<std::string>());
    }
    return true;
}

std::string readOptions(const Json& object, Choice& choice) {
    const auto choices = object.find("choices");
    if (choices == object.end())
        return problemOf("`choices` is missing");
    const bool labelled
        = choices->is_object() && choices->contains("text") && choices->contains("label");
    if (labelled ? !readTexts((*choices)["text"], choice.texts)
                || !readTexts((*choices)["label"], choice.labels)
                || choice.labels.size() != choice.texts.size()
                 : !readTexts(*choices, choice.texts))
        return problemOf("`choices` is neither a list of strings nor lists of text and label");
    if (choice.texts.size() < 2 || choice.texts.size() > kMostOptions)
        return problemOf("there are fewer than 2 or more than 26 options");
    if (!labelled)
        for (std::size_t i = 0; i < choice.texts.size(); ++i)
            choice.labels.emplace_back(1, static_cast<char>('A' + i));
    return {};
}

// An index, a label, or the text of the option.
std::string readRight(const Json& object, Choice& choice) {
    for (const char* key : {"answerKey", "answer"}) {
        const auto answer = object.find(key);
        if (answer == object.end() || answer->is_null())
            continue;
        if (answer->is_number_integer()) {
            const auto index = answer->get<std::int64_t>();
            if (index < 0 || index >= std::ssize(choice.texts))
                return problemOf("the answer's index is out of range; options count from 0");
            choice.right = static_cast<std::size_t>(index);
            return {};
        }
        if (!answer->is_string())
            continue;
        for (const auto* names : {&choice.labels, &choice.texts}) {
            const auto at = std::find(names->begin(), names->end(), answer->get<std::string>());
            if (at != names->end()) {
                choice.right = static_cast<std::size_t>(at - names->begin());
                return {};
            }
        }
        return problemOf("the answer is not one of the options");
    }
    return problemOf("`answer` (or `answerKey`) is missing");
}

} // namespace

RowOrProblem choiceRow(const Json& object, std::uint64_t row) {
    const auto question = object.is_object() ? object.find("question") : object.end();
    if (question == object.end() || !question->is_string())
        return {std::nullopt, problemOf("`question` is missing")};
    Choice choice;
    if (const auto problem = readOptions(object, choice); !problem.empty())
        return {std::nullopt, problem};
    if (const auto problem = readRight(object, choice); !problem.empty())
        return {std::nullopt, problem};
    const auto order = permutation(choice.texts.size(), streamOf(kShuffleSeed, row));
    std::string text = question->get<std::string>() + "\n";
    std::string answer;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::string letter(1, static_cast<char>('A' + i));
        text += "\n" + letter + ". " + choice.texts[order[i]];
        if (order[i] == choice.right)
            answer = "#### " + letter;
    }
    text += "\n\nAnswer with the letter of the right option.";
    Row result;
    result.messages = Json::array({Json{{"role", "user"}, {"content", text}},
        Json{{"role", "assistant"}, {"content", answer}}});
    return {std::move(result), ""};
}

std::string chosenLetter(const std::string& text) {
    const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    const auto wordy = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')
            || static_cast<unsigned char>(c) >= 0x80 || c == '\'';
    };
    const std::string_view edges = " \t\r\n().:;,*[]\"";
    const auto begin = text.find_first_not_of(edges);
    if (begin == std::string::npos)
        return {};
    const auto end = text.find_last_not_of(edges) + 1;
    if (end - begin == 1 && wordy(text[begin]) && static_cast<unsigned char>(text[begin]) < 0x80)
        return {static_cast<char>(std::toupper(static_cast<unsigned char>(text[begin])))};
    if (capital(text[begin]) && begin + 1 < text.size()
        && std::string_view(").:").find(text[begin + 1]) != std::string_view::npos)
        return {text[begin]};
    for (auto i = end; i-- > begin;)
        if (capital(text[i]) && (i == 0 || !wordy(text[i - 1]))
            && (i + 1 == text.size() || !wordy(text[i + 1])))
            return {text[i]};
    return {};
}

} // namespace mooring
