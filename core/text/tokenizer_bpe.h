// SPDX-License-Identifier: GPL-3.0-or-later
// The BPE model over bytes. Its vocabulary file writes bytes as printable characters.
#pragma once
#include "core/base/result.h"
#include "core/text/tokenizer.h"
#include "core/text/tokenizer_text.h"
#include <array>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace mooring::tok {

// The largest id that is believed; one table entry is kept for every id below the largest.
constexpr std::int64_t kLargestId = (1 << 24) - 1;

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
        return std::hash<std::string_view>{}(text);
    }
};
using TextToId = std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>>;

// The bytes that a vocabulary entry stands for, or nothing where it holds characters outside of the
// byte alphabet.
std::optional<std::string> bytesOfEntry(std::string_view entry);

// (left id, right id) -> rank and id of the merged token; open addressing.
class MergeTable {
public:
    struct Entry {
        std::uint64_t pair = ~0ull;
        std::uint32_t rank = 0;
        std::int32_t id = 0;
    };
    void reserve(std::size_t merges);
    void insert(std::int32_t left, std::int32_t right, std::uint32_t rank, std::int32_t id);
    const Entry* find(std::int32_t left, std::int32_t right) const;

private:
    std::size_t slot(std::uint64_t pair) const;
    std::vector<Entry> m_entries;
    std::size_t m_mask = 0;
};

// Immutable after load; several threads may encode.
class BpeModel {
public:
    // `model` of tokenizer.json. Error.where names the key.
    static Result<BpeModel> load(const nlohmann::json& model);
    // Appends the tokens of one word (a piece of the pre-tokenizer).
    void encode(const TextView& word, std::vector<Token>& out) const;
    const TextToId& vocabulary() const { return m_vocabulary; }

private:
    struct Symbol {
        std::int32_t id = 0;
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        std::int32_t next = -1;
        std::int32_t previous = -1;
        std::uint32_t rank = 0; // of the merge with the next symbol
    };
    Result<void> loadVocabulary(const nlohmann::json& model);
    Result<void> loadMerges(const nlohmann::json& model);
    void symbolsOf(std::string_view word, std::vector<Symbol>& symbols) const;
    void rankAt(std::vector<Symbol>& symbols, std::int32_t at) const;
    void mergeAt(std::vector<Symbol>& symbols, std::int32_t at) const;
    void mergeShort(std::vector<Symbol>& symbols) const;
    void mergeLong(std::vector<Symbol>& symbols) const;

    TextToId m_vocabulary;
    TextToId m_words; // by bytes, for ignore_merges
    MergeTable m_merges;
    std::array<std::int32_t, 256> m_byteId = {};
    std::optional<std::int32_t> m_unknown;
    bool m_fuseUnknown = false;
    bool m_ignoreMerges = false;
};

} // namespace mooring::tok
