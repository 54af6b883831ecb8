// SPDX-License-Identifier: GPL-3.0-or-later
// The pre-tokenizer: steps that cut text into the words that the model sees.
#pragma once
#include "core/text/tokenizer/bpe.h"
#include "core/text/tokenizer/pattern/pattern.h"
#include <nlohmann/json.hpp>
#include <variant>

namespace mooring::tok {

// GPT-2's words.
constexpr const char* kGpt2Pattern
    = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

enum class SplitBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

// Cuts at the matches of a pattern.
struct SplitStep {
    Pattern pattern;
    SplitBehavior behavior = SplitBehavior::Isolated;
    bool invert = false;
};

// Cuts at each character of a kind.
struct CharacterStep {
    std::function<bool(std::int32_t)> matches;
    SplitBehavior behavior = SplitBehavior::Isolated;
};

// Words of \w, and of what is neither that nor whitespace.
struct WordsStep { };

// Blanks become marks; a text without one at its beginning may get it. `asSentencePiece`: also
// where one is there.
struct MetaspaceStep {
    enum class Prepend { Never, First, Always };
    std::string mark = "\xE2\x96\x81"; // U+2581
    Prepend prepend = Prepend::Always;
    bool split = true;
    bool asSentencePiece = false;
};

// The last step of a model over bytes, perhaps with its own pattern.
struct ByteLevelStep {
    bool addPrefixSpace = false;
    std::optional<Pattern> pattern; // with use_regex
};

using Step = std::variant<SplitStep, CharacterStep, WordsStep, MetaspaceStep, ByteLevelStep>;

// Immutable after load; several threads may cut.
class PreTokenizer {
public:
    // `pre_tokenizer` of tokenizer.json. Errors name the key and the kind that is unknown.
    static Result<PreTokenizer> load(const nlohmann::json& preTokenizer);
    void add(Step step) { m_steps.push_back(std::move(step)); }
    bool endsInBytes() const;
    // Gives every word of a piece of text to the model.
    void encode(const TextView& text, const BpeModel& model, std::vector<Token>& out) const;

private:
    Result<void> loadStep(const nlohmann::json& step, const std::string& key, int depth);
    void run(std::size_t step, const TextView& text, const BpeModel& model,
        std::vector<Token>& out) const;
    void runAll(std::size_t step, const TextView& text, const std::vector<Piece>& pieces,
        const BpeModel& model, std::vector<Token>& out) const;
    std::vector<Step> m_steps;
};

} // namespace mooring::tok
