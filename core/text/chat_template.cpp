// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/chat_template.h"
#include "core/base/hash.h"
#include "core/text/chat_template_state.h"
#include "core/text/jinja/evaluator.h"
#include "core/text/jinja/parser.h"

namespace mooring {

namespace {

constexpr std::size_t kMaxSource = 4u << 20;

// docs/formats.md#default-template. The generation block makes the space before the answer part of
// it: the generation prompt ends with the colon. An empty answer marks nothing.
const char* const kPlainDefault = R"({{- bos_token -}}
{%- for message in messages -%}
{%- set content = message.content -%}
{%- if content is not string and content is iterable -%}
{%- set content = content | selectattr('text', 'defined') | map(attribute='text') | join -%}
{%- endif -%}
{%- set content = content if content is not none else '' -%}
{%- if message.role == 'system' -%}
{{- 'System: ' ~ content ~ '\n\n' -}}
{%- elif message.role == 'user' -%}
{{- 'User: ' ~ content ~ '\n\n' -}}
{%- elif message.role == 'assistant' -%}
{{- 'Assistant:' -}}
{%- if content -%}
{%- generation -%}{{- ' ' ~ content ~ eos_token -}}{%- endgeneration -%}
{%- else -%}
{{- ' ' ~ eos_token -}}
{%- endif -%}
{{- '\n' -}}
{%- else -%}
{{- raise_exception("the plain default template knows the roles system, user and assistant, not '"
    ~ message.role ~ "'") -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- 'Assistant:' -}}{%- endif -%})";

// Fields that identify the author. A template writes them into the header of a turn, so they are
// not part of the message's content.
bool isOwnWords(const std::string& field) {
    return field != "role" && field != "name" && field != "tool_call_id";
}

jinja::Value messageValue(const nlohmann::ordered_json& message, int index) {
    const jinja::Origin origin{index, false};
    if (!message.is_object())
        return jinja::Value::fromJson(message, origin);
    jinja::Dict dict;
    for (const auto& [key, field] : message.items())
        dict.set(jinja::Value::of(key),
            jinja::Value::fromJson(field, isOwnWords(key) ? origin : jinja::Origin{}));
    return jinja::Value::of(std::move(dict));
}

void addRange(std::vector<OriginRange>& ranges, const jinja::Run& run, int message, bool merge) {
    if (!ranges.empty() && ranges.back().end == run.begin
        && (merge || ranges.back().message == message)) {
        ranges.back().end = run.end;
        ranges.back().message = std::max(ranges.back().message, message);
    } else {
        ranges.push_back({run.begin, run.end, message});
    }
}

RenderedText renderedText(const jinja::Text& text) {
    RenderedText rendered;
    rendered.text = text.bytes();
    for (const jinja::Run& run : text.runs()) {
        if (run.origin.message >= 0)
            addRange(rendered.origins, run, run.origin.message, false);
        if (run.origin.generated)
            addRange(rendered.generations, run, run.origin.message, true);
    }
    for (const jinja::Turn& turn : text.turns())
        rendered.turns.push_back({turn.begin, turn.end, turn.message});
    return rendered;
}

using Variables = std::vector<std::pair<std::string, jinja::Value>>;

// All but the messages and the generation prompt.
Variables variablesOf(const RenderOptions& options) {
    Variables variables = {{"tools", {}}, {"documents", {}}};
    // A token that the tokenizer lacks is undefined, as in the reference.
    if (!options.bosToken.empty())
        variables.emplace_back("bos_token", jinja::Value::of(options.bosToken));
    if (!options.eosToken.empty())
        variables.emplace_back("eos_token", jinja::Value::of(options.eosToken));
    for (const auto& [name, value] : options.extra.items())
        variables.emplace_back(name, jinja::Value::fromJson(value));
    return variables;
}

Error errorOf(const jinja::Failure& failure, const std::string& name) {
    std::string where = name;
    if (failure.line > 0)
        where += ", line " + std::to_string(failure.line);
    return {ErrorCode::Input, failure.what, where, ""};
}

} // namespace

ChatTemplate::ChatTemplate(std::unique_ptr<State> state)
    : m_state(std::move(state)) { }

ChatTemplate::~ChatTemplate() = default;

