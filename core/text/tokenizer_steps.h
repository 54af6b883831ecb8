// SPDX-License-Identifier: GPL-3.0-or-later
// The steps before the model: the normalizer and the pre-tokenizers, which cut text into words.
#pragma once
#include "core/text/tokenizer_bpe.h"
#include "core/text/tokenizer_pattern.h"
#include <variant>

namespace mooring::tok {

// normalizer: null, NFC, or a Sequence of such. True where text is brought into NFC.
Result<bool> loadNormalizer(const nlohmann::json& normalizer);

enum class SplitBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

// Cuts at the matches of a pattern.
struct SplitStep {
    Pattern pattern;
    SplitBehavior behavior = SplitBehavior::Isolated;
    bool invert = false;
};

// Cuts out numbers, or each of their digits.
struct DigitsStep {
    bool individual = false;
};

// The last step: its own pattern, and from here on bytes.
struct ByteLevelStep {
    bool addPrefixSpace = false;
    std::optional<Pattern> pattern; // with use_regex
};

using Step = std::variant<SplitStep, DigitsStep, ByteLevelStep>;

// Immutable after load; several threads may cut.
class PreTokenizer {
public:
    static Result<PreTokenizer> load(const nlohmann::json& preTokenizer);
    // Gives every word of a piece of text to the model.
    void encode(const TextView& text, const BpeModel& model, std::vector<Token>& out) const;

private:
    Result<void> loadStep(const nlohmann::json& step, const std::string& key, int depth);
    void run(std::size_t step, const TextView& text, const BpeModel& model,
        std::vector<Token>& out) const;
    void byteLevel(const ByteLevelStep& step, const TextView& text, const BpeModel& model,
        std::vector<Token>& out) const;

    std::vector<Step> m_steps;
};

} // namespace mooring::tok
