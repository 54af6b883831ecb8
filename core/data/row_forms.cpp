// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/row_forms.h"
#include "core/base/python_json.h"
#include "core/config/column_mapping.h"
#include "core/data/messages.h"
#include "core/data/other_data.h"
#include <algorithm>

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

bool isSameName(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
        [&](char x, char y) { return lower(x) == lower(y); });
}

// The column of that name, before one whose letters differ in case; null: there is none.
const Json* columnOf(const Json& object, const std::string& name) {
    if (const auto exact = object.find(name); exact != object.end())
        return &*exact;
    for (auto column = object.begin(); column != object.end(); ++column)
        if (isSameName(column.key(), name))
            return &*column;
    return nullptr;
}

// How a value is named in an error about a row that lacks it.
std::string absence(const Json* value, const std::string& name) {
    const std::string column = "`" + name + "` is ";
    if (!value)
        return column + "missing";
    if (value->is_array())
        return column + (value->empty() ? "an empty list" : "a list");
    if (wideDigits(*value))
        return column + "a number";
    const char* nonFinite = nonFiniteName(*value);
    return column + (nonFinite ? nonFinite : value->type_name());
}

bool isMessageList(const Json& value) {
    return value.is_array() && !value.empty() && value[0].is_object()
        && (value[0].contains("role") || value[0].contains("from"));
}

// One side of a pair: text, or messages (prompt and completion as TRL writes them).
enum class Side { Absent, Read, Broken };
Side addSide(Row& row, const Json* value, const char* role, std::string& problem) {
    if (!value)
        return Side::Absent;
    if (std::string text; textOf(*value, text)) {
        addMessage(row.messages, role, text);
        return Side::Read;
    }
    if (!isMessageList(*value))
        return Side::Absent;
    problem = addMessages(row, *value, false);
    return problem.empty() ? Side::Read : Side::Broken;
}

class RowReader {
public:
    explicit RowReader(const Json& object)
        : m_object(object) { }

    RowOrProblem read() {
        if (list("messages", false) || list("conversations", true) || pair("prompt", "response")
            || pair("prompt", "completion") || pair("question", "answer")
            || pair("problem", "solution") || pair("instruction", "output") || text())
            return std::move(m_result);
        if (m_incomplete.empty())
            m_incomplete
                = "it has none of the known columns (messages, conversations, prompt/response, "
                  "question/answer, problem/solution, instruction/output, text), but "
                + columnNames(m_object);
        return {std::nullopt, m_incomplete};
    }

    RowOrProblem readMapped(const std::map<std::string, std::string>& columns) {
        for (const auto& [use, column] : columns)
            if (!m_object.contains(column))
                return {std::nullopt, "the column `" + column + "` is missing"};
        if (const auto system = columns.find("system"); system != columns.end())
            m_system = system->second;
        const auto messages = columns.find("messages");
        const bool read = messages != columns.end()
            ? list(messages->second, true)
            : pair(columns.at("prompt"), columns.at("answer"));
        return read ? std::move(m_result) : RowOrProblem{std::nullopt, m_incomplete};
    }

private:
    bool settle(Row row, const std::string& problem) {
        if (!problem.empty()) {
            m_result.problem = problem;
            return true;
        }
        if (const Json* tools = columnOf(m_object, "tools"); tools && !isMissing(*tools))
            row.tools = *tools;
        m_result.row = std::move(row);
        return true;
    }

    // Remembers the first form that almost matched, to say why the row has none.
    bool miss(const std::string& why) {
        if (m_incomplete.empty())
            m_incomplete = why;
        return false;
    }

    // A mapped system message comes first, where the row has one.
    Row begin() const {
        Row row;
        row.messages = Json::array();
        std::string text;
        if (!m_system.empty() && textOf(m_object[m_system], text) && !text.empty())
            addMessage(row.messages, "system", text);
        return row;
    }

    bool list(const std::string& key, bool shareGpt) {
        const Json* value = columnOf(m_object, key);
        if (!value)
            return false;
        const Json messages = messageListOf(*value);
        if (messages.empty())
            return miss(absence(value, key));
        Row row = begin();
        const std::string problem = addMessages(row, messages, shareGpt);
        return settle(std::move(row), problem);
    }

    bool pair(const std::string& question, const std::string& answer) {
        const Json* asked = columnOf(m_object, question);
        const Json* answered = columnOf(m_object, answer);
        if (!asked && !answered)
            return false;
        Row row = begin();
        std::string problem;
        const Side first = addSide(row, asked, "user", problem);
        if (first == Side::Broken)
            return settle({}, problem);
        if (first == Side::Absent)
            return asked ? miss(absence(asked, question)) : false;
        if (question == "instruction")
            addWords(row, "input", "\n\n", false);
        if (question == "question")
            addWords(row, "body", " ", true);
        const Side second = addSide(row, answered, "assistant", problem);
        if (second == Side::Absent)
            return miss(absence(answered, answer));
        return settle(std::move(row), problem);
    }

    // Alpaca: the input follows its instruction after an empty line. SVAMP: the body of a problem
    // precedes its question.
    void addWords(Row& row, const char* column, const char* between, bool before) {
        const Json* words = columnOf(m_object, column);
        std::string text;
        auto& content = row.messages.back()["content"];
        if (!words || !textOf(*words, text) || text.empty() || !content.is_string())
            return;
        const auto asked = content.get<std::string>();
        content = before ? text + between + asked : asked + between + text;
    }

    bool text() {
        const Json* value = columnOf(m_object, "text");
        if (!value)
            return false;
        if (!value->is_string())
            return miss(absence(value, "text"));
        Row row;
        row.text = value->get<std::string>();
        row.isText = true;
        m_result.row = std::move(row);
        return true;
    }

    const Json& m_object;
    std::string m_system; // the column of the system message
    RowOrProblem m_result;
    std::string m_incomplete;
};

} // namespace

Json messageListOf(const Json& value) {
    if (value.is_array())
        return value;
    if (!value.is_string())
        return nullptr;
    const auto& text = value.get_ref<const std::string&>();
    if (!text.starts_with('['))
        return nullptr;
    auto list = parsePythonJson(text);
    return list && list->is_array() ? std::move(*list) : Json(nullptr);
}

std::string columnNames(const Json& object) {
    constexpr std::size_t kMost = 30;
    std::string names;
    std::size_t count = 0;
    for (auto column = object.begin(); column != object.end() && count < kMost; ++column, ++count)
        names += (count == 0 ? "" : ", ") + column.key();
    return object.empty() ? "no columns" : names + (object.size() > kMost ? ", .." : "");
}

Result<RowOrProblem> rowOf(const Json& object, const std::map<std::string, std::string>& columns) {
    if (!object.is_object())
        return RowOrProblem{std::nullopt,
            "the row is " + std::string(object.is_array() ? "a list" : object.type_name())
                + ", not an object"};
    if (!columns.empty()) {
        if (const std::string problem = mappingProblem(columns); !problem.empty())
            return Error{ErrorCode::Usage, problem, "columns", "write " + mappingExample()};
        return RowReader(object).readMapped(columns);
    }
    if (auto other = otherKindOfData(object))
        return *other;
    if (const std::string column = mediaColumn(object); !column.empty())
        return RowOrProblem{
            std::nullopt, "it has `" + column + "`, but only text can be trained on"};
    return RowReader(object).read();
}

} // namespace mooring
