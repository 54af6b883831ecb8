// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/render.h"
#include "core/base/json_depth.h"
#include "core/base/python_json.h"
#include "core/text/render_answers.h"
#include <algorithm>

namespace mooring {

namespace {

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
        row.dropped = "truncated to " + limit + ", which leaves no answer tokens";
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

void Renderer::renderText(RenderedRow& row, const Row& source) const {
    row.text = source.text;
    if (!m_tokenizer)
        return;
    row.tokens = m_tokenizer->encode(row.text);
    row.span.assign(row.tokens.size(), 0);
    row.supervised.assign(row.tokens.size(), 1);
}

void Renderer::renderConversation(
    RenderedRow& row, const Row& source, const RenderOptions& options) const {
    RenderOptions complete = withSpecialTokens(options, m_tokenizer.get());
    row.dropped = addTools(complete, source.tools);
    if (!row.dropped.empty())
        return;
    const auto conversation = m_template->prepare(source.messages, complete);
    const auto rendered = conversation ? conversation->render() : conversation.error();
    if (!rendered) {
        row.dropped = rendered.error().message();
        return;
    }
    row.text = rendered->text;
    if (!m_tokenizer)
        return;
    row.tokens = m_tokenizer->encode(row.text);
    row.span.assign(row.tokens.size(), 0);
    markAnswers(
        row, AnswerFinder(source, *conversation, *rendered, row.tokens, *m_tokenizer).ranges());
    row.specialTextInContent = anySpecialInside(rendered->origins, row.tokens, *m_tokenizer);
    row.doubledBos = startsWithTwoBos(row.tokens, *m_tokenizer);
    row.supervised = row.span;
}

RenderedRow Renderer::render(
    const Row& source, std::int64_t maxLength, bool truncate, const RenderOptions& options) const {
    RenderedRow row;
    if (source.isText)
        renderText(row, source);
    else
        renderConversation(row, source, options);
    if (!row.dropped.empty() || !m_tokenizer)
        return row;
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

namespace {

// The token that ends the first answer of a row, where it is a stop token.
std::optional<std::int32_t> endOfAnswer(const RenderedRow& row, const Tokenizer& tokenizer) {
    const auto first = std::find(row.span.begin(), row.span.end(), 1);
    const auto behind = std::find(first, row.span.end(), 0);
    if (first == behind)
        return std::nullopt;
    const auto id = row.tokens[static_cast<std::size_t>(behind - row.span.begin()) - 1].id;
    return tokenizer.isStop(id) ? std::optional(id) : std::nullopt;
}

} // namespace

// The last turn may end otherwise than an earlier one, and generation writes the last. Where none
// ends it, the header of the next turn does.
std::vector<std::int32_t> Renderer::stopTokens() const {
    std::vector<std::int32_t> ids = m_tokenizer->ends();
    Row row;
    row.messages = nlohmann::ordered_json::array(
        {{{"role", "user"}, {"content", "a"}}, {{"role", "assistant"}, {"content", "b"}}});
    auto end = endOfAnswer(render(row), *m_tokenizer);
    if (!end) {
        row.messages.push_back(row.messages[0]);
        end = endOfAnswer(render(row), *m_tokenizer);
    }
    if (end)
        ids.push_back(*end);
    return ids;
}

} // namespace mooring
