// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/row_forms.h"
#include "core/data/messages.h"

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

Error notConversations(const std::string& what, const std::string& hint) {
    return Error{ErrorCode::Input, what, "", hint};
}

bool isFilled(const Json& object, const char* key) {
    const auto value = object.find(key);
    return value != object.end() && !value->is_null() && !(value->is_array() && value->empty());
}

// Sets that look like training data and are not meant to be imitated.
std::optional<Error> otherKindOfData(const Json& row) {
    if (row.contains("chosen") && row.contains("rejected"))
        return notConversations("these are preference pairs (chosen and rejected answers)",
            "write the chosen answers as `messages`, preferences are not trained on here");
    const auto label = row.find("label");
    if (label != row.end() && label->is_boolean()
        && (row.contains("messages") || row.contains("conversations") || row.contains("completion")
            || row.contains("response")))
        return notConversations(
            "these are judged answers (KTO: `label` tells good ones from bad ones)",
            "keep the rows whose label is true and remove the column");
    if (row.contains("input_ids"))
        return notConversations("these rows are tokenised already (`input_ids`)",
            "give the texts they were made from, so that spans can be found");
    if (row.contains("message_tree_id"))
        return notConversations("these are trees of messages (OASST)",
            "write each path through a tree as a row with `messages`");
    return std::nullopt;
}

std::string imageColumn(const Json& row) {
    for (const char* key : {"image", "images", "video", "videos", "audio", "audios"})
        if (isFilled(row, key))
            return key;
    return {};
}

// A value as it stands in a sentence about a row that lacks it.
std::string absence(const Json& object, const std::string& key) {
    const auto value = object.find(key);
    if (value == object.end())
        return "`" + key + "` is missing";
    if (value->is_null())
        return "`" + key + "` is null";
    if (value->is_array() && value->empty())
        return "`" + key + "` is an empty list";
    return "`" + key + "` is " + (value->is_array() ? "a list" : std::string(value->type_name()));
}

bool isMessageList(const Json& value) {
    return value.is_array() && !value.empty() && value[0].is_object()
        && (value[0].contains("role") || value[0].contains("from"));
}

// One side of a pair: text, or messages (prompt and completion as TRL writes them).
enum class Side { Absent, Read, Broken };
Side addSide(Json& messages, const Json& object, const std::string& key, const char* role,
    std::string& problem) {
    const auto value = object.find(key);
    if (value == object.end())
        return Side::Absent;
    if (std::string text; textOf(*value, text)) {
        addMessage(messages, role, text);
        return Side::Read;
    }
    if (!isMessageList(*value))
        return Side::Absent;
    problem = addMessages(messages, *value, false);
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
            m_incomplete = "it has none of the known columns (messages, conversations, "
                           "prompt/response, question/answer, problem/solution, "
                           "instruction/output, text)";
        return {std::nullopt, m_incomplete};
    }

    RowOrProblem readMapped(const std::string& prompt, const std::string& answer) {
        m_incomplete.clear();
        if (pair(prompt, answer))
            return std::move(m_result);
        for (const auto& column : {prompt, answer})
            if (!m_object.contains(column))
                return {std::nullopt, "the column `" + column + "` is missing"};
        return {std::nullopt, m_incomplete};
    }

private:
    bool settle(Json messages, const std::string& problem) {
        if (!problem.empty()) {
            m_result.problem = problem;
            return true;
        }
        Row row;
        row.messages = std::move(messages);
        if (const auto tools = m_object.find("tools"); tools != m_object.end())
            row.tools = *tools;
        m_result.row = std::move(row);
        return true;
    }

    // Remembers the first form that was nearly there, to tell why the row has none.
    bool miss(const std::string& why) {
        if (m_incomplete.empty())
            m_incomplete = why;
        return false;
    }

    bool list(const char* key, bool shareGpt) {
        const auto value = m_object.find(key);
        if (value == m_object.end())
            return false;
        if (!value->is_array() || value->empty())
            return miss(absence(m_object, key));
        Json messages = Json::array();
        const std::string problem = addMessages(messages, *value, shareGpt);
        return settle(std::move(messages), problem);
    }

    bool pair(const std::string& question, const std::string& answer) {
        if (!m_object.contains(question) && !m_object.contains(answer))
            return false;
        Json messages = Json::array();
        std::string problem;
        const Side first = addSide(messages, m_object, question, "user", problem);
        if (first == Side::Broken)
            return settle({}, problem);
        if (first == Side::Absent)
            return m_object.contains(question) ? miss(absence(m_object, question)) : false;
        if (question == "instruction")
            addInput(messages);
        const Side second = addSide(messages, m_object, answer, "assistant", problem);
        if (second == Side::Absent)
            return miss(absence(m_object, answer));
        return settle(std::move(messages), problem);
    }

    // Alpaca: the input follows its instruction after an empty line.
    void addInput(Json& messages) {
        const auto input = m_object.find("input");
        std::string text;
        if (input == m_object.end() || !textOf(*input, text) || text.empty())
            return;
        auto& content = messages.back()["content"];
        if (content.is_string())
            content = content.get<std::string>() + "\n\n" + text;
    }

    bool text() {
        const auto value = m_object.find("text");
        if (value == m_object.end())
            return false;
        if (!value->is_string())
            return miss(absence(m_object, "text"));
        Row row;
        row.text = value->get<std::string>();
        row.isText = true;
        m_result.row = std::move(row);
        return true;
    }

    const Json& m_object;
    RowOrProblem m_result;
    std::string m_incomplete;
};

} // namespace

Result<RowOrProblem> rowOf(const Json& object, const std::map<std::string, std::string>& columns) {
    if (!object.is_object())
        return RowOrProblem{std::nullopt,
            "the row is " + std::string(object.is_array() ? "a list" : object.type_name())
                + " and not an object"};
    if (!columns.empty()) {
        const auto prompt = columns.find("prompt");
        const auto answer = columns.find("answer");
        if (prompt == columns.end() || answer == columns.end() || columns.size() != 2)
            return Error{ErrorCode::Usage,
                "the column mapping needs prompt and answer and no other", "columns",
                "write columns = {prompt = \"...\", answer = \"...\"}"};
        return RowReader(object).readMapped(prompt->second, answer->second);
    }
    if (auto other = otherKindOfData(object))
        return *other;
    if (const std::string column = imageColumn(object); !column.empty())
        return RowOrProblem{
            std::nullopt, "it has `" + column + "`, and only text can be trained on"};
    return RowReader(object).read();
}

} // namespace mooring
