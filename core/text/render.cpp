// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/render.h"
#include "core/base/json_depth.h"
#include "core/base/python_json.h"
#include <algorithm>
#include <set>

namespace mooring {

namespace {

struct ByteRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

bool isAssistant(const nlohmann::ordered_json& messages, int index) {
    const auto at = static_cast<std::size_t>(index);
    if (index < 0 || at >= messages.size() || !messages[at].is_object())
        return false;
    return messages[at].value("role", nlohmann::ordered_json()) == "assistant";
}

// The end of the turn: through the first special token behind the message's last own character. It
// is looked for up to the next message's own words only, since a template may have no such token.
std::size_t endOfTurn(std::size_t lastOwn, const RenderedText& rendered,
    const std::vector<Token>& tokens, const Tokenizer& tokenizer) {
    std::size_t limit = rendered.text.size();
    for (const OriginRange& origin : rendered.origins)
        if (origin.begin >= lastOwn)
            limit = std::min<std::size_t>(limit, origin.begin);
    auto token = std::lower_bound(tokens.begin(), tokens.end(), lastOwn,
        [](const Token& candidate, std::size_t at) { return candidate.begin < at; });
    for (; token != tokens.end() && token->end <= limit; ++token)
        if (token->end > token->begin && tokenizer.isSpecial(token->id))
            return token->end;
    return lastOwn;
}

// From a message's first to its last own character and on through the end of the turn, without what
// someone else said in between (a template that repeats a question).
void addMessageRanges(std::vector<ByteRange>& ranges, int message,
    const nlohmann::ordered_json& messages, const RenderedText& rendered,
    const std::vector<Token>& tokens, const Tokenizer& tokenizer) {
    std::size_t first = rendered.text.size(), last = 0;
    for (const OriginRange& origin : rendered.origins)
        if (origin.message == message) {
            first = std::min<std::size_t>(first, origin.begin);
            last = std::max<std::size_t>(last, origin.end);
        }
    if (first >= last)
        return;
    const std::size_t end = endOfTurn(last, rendered, tokens, tokenizer);
    for (const OriginRange& origin : rendered.origins) {
        const bool others = origin.message != message && !isAssistant(messages, origin.message);
        if (!others || origin.end <= first || origin.begin >= end)
            continue;
        ranges.push_back({first, origin.begin});
        first = origin.end;
    }
    ranges.push_back({first, end});
}

bool isAnswer(const Row& row, int message) {
    return std::find(row.unsupervised.begin(), row.unsupervised.end(), message)
        == row.unsupervised.end();
}

std::vector<ByteRange> answerRanges(const Row& row, const RenderedText& rendered,
    const std::vector<Token>& tokens, const Tokenizer& tokenizer) {
    std::vector<ByteRange> ranges;
    for (const OriginRange& marked : rendered.generations)
        if (isAnswer(row, marked.message))
            ranges.push_back({marked.begin, marked.end});
    if (!rendered.generations.empty())
        return ranges;
    std::set<int> assistants;
    for (const OriginRange& origin : rendered.origins)
        if (isAssistant(row.messages, origin.message) && isAnswer(row, origin.message))
            assistants.insert(origin.message);
    for (const int message : assistants)
        addMessageRanges(ranges, message, row.messages, rendered, tokens, tokenizer);
    return ranges;
}

// A token belongs to A if any of its characters does.
void markAnswers(RenderedRow& row, std::vector<ByteRange> ranges) {
    std::sort(ranges.begin(), ranges.end(),
        [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
    std::size_t reached = 0; // of the ranges so far: they may overlap
    auto next = ranges.begin();
    for (std::size_t i = 0; i < row.tokens.size(); ++i) {
        const Token& token = row.tokens[i];
        const std::size_t end = std::max<std::size_t>(token.end, token.begin + 1);
        for (; next != ranges.end() && next->begin < end; ++next)
            if (next->begin < next->end)
                reached = std::max(reached, next->end);
        row.span[i] = reached > token.begin ? 1 : 0;
    }
}

bool anySpecialInside(const std::vector<OriginRange>& origins, const std::vector<Token>& tokens,
    const Tokenizer& tokenizer) {
    auto origin = origins.begin();
    for (const Token& token : tokens) {
        while (origin != origins.end() && origin->end <= token.begin)
            ++origin;
        if (origin != origins.end() && origin->begin < token.end && tokenizer.isSpecial(token.id))
            return true;
    }
    return false;
}

bool startsWithTwoBos(const std::vector<Token>& tokens, const Tokenizer& tokenizer) {
    const auto text = tokenizer.bosToken();
    const auto bos = text ? tokenizer.idOf(*text) : std::nullopt;
    return bos && tokens.size() > 1 && tokens[0].id == *bos && tokens[1].id == *bos;
}

RenderOptions withSpecialTokens(RenderOptions options, const Tokenizer* tokenizer) {
    if (!tokenizer)
        return options;
    if (options.bosToken.empty())
        options.bosToken = tokenizer->bosToken().value_or("");
    if (options.eosToken.empty())
        options.eosToken = tokenizer->eosToken().value_or("");
    if (const auto pad = tokenizer->padToken(); pad && !options.extra.contains("pad_token"))
        options.extra["pad_token"] = *pad;
    return options;
}

constexpr int kDeepestTools = 100;

// A value that nests so deep is not a tool, and copying it would overflow the stack.
bool isTooDeep(const nlohmann::ordered_json& value, int left = kDeepestTools) {
    if (!value.is_structured())
        return false;
    return left == 0 || std::any_of(value.begin(), value.end(), [left](const auto& item) {
        return isTooDeep(item, left - 1);
    });
}

// Tools may be a list or, as in many data files, a string that holds one. The reason why not, or
// nothing.
std::string addTools(RenderOptions& options, const nlohmann::ordered_json& tools) {
    if (tools.is_null() || (tools.is_string() && tools.get_ref<const std::string&>().empty()))
        return {};
    const std::string tooDeep = "`tools` is nested too deeply";
    if (!tools.is_string()) {
        if (isTooDeep(tools))
            return tooDeep;
        options.extra["tools"] = tools;
        return {};
    }
    const auto& text = tools.get_ref<const std::string&>();
    if (isJsonTooDeep(text, kDeepestTools))
        return tooDeep;
    auto parsed = parsePythonJson(text);
    if (!parsed || !(parsed->is_array() || isMissing(*parsed)))
        return "`tools` is a string that is not a JSON list";
    options.extra["tools"] = std::move(*parsed);
    return {};
}

bool anySupervised(const RenderedRow& row) {
    return std::find(row.supervised.begin(), row.supervised.end(), 1) != row.supervised.end();
}

void limitLength(RenderedRow& row, std::int64_t maxLength, bool truncate) {
    const auto length = static_cast<std::int64_t>(row.tokens.size());
    if (maxLength <= 0 || length <= maxLength)
        return;
    const std::string limit = "max_length " + std::to_string(maxLength);
    if (!truncate) {
        row.dropped = std::to_string(length) + " tokens exceed " + limit;
        return;
    }
    row.tokens.resize(static_cast<std::size_t>(maxLength));
    row.span.resize(row.tokens.size());
    row.supervised.resize(row.tokens.size());
    row.truncated = true;
    if (!anySupervised(row))
        row.dropped = "truncated to " + limit + ", which leaves nothing of an answer";
}

std::string whyUnsupervised(const Row& source, const RenderedRow& row) {
    if (row.tokens.empty())
        return "the row has no text";
    if (source.isText)
        return "the text is a single token, so there is nothing to predict";
    if (!source.unsupervised.empty())
        return "no answer token is left: turns with loss weight 0 are context";
    for (std::size_t i = 0; i < source.messages.size(); ++i)
        if (isAssistant(source.messages, static_cast<int>(i)))
            return "no answer token is left: the assistant's messages are empty, or the template "
                   "drops them";
    return "the conversation has no assistant message";
}

} // namespace

RenderedRow Renderer::render(
    const Row& source, std::int64_t maxLength, bool truncate, const RenderOptions& options) const {
    RenderedRow row;
    RenderedText rendered;
    if (source.isText) {
        rendered.text = source.text;
    } else {
        RenderOptions complete = withSpecialTokens(options, m_tokenizer.get());
        row.dropped = addTools(complete, source.tools);
        if (!row.dropped.empty())
            return row;
        auto result = m_template->render(source.messages, complete);
        if (!result) {
            row.dropped = result.error().message();
            return row;
        }
        rendered = std::move(result).value();
    }
    row.text = rendered.text;
    if (!m_tokenizer)
        return row;
    row.tokens = m_tokenizer->encode(row.text);
    row.span.assign(row.tokens.size(), 0);
    if (!source.isText) {
        markAnswers(row, answerRanges(source, rendered, row.tokens, *m_tokenizer));
        row.specialTextInContent = anySpecialInside(rendered.origins, row.tokens, *m_tokenizer);
        row.doubledBos = startsWithTwoBos(row.tokens, *m_tokenizer);
    }
    row.supervised = row.span;
    if (source.isText)
        row.supervised.assign(row.tokens.size(), 1);
    if (!row.supervised.empty())
        row.supervised[0] = 0;
    if (!anySupervised(row))
        row.dropped = whyUnsupervised(source, row);
    else
        limitLength(row, maxLength, truncate);
    return row;
}

Result<std::vector<std::int32_t>> Renderer::prompt(const nlohmann::ordered_json& messages) const {
    RenderOptions options;
    options.addGenerationPrompt = true;
    MOORING_TRY(const RenderedText rendered,
        m_template->render(messages, withSpecialTokens(options, m_tokenizer.get())));
    std::vector<std::int32_t> ids;
    for (const Token& token : m_tokenizer->encode(rendered.text))
        ids.push_back(token.id);
    return ids;
}

} // namespace mooring
