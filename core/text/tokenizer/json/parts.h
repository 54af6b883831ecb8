// SPDX-License-Identifier: GPL-3.0-or-later
// What every kind of tokenizer file is loaded into. One loader per kind.
#pragma once
#include "core/text/tokenizer/added.h"
#include "core/text/tokenizer/files.h"
#include "core/text/tokenizer/json/decoder.h"
#include "core/text/tokenizer/json/normalizer.h"
#include "core/text/tokenizer/json/steps.h"

namespace mooring::tok {

// Every id, with its text as the file writes it and the bytes it decodes to.
struct TokenTable {
    std::vector<std::string> texts;
    std::vector<std::string> bytes;
    std::vector<bool> special;
    TextToId ids;

    void set(std::int32_t id, const std::string& text, const std::string& decoded);
    bool holds(std::int64_t id) const {
        return id >= 0 && id < static_cast<std::int64_t>(texts.size());
    }
};

struct TokenizerParts {
    TokenTable table; // of the model; added tokens stand apart
    std::vector<AddedToken> added;
    Normalizer normalizer;
    PreTokenizer steps;
    BpeModel model;
    // A model that a library runs, instead of steps and model.
    std::function<void(const TextView&, std::vector<Token>&)> library;
    Decoder decoder;
    SpecialTokens named; // where no other file of the folder says it
    bool cutAtSeams = false; // tokenizer_seams.h
    bool takesNamed = false; // tokens that the files beside it name (tokenizer/named.h)
    std::vector<std::string> notices; // where files differ, and which one counts
    std::string hash; // SHA-256 of the file
};

// tokenizer.json.
Result<TokenizerParts> loadTokenizerJson(const std::filesystem::path& folder);
// A file of ranks: tiktoken.model or NAME.tiktoken.
Result<TokenizerParts> loadRanks(
    const std::filesystem::path& folder, const std::filesystem::path& file);
// tokenizer.model of SentencePiece.
Result<TokenizerParts> loadSentencePiece(
    const std::filesystem::path& folder, const std::filesystem::path& file);

} // namespace mooring::tok
