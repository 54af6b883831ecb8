// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/json/json_parts.h"
#include "core/text/tokenizer/json/normalizer.h"

namespace mooring::tok {
namespace {

std::optional<UnicodeForm> formOf(const std::string& type) {
    if (type == "NFC" || type == "NFD")
        return UnicodeForm{type == "NFC", false};
    if (type == "NFKC" || type == "NFKD")
        return UnicodeForm{type == "NFKC", true};
    return std::nullopt;
}

} // namespace

Result<Normalizer> Normalizer::load(const nlohmann::json& normalizer) {
    Normalizer result;
    MOORING_RETURN_IF_ERROR(result.loadStep(normalizer, "normalizer", 0));
    return result;
}

Result<void> Normalizer::loadStep(const nlohmann::json& step, const std::string& key, int depth) {
    if (step.is_null())
        return {};
    const std::string type = typeOf(step);
    if (const auto form = formOf(type)) {
        add(*form);
    } else if (type == "Prepend") {
        add(PrependText{stringOf(step, "prepend")});
    } else if (type == "Replace") {
        MOORING_TRY(Pattern pattern, patternOf(step, key));
        add(ReplaceText{std::move(pattern), stringOf(step, "content")});
    } else if (type == "Lowercase") {
        add(LowercaseText{});
    } else if (type == "Strip") {
        add(StripText{flagOf(step, "strip_left", true), flagOf(step, "strip_right", true)});
    } else if (type == "StripAccents") {
        add(StripAccents{});
    } else if (type == "Sequence") {
        return eachOf(
            step, "normalizers", key, depth, [&](const auto& one, const auto& place, int deep) {
                return loadStep(one, place, deep);
            });
    } else {
        return unknownPart(key, "the normalizer " + type);
    }
    return {};
}

} // namespace mooring::tok
