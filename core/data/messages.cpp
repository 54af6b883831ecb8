// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/messages.h"
#include "core/base/python_json.h"
#include "core/data/tool_calls.h"

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

std::string shown(const Json& value) {
    const auto digits = wideDigits(value);
    const char* nonFinite = nonFiniteName(value);
    std::string text = digits ? *digits
        : nonFinite           ? nonFinite
                              : value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > 40) {
        text.resize(40);
        text += "..";
    }
    return text;
}

// The text of a part, wherever tools write it.
const std::string* textOfPart(const Json& part) {
    for (const char* key : {"text", "value"}) {
        const auto text = part.find(key);
        if (text != part.end() && text->is_string())
            return &text->get_ref<const std::string&>();
    }
    return nullptr;
}

// A part of a content list: words, thinking or a call of a tool. The reason why not, or nothing.
std::string addPart(Json& message, std::string& content, const Json& part) {
    if (part.is_string()) {
        content += part.get_ref<const std::string&>();
        return {};
    }
    if (!part.is_object())
        return "a content part is " + shown(part);
    const auto found = part.find("type");
    const std::string type
        = found != part.end() && found->is_string() ? found->get<std::string>() : "";
    const std::string* text = textOfPart(part);
    if (type != "text" && type != "reasoning" && type != "tool_call")
        return "a content part has the type " + (found == part.end() ? "null" : shown(*found))
            + "; only text can be trained on";
    if (!text)
        return "a " + type + " part has no text";
    if (type == "tool_call")
        return addToolCalls(message, *text);
    if (type == "text") {
        content += *text;
        return {};
    }
    Json& thinking = message["reasoning_content"];
    thinking = (thinking.is_string() ? thinking.get<std::string>() : "") + *text;
    return {};
}

std::string readContent(const Json& value, Json& message) {
    if (std::string text; textOf(value, text)) {
        message["content"] = text;
        return {};
    }
    // A message that only calls a tool has no text of its own.
    if (isMissing(value) && message.contains("tool_calls") && message["tool_calls"].is_array()) {
        message["content"] = nullptr;
        return {};
    }
    if (value.is_null())
        return "it has no content";
    if (!value.is_array())
        return "its content is " + shown(value);
    std::string content;
    for (const Json& part : value)
        if (auto problem = addPart(message, content, part); !problem.empty())
            return problem;
    message["content"] = content;
    return {};
}

// Weights of single turns say what to train on: an answer counts or is context. Ignoring any other
// weight would train on the wrong tokens.
std::string readWeight(const Json& message, bool& supervised) {
    const bool assistant = message["role"] == "assistant";
    for (const char* key : {"loss_weight", "weight", "train"}) {
        const auto value = message.find(key);
        if (value == message.end() || isMissing(*value))
            continue;
        const bool is0 = value->is_boolean() ? !value->get<bool>() : *value == 0.0;
        const bool is1 = value->is_boolean() ? value->get<bool>() : *value == 1.0;
        if (!is0 && !(is1 && assistant))
            return std::string(key) + " is " + shown(*value)
                + (assistant ? "; turn weights between 0 and 1 are not supported"
                             : "; only the assistant's turns can be trained on");
        supervised = supervised && is1;
    }
    return {};
}

// ShareGPT's names for speakers; empty: unknown.
std::string roleOf(const std::string& name, bool shareGpt) {
    if (name == "human" || name == "prompter")
        return "user";
    if (name == "gpt")
        return "assistant";
    if (!shareGpt)
        return name;
    for (const char* answering : {"chatgpt", "bing", "bard", "model", "function_call"})
        if (name == answering)
            return "assistant";
    for (const char* tool : {"observation", "function_response", "tool_response"})
        if (name == tool)
            return "tool";
    for (const char* same : {"system", "user", "assistant", "tool", "developer"})
        if (name == same)
            return name;
    return {};
}

std::string readMessage(const Json& source, bool shareGpt, Json& message) {
    if (!source.is_object())
        return "it is " + shown(source);
    const auto first = [&](const char* a, const char* b) {
        const auto found = source.find(a);
        return found != source.end() ? found : source.find(b);
    };
    const auto role = first("role", "from");
    if (role == source.end() || !role->is_string())
        return "it has no role";
    const std::string name = role->get<std::string>();
    message["role"] = roleOf(name, shareGpt);
    if (message["role"] == "")
        return "the role \"" + name + "\" is unknown";
    message["content"] = nullptr;
    const auto content = first("content", "value");
    for (const auto& [key, value] : source.items())
        if (key != "role" && key != "from" && key != "content" && key != "value")
            message[key] = value;
    const Json none;
    const Json& words = content == source.end() ? none : *content;
    if (shareGpt && name == "function_call") {
        message["content"] = "";
        return addToolCalls(message, words);
    }
    return readContent(words, message);
}

} // namespace

bool textOf(const Json& value, std::string& text) {
    if (value.is_string())
        text = value.get<std::string>();
    else if (value.is_boolean())
        text = value.get<bool>() ? "true" : "false";
    else if (const auto number = numberText(value))
        text = *number;
    else
        return false;
    return true;
}

void addMessage(Json& messages, const std::string& role, const std::string& content) {
    Json message = Json::object();
    message["role"] = role;
    message["content"] = content;
    messages.push_back(std::move(message));
}

std::string addMessages(Row& row, const Json& list, bool shareGpt) {
    std::size_t number = 0;
    for (const Json& source : list) {
        ++number;
        Json message = Json::object();
        std::string problem = readMessage(source, shareGpt, message);
        bool supervised = true;
        if (problem.empty())
            problem = readWeight(message, supervised);
        if (!problem.empty())
            return "message " + std::to_string(number) + " cannot be used: " + problem;
        if (!supervised && message["role"] == "assistant")
            row.unsupervised.push_back(static_cast<int>(row.messages.size()));
        row.messages.push_back(std::move(message));
    }
    return {};
}

} // namespace mooring
