// SPDX-License-Identifier: GPL-3.0-or-later
// Chat templates: a Jinja subset whose strings carry their origin, so that each output character
// knows the message and field it came from (docs/methods.md#how-spans-are-found).
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mooring {

// A stretch of output text, [begin, end) in bytes, that came from one message's own fields, or that
// a
// {% generation %} block marked. Stretches are ordered and do not overlap.
struct OriginRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    int message = -1; // index into the conversation
};

struct RenderedText {
    std::string text;
    std::vector<OriginRange> origins; // of message fields
    std::vector<OriginRange> turns; // written while a loop over the messages held this one
    std::vector<OriginRange>
        generations; // of {% generation %} blocks; empty where the template has none
};

struct RenderOptions {
    bool addGenerationPrompt = false;
    nlohmann::ordered_json extra
        = nlohmann::ordered_json::object(); // further variables (tools, enable_thinking ..)
    std::string bosToken;
    std::string eosToken;
    std::string now; // "2026-01-15" for strftime_now; empty: today
};

class PreparedConversation;

// A parsed template. Immutable; render may be called from several threads.
class ChatTemplate {
public:
    // Errors (Input) name the file, the line and the unknown construct.
    static Result<std::shared_ptr<const ChatTemplate>> parse(
        const std::string& source, const std::string& name);
    // The plain default of docs/formats.md#default-template, for folders without a template.
    static std::shared_ptr<const ChatTemplate> plainDefault();
    // chat_template.jinja or tokenizer_config.json of a folder, else the plain default. A FILE
    // path: that file.
    static Result<std::shared_ptr<const ChatTemplate>> forModel(
        const std::filesystem::path& folder, const std::string& fileOrAuto = "auto");
    ~ChatTemplate();

    // messages: [{"role", "content", ...}]. Bounded in time and output. Errors (Input): what the
    // template raised, or the construct and its line.
    Result<RenderedText> render(
        const nlohmann::ordered_json& messages, const RenderOptions& options) const;
    // The same for several renderings of one conversation and of its beginnings. The template
    // must outlive it.
    Result<PreparedConversation> prepare(
        const nlohmann::ordered_json& messages, const RenderOptions& options) const;
    const std::string& name() const;
    const std::string& source() const;
    std::string contentHash() const;

private:
    struct State;
    // `forTools` is the template named tool_use, taken where a conversation has tools; or empty.
    static Result<std::shared_ptr<const ChatTemplate>> parseBoth(
        const std::string& source, const std::string& forTools, const std::string& name);
    explicit ChatTemplate(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
    friend class PreparedConversation;
};

// A conversation whose values are made. One thread at a time.
class PreparedConversation {
public:
    PreparedConversation(PreparedConversation&& other) noexcept;
    ~PreparedConversation();

    Result<RenderedText> render() const; // as the options say
    // The first messages alone, under the same settings.
    Result<RenderedText> renderFirst(std::size_t messages, bool generationPrompt) const;

private:
    friend class ChatTemplate;
    struct State;
    explicit PreparedConversation(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace mooring
