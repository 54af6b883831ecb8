// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/guess_columns.h"
#include "core/config/column_mapping.h"
#include "core/data/messages.h"
#include "core/data/row_files.h"
#include <algorithm>

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kLookedAt = 20; // rows

// What the first rows show of one column.
struct Column {
    std::string name;
    int filled = 0; // rows with text in it
    int conversations = 0; // rows with a list of messages in it
    std::size_t bytes = 0;
};

// Common column names, the likeliest first.
constexpr std::string_view kPrompts[] = {"prompt", "question", "instruction", "problem", "query",
    "user", "human", "input", "ask", "request", "text", "body", "source", "title"};
constexpr std::string_view kAnswers[]
    = {"answer", "response", "completion", "solution", "output", "reply", "assistant", "target",
        "code", "chosen", "label", "gold", "result", "summary", "translation"};
constexpr std::string_view kSystems[] = {"system_prompt", "system"};

std::string lowerCase(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
        [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
}

bool isConversation(const Json& value) {
    const Json list = messageListOf(value);
    return !list.empty() && list[0].is_object()
        && (list[0].contains("role") || list[0].contains("from"));
}

std::vector<Column> columnsOf(const std::vector<Json>& rows) {
    std::vector<Column> columns;
    for (const Json& row : rows)
        for (auto value = row.begin(); value != row.end(); ++value) {
            auto column = std::find_if(columns.begin(), columns.end(),
                [&](const Column& known) { return known.name == value.key(); });
            if (column == columns.end())
                column = columns.insert(columns.end(), Column{value.key()});
            std::string text;
            if (isConversation(*value))
                ++column->conversations;
            else if (textOf(*value, text) && !text.empty()) {
                ++column->filled;
                column->bytes += text.size();
            }
        }
    return columns;
}

// How well a name fits: the exact word before one that contains it, early words before late.
template <std::size_t N>
int fit(const std::string& name, const std::string_view (&words)[N]) {
    const std::string lower = lowerCase(name);
    for (std::size_t i = 0; i < N; ++i)
        if (lower == words[i])
            return static_cast<int>(2 * N - i);
    for (std::size_t i = 0; i < N; ++i)
        if (lower.find(words[i]) != std::string::npos)
            return static_cast<int>(N - i);
    return 0;
}

template <std::size_t N>
const Column* best(const std::vector<Column>& columns, const std::string_view (&words)[N],
    const Column* taken = nullptr) {
    const Column* found = nullptr;
    int most = 0;
    for (const Column& column : columns) {
        const int points = &column == taken || column.filled == 0 ? 0 : fit(column.name, words);
        if (points > most) {
            most = points;
            found = &column;
        }
    }
    return found;
}

std::string described(const Column& column) {
    return "`" + column.name + "` (text in " + std::to_string(column.filled) + " rows, "
        + std::to_string(column.bytes / static_cast<std::size_t>(std::max(1, column.filled)))
        + " bytes on average)";
}

ColumnGuess pairGuess(const std::vector<Column>& columns, const std::string& ofRows) {
    const Column* answer = best(columns, kAnswers);
    const Column* prompt = best(columns, kPrompts, answer);
    if (prompt && answer)
        return {{{"prompt", prompt->name}, {"answer", answer->name}},
            "by their names " + described(*prompt) + " asks and " + described(*answer) + " answers"
                + ofRows};
    // Without a matching name: two columns with text in every row, as in a CSV file of pairs.
    std::vector<const Column*> texts;
    for (const Column& column : columns)
        if (column.filled > 0)
            texts.push_back(&column);
    if (texts.size() == 2)
        return {{{"prompt", texts[0]->name}, {"answer", texts[1]->name}},
            "they are the only two with text, " + described(*texts[0]) + " before "
                + described(*texts[1]) + ofRows};
    return {{}, "no two columns look like a question and its answer"};
}

} // namespace

ColumnGuess guessColumns(const std::vector<Json>& rows) {
    const auto columns = columnsOf(rows);
    const std::string ofRows
        = ", in the first " + std::to_string(rows.size()) + (rows.size() == 1 ? " row" : " rows");
    ColumnGuess guess;
    const auto talk = std::max_element(columns.begin(), columns.end(),
        [](const Column& a, const Column& b) { return a.conversations < b.conversations; });
    if (talk != columns.end() && talk->conversations > 0)
        guess
            = {{{"messages", talk->name}}, "`" + talk->name + "` holds lists of messages" + ofRows};
    else
        guess = pairGuess(columns, ofRows);
    const Column* system = guess.columns.empty() ? nullptr : best(columns, kSystems);
    if (system)
        guess.columns["system"] = system->name;
    return guess;
}

std::string adviceFor(const DataFile& file) {
    const auto rows = firstObjects(file.path, kLookedAt);
    if (!rows.ok() || rows->empty())
        return "fix the rows, or map the columns with " + mappingExample();
    const ColumnGuess guess = guessColumns(*rows);
    return "columns here: " + columnNames(rows->front()) + "; set "
        + (guess.columns.empty() ? mappingExample() : "columns = " + mappingText(guess.columns));
}

} // namespace mooring
