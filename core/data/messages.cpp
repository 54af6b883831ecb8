// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/messages.h"

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

std::string shown(const Json& value) {
    std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > 40) {
        text.resize(40);
        text += "..";
    }
    return text;
}

// The text of a part of a content list, or the reason why it has none.
std::string addPart(std::string& content, const Json& part) {
    if (part.is_string()) {
        content += part.get_ref<const std::string&>();
        return {};
    }
    if (!part.is_object())
        return "a content part is " + shown(part);
    const auto type = part.find("type");
    if (type == part.end() || *type != "text")
        return "a content part has the type " + (type == part.end() ? "null" : shown(*type))
            + ", only text can be trained on";
    for (const char* key : {"text", "value"}) {
        const auto text = part.find(key);
        if (text != part.end() && text->is_string()) {
            content += text->get_ref<const std::string&>();
            return {};
        }
    }
    return "a text part has no text";
}

std::string readContent(const Json& value, Json& message) {
    if (std::string text; textOf(value, text)) {
        message["content"] = text;
        return {};
    }
    // A message that only calls a tool has no words of its own.
    if (value.is_null() && message.contains("tool_calls") && message["tool_calls"].is_array()) {
        message["content"] = nullptr;
        return {};
    }
    if (value.is_null())
        return "it has no content";
    if (!value.is_array())
        return "its content is " + shown(value);
    std::string content;
    for (const Json& part : value)
        if (auto problem = addPart(content, part); !problem.empty())
            return problem;
    message["content"] = content;
    return {};
}

// Weights of single turns say what is to be trained on; ignoring them would train on other tokens.
std::string refusedWeight(const Json& message) {
    const bool assistant = message["role"] == "assistant";
    for (const char* key : {"loss_weight", "weight", "train"}) {
        const auto value = message.find(key);
        if (value == message.end() || value->is_null())
            continue;
        const bool usual = (value->is_number() && value->get<double>() == (assistant ? 1 : 0))
            || (value->is_boolean() && value->get<bool>() == assistant);
        if (!usual)
            return std::string(key) + " is " + shown(*value)
                + ", weights of single turns are not in this version";
    }
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
    std::string name = role->get<std::string>();
    if (name == "human" || name == "prompter")
        name = "user";
    else if (name == "gpt")
        name = "assistant";
    else if (shareGpt && name != "system" && name != "user" && name != "assistant")
        return "the role \"" + name + "\" is not known";
    message["role"] = name;
    message["content"] = nullptr;
    const auto content = first("content", "value");
    for (const auto& [key, value] : source.items())
        if (key != "role" && key != "from" && key != "content" && key != "value")
            message[key] = value;
    auto problem = readContent(content == source.end() ? Json() : *content, message);
    return problem.empty() ? refusedWeight(message) : problem;
}

} // namespace

bool textOf(const Json& value, std::string& text) {
    if (value.is_string())
        text = value.get<std::string>();
    else if (value.is_number() || value.is_boolean())
        text = value.dump();
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

std::string addMessages(Json& messages, const Json& list, bool shareGpt) {
    std::size_t number = 0;
    for (const Json& source : list) {
        ++number;
        Json message = Json::object();
        const std::string problem = readMessage(source, shareGpt, message);
        if (!problem.empty())
            return "message " + std::to_string(number) + " cannot be used: " + problem;
        messages.push_back(std::move(message));
    }
    return {};
}

} // namespace mooring
