// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/render_answers.h"
#include <algorithm>
#include <set>

namespace mooring {

bool isAssistant(const nlohmann::ordered_json& messages, int index) {
    const auto at = static_cast<std::size_t>(index);
    if (index < 0 || at >= messages.size() || !messages[at].is_object())
        return false;
    return messages[at].value("role", nlohmann::ordered_json()) == "assistant";
}

namespace {

// In bytes, up to the border of a character.
std::size_t commonBeginning(std::string_view a, std::string_view b) {
    const auto differs = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    auto length = static_cast<std::size_t>(differs.first - a.begin());
    const auto continues = [](std::string_view text, std::size_t at) {
        return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
    };
    while (length > 0 && (continues(a, length) || continues(b, length)))
        --length;
    return length;
}

// The first range that does not end before a place.
std::vector<OriginRange>::const_iterator firstEndingBehind(
    const std::vector<OriginRange>& ranges, std::size_t at) {
    return std::partition_point(
        ranges.begin(), ranges.end(), [at](const OriginRange& range) { return range.end <= at; });
}

} // namespace

bool AnswerFinder::isContext(int message) const {
    const auto& context = m_row.unsupervised;
    return std::find(context.begin(), context.end(), message) != context.end();
}

ByteRange AnswerFinder::ownWithin(int message, ByteRange text) const {
    ByteRange own{text.end, text.begin};
    const auto& origins = m_rendered.origins;
    for (auto origin = firstEndingBehind(origins, text.begin);
         origin != origins.end() && origin->begin < text.end; ++origin)
        if (origin->message == message) {
            own.begin = std::min(own.begin, std::max<std::size_t>(origin->begin, text.begin));
            own.end = std::max(own.end, std::min<std::size_t>(origin->end, text.end));
        }
    return own;
}

// A template may repeat words of a message where it writes another one (the name of a tool in the
// header of its answer): they count only where the message has no turn of its own.
std::vector<AnswerFinder::Turn> AnswerFinder::turnsOf(int message) const {
    std::vector<Turn> turns;
    for (const OriginRange& range : m_rendered.turns) {
        if (range.message != message)
            continue;
        const ByteRange text{range.begin, range.end};
        if (const ByteRange own = ownWithin(message, text); own.begin < own.end)
            turns.push_back({text, own});
    }
    if (!turns.empty())
        return turns;
    const ByteRange own = ownWithin(message, {0, m_rendered.text.size()});
    if (own.begin < own.end)
        turns.push_back({own, own, false});
    return turns;
}

// What the template adds for add_generation_prompt behind the messages before this one.
std::string AnswerFinder::promptAlone(int message, const RenderedText& prompt) const {
    const std::string& text = prompt.text;
    const auto without = m_conversation.renderFirst(static_cast<std::size_t>(message), false);
    if (without && text.starts_with(without->text))
        return text.substr(without->text.size());
    std::size_t written = prompt.origins.empty() ? 0 : prompt.origins.back().end;
    if (!prompt.turns.empty())
        written = std::max<std::size_t>(written, prompt.turns.back().end);
    if (written == text.size() && without)
        written = commonBeginning(text, without->text);
    return text.substr(written);
}

// Behind the messages before with the generation prompt, where the text begins so; else behind what
// the turn has in common with the generation prompt alone; else at the first own character.
std::size_t AnswerFinder::beginOf(
    const Turn& turn, int message, const Result<RenderedText>& prompt) const {
    if (!prompt)
        return turn.own.begin;
    const std::size_t behind = prompt->text.size();
    if (m_rendered.text.starts_with(prompt->text) && behind < turn.own.end)
        return turn.looped ? std::max(turn.text.begin, behind)
            : behind > 0   ? std::min(turn.own.begin, behind)
                           : turn.own.begin;
    if (!turn.looped)
        return turn.own.begin;
    const std::string_view text(m_rendered.text);
    const std::size_t common
        = commonBeginning(text.substr(turn.text.begin, turn.text.end - turn.text.begin),
            promptAlone(message, *prompt));
    return common == 0 ? turn.own.begin : turn.text.begin + common;
}

// Through the last stop token of the turn behind the own characters, else through the first one
// behind the turn: the next header may end it, as long as nobody has spoken.
std::size_t AnswerFinder::endOf(const Turn& turn) const {
    const auto& origins = m_rendered.origins;
    std::size_t limit = m_rendered.text.size();
    for (auto origin = firstEndingBehind(origins, turn.text.end); origin != origins.end(); ++origin)
        if (origin->begin >= turn.text.end) {
            limit = origin->begin;
            break;
        }
    std::size_t end = turn.own.end;
    auto token = std::partition_point(m_tokens.begin(), m_tokens.end(),
        [&](const Token& candidate) { return candidate.end <= turn.own.end; });
    for (; token != m_tokens.end() && token->end <= limit; ++token) {
        const bool behind = token->begin >= turn.text.end;
        if (behind && end > turn.own.end)
            break;
        if (token->end > token->begin && m_tokenizer.isStop(token->id)) {
            end = token->end;
            if (behind)
                break;
        }
    }
    return end;
}

// Without what somebody else said in between (a template that repeats a question).
void AnswerFinder::addTurn(std::vector<ByteRange>& ranges, const Turn& turn, int message,
    const Result<RenderedText>& prompt) const {
    std::size_t first = beginOf(turn, message, prompt);
    const std::size_t end = endOf(turn);
    const auto& origins = m_rendered.origins;
    for (auto origin = firstEndingBehind(origins, first);
         origin != origins.end() && origin->begin < end; ++origin) {
        if (origin->message == message || isAssistant(m_row.messages, origin->message))
            continue;
        ranges.push_back({first, origin->begin});
        first = origin->end;
    }
    ranges.push_back({first, end});
}

std::vector<ByteRange> AnswerFinder::ranges() const {
    std::vector<ByteRange> ranges;
    if (!m_rendered.generations.empty()) {
        for (const OriginRange& marked : m_rendered.generations)
            if (!isContext(marked.message))
                ranges.push_back({marked.begin, marked.end});
        return ranges;
    }
    std::set<int> spoken;
    for (const OriginRange& origin : m_rendered.origins)
        if (isAssistant(m_row.messages, origin.message) && !isContext(origin.message))
            spoken.insert(origin.message);
    for (const int message : spoken) {
        const auto prompt = m_conversation.renderFirst(static_cast<std::size_t>(message), true);
        for (const Turn& turn : turnsOf(message))
            addTurn(ranges, turn, message, prompt);
    }
    return ranges;
}

} // namespace mooring