Result<std::shared_ptr<const ChatTemplate>> ChatTemplate::parse(
    const std::string& source, const std::string& name) {
    return parseBoth(source, "", name);
}

Result<std::shared_ptr<const ChatTemplate>> ChatTemplate::parseBoth(
    const std::string& source, const std::string& forTools, const std::string& name) {
    if (source.size() > kMaxSource || forTools.size() > kMaxSource)
        return Error{ErrorCode::Input, "the template is larger than 4 MiB", name,
            "choose the file with the chat template"};
    auto state = std::make_unique<State>();
    state->name = name;
    state->source = source;
    state->toolSource = forTools;
    try {
        state->body = jinja::Parser(jinja::lex(source)).parse();
        state->toolBody = jinja::Parser(jinja::lex(forTools)).parse();
    } catch (const jinja::Failure& failure) {
        return errorOf(failure, name);
    }
    return std::shared_ptr<const ChatTemplate>(new ChatTemplate(std::move(state)));
}

std::shared_ptr<const ChatTemplate> ChatTemplate::plainDefault() {
    static const std::shared_ptr<const ChatTemplate> plain
        = parse(kPlainDefault, "plain default").value();
    return plain;
}

struct PreparedConversation::State {
    const ChatTemplate::State* chatTemplate = nullptr;
    const jinja::Body* body = nullptr;
    std::vector<jinja::Value> messages;
    Variables variables;
    std::string now;
    bool generationPrompt = false;
};

PreparedConversation::PreparedConversation(std::unique_ptr<State> state)
    : m_state(std::move(state)) { }

PreparedConversation::PreparedConversation(PreparedConversation&& other) noexcept = default;

PreparedConversation::~PreparedConversation() = default;

Result<RenderedText> PreparedConversation::render() const {
    return renderFirst(m_state->messages.size(), m_state->generationPrompt);
}

Result<RenderedText> PreparedConversation::renderFirst(
    std::size_t messages, bool generationPrompt) const {
    try {
        const auto begin = m_state->messages.begin();
        jinja::Evaluator evaluator(m_state->now);
        evaluator.setMessages({begin, begin + static_cast<std::ptrdiff_t>(messages)});
        evaluator.setVariable("add_generation_prompt", jinja::Value::of(generationPrompt));
        for (const auto& [name, value] : m_state->variables)
            evaluator.setVariable(name, value);
        return renderedText(evaluator.run(*m_state->body));
    } catch (const jinja::Failure& failure) {
        return errorOf(failure, m_state->chatTemplate->name);
    }
}

Result<RenderedText> ChatTemplate::render(
    const nlohmann::ordered_json& messages, const RenderOptions& options) const {
    MOORING_TRY(const PreparedConversation conversation, prepare(messages, options));
    return conversation.render();
}

Result<PreparedConversation> ChatTemplate::prepare(
    const nlohmann::ordered_json& messages, const RenderOptions& options) const {
    if (!messages.is_array())
        return Error{ErrorCode::Input, "the messages are not a list", m_state->name, ""};
    const bool withTools = options.extra.is_object() && options.extra.contains("tools")
        && !options.extra["tools"].is_null();
    const bool forTools = withTools && !m_state->toolSource.empty();
    auto state = std::make_unique<PreparedConversation::State>();
    state->chatTemplate = m_state.get();
    state->body = forTools ? &m_state->toolBody : &m_state->body;
    state->now = options.now;
    state->generationPrompt = options.addGenerationPrompt;
    try {
        for (const auto& message : messages)
            state->messages.push_back(
                messageValue(message, static_cast<int>(state->messages.size())));
        state->variables = variablesOf(options);
        return PreparedConversation(std::move(state));
    } catch (const jinja::Failure& failure) {
        return errorOf(failure, m_state->name);
    }
}

const std::string& ChatTemplate::name() const {
    return m_state->name;
}

const std::string& ChatTemplate::source() const {
    return m_state->source;
}

std::string ChatTemplate::contentHash() const {
    Sha256 hash;
    hash.add(m_state->source);
    if (!m_state->toolSource.empty()) {
        hash.add(std::string_view("\0", 1));
        hash.add(m_state->toolSource);
    }
    return hash.hex();
}

} // namespace mooring
