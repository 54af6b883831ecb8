// SPDX-License-Identifier: GPL-3.0-or-later
// A row becomes tokens with spans (docs/methods.md#spans).
#pragma once
#include "core/text/chat_template.h"
#include "core/text/tokenizer/tokenizer.h"

namespace mooring {

enum class Span : std::uint8_t { Q = 0, A = 1 };

// One row as it enters training. Arrays have one entry per token.
struct RenderedRow {
    std::string text;
    std::vector<Token> tokens;
    std::vector<std::uint8_t> span; // 0 Q, 1 A
    std::vector<std::uint8_t> supervised; // the token is a target; never at position 0
    std::string dropped; // why the row cannot be used; empty: it can
    bool truncated = false;
    bool specialTextInContent = false; // text of a special token in the content
    bool doubledBos = false;
};

// A row of a data file: a conversation, or plain text taken as it is (every token Q, all
// supervised).
struct Row {
    nlohmann::ordered_json messages; // array; null for plain text
    nlohmann::ordered_json tools; // or null
    std::string text;
    bool isText = false;
    std::vector<int> unsupervised; // messages of the assistant that are no answer but context: Q
};

class Renderer {
public:
    Renderer(std::shared_ptr<const Tokenizer> tokenizer,
        std::shared_ptr<const ChatTemplate> chatTemplate)
        : m_tokenizer(std::move(tokenizer))
        , m_template(std::move(chatTemplate)) { }

    // maxLength 0: no limit. Longer rows are dropped or cut ("truncate"); a cut row without a
    // supervised token left is dropped. A template error drops the row with its text.
    RenderedRow render(const Row& row, std::int64_t maxLength = 0, bool truncate = false,
        const RenderOptions& options = {}) const;
    // Ids of a conversation with the generation prompt, for sampling and evaluation.
    Result<std::vector<std::int32_t>> prompt(const nlohmann::ordered_json& messages) const;

    // Where generation ends: the tokenizer's ends, and the token behind an assistant's turn.
    std::vector<std::int32_t> stopTokens() const;

    const Tokenizer& tokenizer() const { return *m_tokenizer; }
    const ChatTemplate& chatTemplate() const { return *m_template; }

private:
    void renderText(RenderedRow& row, const Row& source) const;
    void renderConversation(
        RenderedRow& row, const Row& source, const RenderOptions& options) const;

    std::shared_ptr<const Tokenizer> m_tokenizer;
    std::shared_ptr<const ChatTemplate> m_template;
};

} // namespace mooring
