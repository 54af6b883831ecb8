// SPDX-License-Identifier: GPL-3.0-or-later
// Changes the characters of a text before it is split into words.
#pragma once
#include "core/text/tokenizer/pattern/pattern.h"
#include "core/text/tokenizer/text.h"
#include <deque>
#include <nlohmann/json.hpp>
#include <variant>

namespace mooring::tok {

struct PrependText {
    std::string text; // before any text that is not empty
};
struct ReplaceText {
    Pattern pattern;
    std::string content;
};
struct LowercaseText { };
struct StripText {
    bool left = false;
    bool right = false;
};
struct StripAccents { };
using NormalizerStep
    = std::variant<UnicodeForm, PrependText, ReplaceText, LowercaseText, StripText, StripAccents>;

// Immutable after load; several threads may apply it.
class Normalizer {
public:
    // `normalizer` of tokenizer.json. Errors name the key and the kind that is unknown.
    static Result<Normalizer> load(const nlohmann::json& normalizer);
    void add(NormalizerStep step) { m_steps.push_back(std::move(step)); }
    bool empty() const { return m_steps.empty(); }
    // Changed text is in `storage`.
    TextView apply(TextView text, std::deque<OwnedText>& storage) const;
    std::string apply(const std::string& text) const;

private:
    Result<void> loadStep(const nlohmann::json& step, const std::string& key, int depth);
    std::vector<NormalizerStep> m_steps;
};

} // namespace mooring::tok
