// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/json/json_parts.h"
#include "core/text/tokenizer/json/steps.h"

namespace mooring::tok {
namespace {

Result<SplitBehavior> behaviorOf(
    const nlohmann::json& step, const std::string& key, const std::string& otherwise = {}) {
    const std::string name = stringOf(step, "behavior", otherwise);
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
    return unknownPart(key + ".behavior", "the behavior \"" + name + "\"");
}

Result<Step> splitStep(const nlohmann::json& step, const std::string& key) {
    SplitStep result;
    MOORING_TRY(result.pattern, patternOf(step, key));
    MOORING_TRY(result.behavior, behaviorOf(step, key));
    result.invert = flagOf(step, "invert", false);
    return Step(std::move(result));
}

Result<Step> byteLevelStep(const nlohmann::json& step) {
    ByteLevelStep result;
    result.addPrefixSpace = flagOf(step, "add_prefix_space", true);
    if (flagOf(step, "use_regex", true)) {
        MOORING_TRY(result.pattern, Pattern::compile(kGpt2Pattern));
    }
    return Step(std::move(result));
}

Result<Step> metaspaceStep(const nlohmann::json& step, const std::string& key) {
    MetaspaceStep result;
    result.mark = stringOf(step, "replacement", result.mark);
    result.split = flagOf(step, "split", true);
    // Older files say only whether.
    const bool always = flagOf(step, "add_prefix_space", true);
    const std::string scheme = stringOf(step, "prepend_scheme", always ? "always" : "never");
    using Prepend = MetaspaceStep::Prepend;
    if (scheme != "always" && scheme != "first" && scheme != "never")
        return unknownPart(key + ".prepend_scheme", "the scheme \"" + scheme + "\"");
    result.prepend = scheme == "always" ? Prepend::Always
        : scheme == "first"             ? Prepend::First
                                        : Prepend::Never;
    if (result.mark.empty())
        return unknownPart(key + ".replacement", "an empty replacement");
    return Step(std::move(result));
}

Result<Step> delimiterStep(const nlohmann::json& step, const std::string& key) {
    const std::string text = stringOf(step, "delimiter");
    const CodePoint c = codePointAt(text, 0);
    if (text.empty() || c.length != text.size())
        return unknownPart(key + ".delimiter", "a delimiter that is not one character");
    return Step(CharacterStep{[delimiter = c.value](std::int32_t one) { return one == delimiter; },
        SplitBehavior::Removed});
}

Result<Step> stepOf(const nlohmann::json& step, const std::string& key) {
    const std::string type = typeOf(step);
    if (type == "Split")
        return splitStep(step, key);
    if (type == "ByteLevel")
        return byteLevelStep(step);
    if (type == "Metaspace")
        return metaspaceStep(step, key);
    if (type == "Whitespace")
        return Step(WordsStep{});
    if (type == "WhitespaceSplit")
        return Step(CharacterStep{isWhiteSpace, SplitBehavior::Removed});
    if (type == "CharDelimiterSplit")
        return delimiterStep(step, key);
    if (type == "Digits")
        return Step(CharacterStep{isNumeric,
            flagOf(step, "individual_digits", false) ? SplitBehavior::Isolated
                                                     : SplitBehavior::Contiguous});
    if (type == "Punctuation") {
        MOORING_TRY(const SplitBehavior behavior, behaviorOf(step, key, "Isolated"));
        return Step(CharacterStep{isPunctuation, behavior});
    }
    return unknownPart(key, "the pre-tokenizer " + type);
}

} // namespace

Result<PreTokenizer> PreTokenizer::load(const nlohmann::json& preTokenizer) {
    PreTokenizer result;
    MOORING_RETURN_IF_ERROR(result.loadStep(preTokenizer, "pre_tokenizer", 0));
    // The steps see text and the model sees bytes: ByteLevel is between them.
    for (std::size_t i = 0; i + 1 < result.m_steps.size(); ++i)
        if (std::holds_alternative<ByteLevelStep>(result.m_steps[i]))
            return unknownPart("pre_tokenizer", "a step after ByteLevel");
    return result;
}

Result<void> PreTokenizer::loadStep(const nlohmann::json& step, const std::string& key, int depth) {
    if (step.is_null())
        return {};
    if (typeOf(step) == "Sequence")
        return eachOf(
            step, "pretokenizers", key, depth, [&](const auto& one, const auto& place, int deep) {
                return loadStep(one, place, deep);
            });
    MOORING_TRY(Step one, stepOf(step, key));
    m_steps.push_back(std::move(one));
    return {};
}

} // namespace mooring::tok
