// SPDX-License-Identifier: GPL-3.0-or-later
// A tokenizer with one token a byte, a few merges and special tokens, and templates written out.
#pragma once
#include "core/text/render.h"
#include "tokenizer_folder.h"

namespace mooring {

using Json = nlohmann::ordered_json;

// GPT-2's alphabet: the printable character that stands for a byte in a vocabulary.
inline std::string byteLetter(int byte) {
    const auto plain
        = [](int b) { return (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174; };
    int code = byte;
    if (!plain(byte)) {
        code = 256;
        for (int b = 0; b < byte; ++b)
            code += plain(b) ? 0 : 1;
    }
    if (code < 0x80)
        return {static_cast<char>(code)};
    return {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3F))};
}

// Merged: " 4" and "xy". Special: the markers of ChatML, <bos>, <eos>; <think> is added, not
// special.
inline nlohmann::json byteTokenizerJson() {
    nlohmann::json vocabulary = nlohmann::json::object();
    for (int byte = 0; byte < 256; ++byte)
        vocabulary[byteLetter(byte)] = byte;
    vocabulary[byteLetter(' ') + "4"] = 256;
    vocabulary["xy"] = 257;
    nlohmann::json added = nlohmann::json::array();
    int id = 258;
    for (const char* text : {"<|im_start|>", "<|im_end|>", "<bos>", "<eos>", "<think>"})
        added.push_back({{"id", id++}, {"content", text}, {"single_word", false}, {"lstrip", false},
            {"rstrip", false}, {"normalized", false}, {"special", std::string(text) != "<think>"}});
    return {{"version", "1.0"}, {"truncation", nullptr}, {"padding", nullptr},
        {"added_tokens", added}, {"normalizer", nullptr},
        {"pre_tokenizer",
            {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true},
                {"use_regex", true}}},
        {"post_processor", nullptr}, {"decoder", {{"type", "ByteLevel"}}},
        {"model",
            {{"type", "BPE"}, {"dropout", nullptr}, {"unk_token", nullptr},
                {"continuing_subword_prefix", ""}, {"end_of_word_suffix", ""}, {"fuse_unk", false},
                {"byte_fallback", false}, {"ignore_merges", false}, {"vocab", vocabulary},
                {"merges", {byteLetter(' ') + " 4", "x y"}}}}};
}

inline std::shared_ptr<const Tokenizer> byteTokenizer(bool withBosAndEos = true) {
    const TokenizerFolder folder;
    if (withBosAndEos)
        folder.writeJson("tokenizer_config.json", {{"bos_token", "<bos>"}, {"eos_token", "<eos>"}});
    return openTokenizer(byteTokenizerJson(), folder);
}

inline std::shared_ptr<const ChatTemplate> templateOf(const std::string& source) {
    auto parsed = ChatTemplate::parse(source, "test");
    EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().message());
    return parsed.ok() ? *parsed : nullptr;
}

inline const char* const kChatMl
    = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + "
      "message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}"
      "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

// As Qwen3: the thinking of earlier turns is dropped, the last turn always has a thinking block.
inline const char* const kDropsThinking = R"({%- for message in messages %}
    {%- if message.role == 'assistant' %}
        {%- set thinking = '' %}
        {%- set content = message.content %}
        {%- if '</think>' in content %}
            {%- set thinking = content.split('</think>')[0].split('<think>')[-1].strip('\n') %}
            {%- set content = content.split('</think>')[-1].lstrip('\n') %}
        {%- endif %}
        {{- '<|im_start|>assistant\n' }}
        {%- if loop.last %}
            {{- '<think>\n' + thinking + '\n</think>\n\n' }}
        {%- endif %}
        {{- content + '<|im_end|>\n' }}
    {%- else %}
        {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\n' }}
{%- endif %})";

inline Json message(const std::string& role, const std::string& content) {
    return {{"role", role}, {"content", content}};
}

inline Row conversation(Json messages) {
    Row row;
    row.messages = std::move(messages);
    return row;
}

// The text with its answers in brackets.
inline std::string bracketed(const RenderedRow& row) {
    std::string text;
    bool inside = false;
    for (std::size_t i = 0; i < row.tokens.size(); ++i) {
        if ((row.span[i] == 1) != inside)
            text += inside ? "]" : "[";
        inside = row.span[i] == 1;
        text += row.text.substr(row.tokens[i].begin, row.tokens[i].end - row.tokens[i].begin);
    }
    return inside ? text + "]" : text;
}

} // namespace mooring
