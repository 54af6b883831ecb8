// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer_steps.h"

namespace mooring::tok {
namespace {

constexpr int kMaxDepth = 8;
constexpr const char* kGpt2Pattern
    = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

Error unknown(const std::string& key, const std::string& what) {
    return Error{ErrorCode::Input, what + " is not known", key,
        "byte-level BPE with NFC, Split, Digits and ByteLevel is supported; take a model with such "
        "a tokenizer"};
}

std::string typeOf(const nlohmann::json& object) {
    const auto type = object.is_object() ? object.find("type") : object.end();
    if (!object.is_object() || type == object.end() || !type->is_string())
        return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).substr(0, 80);
    return type->get<std::string>();
}

bool flag(const nlohmann::json& object, const char* key, bool otherwise) {
    const auto value = object.find(key);
    return value != object.end() && value->is_boolean() ? value->get<bool>() : otherwise;
}

Result<bool> normalizerAt(const nlohmann::json& normalizer, const std::string& key, int depth) {
    if (normalizer.is_null())
        return false;
    const std::string type = typeOf(normalizer);
    if (type == "NFC")
        return true;
    const auto list = normalizer.is_object() ? normalizer.find("normalizers") : normalizer.end();
    if (type != "Sequence" || list == normalizer.end() || !list->is_array() || depth > kMaxDepth)
        return unknown(key, "the normalizer " + type);
    bool nfc = false;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string place = key + ".normalizers[" + std::to_string(i) + "]";
        MOORING_TRY(const bool one, normalizerAt((*list)[i], place, depth + 1));
        nfc = nfc || one;
    }
    return nfc;
}

Result<SplitBehavior> behaviorOf(const nlohmann::json& step, const std::string& key) {
    const auto value = step.find("behavior");
    const std::string name
        = value != step.end() && value->is_string() ? value->get<std::string>() : "";
    if (name == "Removed")
        return SplitBehavior::Removed;
    if (name == "Isolated")
        return SplitBehavior::Isolated;
    if (name == "MergedWithPrevious")
        return SplitBehavior::MergedWithPrevious;
    if (name == "MergedWithNext")
        return SplitBehavior::MergedWithNext;
    if (name == "Contiguous")
        return SplitBehavior::Contiguous;
    return unknown(key + ".behavior", "the behavior \"" + name + "\"");
}

Result<SplitStep> splitStep(const nlohmann::json& step, const std::string& key) {
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
        return unknown(key + ".pattern", "a pattern that is neither Regex nor String");
    auto compiled = regex ? Pattern::compile(regex->get<std::string>())
                          : Pattern::literal(literal->get<std::string>());
    if (!compiled) {
        Error error = compiled.error();
        error.where = key + ".pattern";
        error.hint = "take a model with another tokenizer, or report the pattern";
        return error;
    }
    SplitStep result;
    result.pattern = std::move(compiled).value();
    MOORING_TRY(result.behavior, behaviorOf(step, key));
    result.invert = flag(step, "invert", false);
    return result;
}

} // namespace

Result<bool> loadNormalizer(const nlohmann::json& normalizer) {
    return normalizerAt(normalizer, "normalizer", 0);
}

Result<PreTokenizer> PreTokenizer::load(const nlohmann::json& preTokenizer) {
    PreTokenizer result;
    MOORING_CHECK(result.loadStep(preTokenizer, "pre_tokenizer", 0));
    // The steps see text and the model sees bytes: ByteLevel stands between them.
    for (std::size_t i = 0; i < result.m_steps.size(); ++i)
        if (std::holds_alternative<ByteLevelStep>(result.m_steps[i])
            != (i + 1 == result.m_steps.size()))
            return unknown(
                "pre_tokenizer", "a chain of steps that does not end in its one ByteLevel");
    if (result.m_steps.empty())
        return unknown("pre_tokenizer", "a tokenizer without the step ByteLevel");
    return result;
}

Result<void> PreTokenizer::loadStep(const nlohmann::json& step, const std::string& key, int depth) {
    if (step.is_null())
        return {};
    const std::string type = typeOf(step);
    if (type == "Split") {
        MOORING_TRY(SplitStep split, splitStep(step, key));
        m_steps.emplace_back(std::move(split));
    } else if (type == "Digits") {
        m_steps.emplace_back(DigitsStep{flag(step, "individual_digits", false)});
    } else if (type == "ByteLevel") {
        ByteLevelStep last;
        last.addPrefixSpace = flag(step, "add_prefix_space", true);
        if (flag(step, "use_regex", true)) {
            MOORING_TRY(last.pattern, Pattern::compile(kGpt2Pattern));
        }
        m_steps.emplace_back(std::move(last));
    } else if (type == "Sequence" && step.contains("pretokenizers")
        && step["pretokenizers"].is_array() && depth < kMaxDepth) {
        const auto& list = step["pretokenizers"];
        for (std::size_t i = 0; i < list.size(); ++i)
            MOORING_CHECK(
                loadStep(list[i], key + ".pretokenizers[" + std::to_string(i) + "]", depth + 1));
    } else {
        return unknown(key, "the pre-tokenizer " + type);
    }
    return {};
}

} // namespace mooring::tok
