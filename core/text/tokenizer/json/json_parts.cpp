// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/json/json_parts.h"

namespace mooring::tok {

std::string typeOf(const nlohmann::json& object) {
    const auto type = object.is_object() ? object.find("type") : object.end();
    if (!object.is_object() || type == object.end() || !type->is_string())
        return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).substr(0, 80);
    return type->get<std::string>();
}

bool flagOf(const nlohmann::json& object, const char* key, bool otherwise) {
    const auto value = object.find(key);
    return value != object.end() && value->is_boolean() ? value->get<bool>() : otherwise;
}

std::string stringOf(const nlohmann::json& object, const char* key, const std::string& otherwise) {
    const auto value = object.find(key);
    return value != object.end() && value->is_string() ? value->get<std::string>() : otherwise;
}

Error unknownPart(const std::string& key, const std::string& what) {
    return Error{ErrorCode::Input, what + " is unknown", key,
        "README.md lists the supported parts of tokenizer.json; use a model with such a tokenizer"};
}

Result<Pattern> patternOf(const nlohmann::json& step, const std::string& key) {
    const auto pattern = step.find("pattern");
    const auto text = [&](const char* kind) -> const nlohmann::json* {
        if (pattern == step.end() || !pattern->is_object())
            return nullptr;
        const auto found = pattern->find(kind);
        return found != pattern->end() && found->is_string() ? &*found : nullptr;
    };
    const auto* regex = text("Regex");
    const auto* literal = text("String");
    if (!regex && !literal)
        return unknownPart(key + ".pattern", "a pattern that is neither Regex nor String");
    auto compiled = regex ? Pattern::compile(regex->get<std::string>())
                          : Pattern::literal(literal->get<std::string>());
    if (!compiled) {
        Error error = compiled.error();
        error.where = key + ".pattern";
        error.hint = "use a model with another tokenizer, or report the pattern";
        return error;
    }
    return compiled;
}

} // namespace mooring::tok
