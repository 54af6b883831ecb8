// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mooring {

// A token and the bytes of the input text it covers, [begin, end).
struct Token {
    std::int32_t id = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

// Texts that a folder's tokenizer_config.json and special_tokens_map.json name, for a template
// without a tokenizer.
struct NamedTexts {
    std::optional<std::string> bos, eos, pad;
};
Result<NamedTexts> namedTexts(const std::filesystem::path& folder);

// tokenizer.json, a file of ranks (tiktoken) or a SentencePiece model, with the ids that their
// reference libraries give. Immutable after open; encode may be called from several threads.
class Tokenizer {
public:
    // Reads tokenizer.json, else tiktoken.model or NAME.tiktoken, else tokenizer.model, and beside
    // it tokenizer_config.json, special_tokens_map.json, added_tokens.json (for added tokens),
    // config.json and generation_config.json (for the ends).
    // Errors (Input) name the file and the construct that is not known.
    static Result<std::shared_ptr<const Tokenizer>> open(const std::filesystem::path& folder);
    ~Tokenizer();

    // Ids of the text; added tokens in it become their ids; no BOS or EOS is added.
    std::vector<Token> encode(std::string_view text) const;
    // Bytes of the ids; special tokens as their text, or left out.
    std::string decode(std::span<const std::int32_t> ids, bool skipSpecial = false) const;

    std::optional<std::int32_t> idOf(std::string_view token) const;
    bool isSpecial(std::int32_t id) const; // an added token marked special
    // May end a turn: special, or named as an end by tokenizer_config.json,
    // special_tokens_map.json or generation_config.json.
    bool isStop(std::int32_t id) const;
    // Where generation ends: eos_token, and eos_token_id of generation_config.json.
    const std::vector<std::int32_t>& ends() const;
    const std::vector<std::string>& notices() const; // where files differ, and which one counts
    std::int64_t vocabularySize() const; // largest id + 1
    std::optional<std::string> bosToken() const;
    std::optional<std::string> eosToken() const;
    std::optional<std::string> padToken() const;
    std::string contentHash() const; // SHA-256 of the file that holds the vocabulary

private:
    struct State;
    explicit Tokenizer(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace mooring
