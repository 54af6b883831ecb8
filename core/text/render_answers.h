// SPDX-License-Identifier: GPL-3.0-or-later
// Where the answers of a rendered conversation lie (docs/methods.md#how-spans-are-found): what the
// model itself must write, from behind the generation prompt through the end of the turn.
#pragma once
#include "core/text/render.h"

namespace mooring {

struct ByteRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

bool isAssistant(const nlohmann::ordered_json& messages, int index);

// One conversation's search for its answers; refers to all that it is given.
class AnswerFinder {
public:
    AnswerFinder(const Row& row, const PreparedConversation& conversation,
        const RenderedText& rendered, const std::vector<Token>& tokens, const Tokenizer& tokenizer)
        : m_row(row)
        , m_conversation(conversation)
        , m_rendered(rendered)
        , m_tokens(tokens)
        , m_tokenizer(tokenizer) { }

    // May overlap, in no order.
    std::vector<ByteRange> ranges() const;

private:
    // A stretch that the template wrote while its loop held the message, and the message's own
    // characters in it; without such a loop the own characters alone.
    struct Turn {
        ByteRange text;
        ByteRange own;
        bool looped = true;
    };
    std::vector<Turn> turnsOf(int message) const;
    ByteRange ownWithin(int message, ByteRange text) const;
    std::size_t beginOf(const Turn& turn, int message, const Result<RenderedText>& prompt) const;
    std::string promptAlone(int message, const RenderedText& prompt) const;
    std::size_t endOf(const Turn& turn) const;
    void addTurn(std::vector<ByteRange>& ranges, const Turn& turn, int message,
        const Result<RenderedText>& prompt) const;
    bool isContext(int message) const; // an answer that is not to be learned

    const Row& m_row;
    const PreparedConversation& m_conversation;
    const RenderedText& m_rendered;
    const std::vector<Token>& m_tokens;
    const Tokenizer& m_tokenizer;
};

} // namespace mooring
