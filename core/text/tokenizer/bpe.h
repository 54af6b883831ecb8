// SPDX-License-Identifier: GPL-3.0-or-later
// The BPE model: symbols of a word, bytes or characters, are joined pair by pair, the pair of the
// lowest rank first.
#pragma once
#include "core/base/result.h"
#include "core/text/tokenizer/pattern/bit_filter.h"
#include "core/text/tokenizer/pattern/borders.h"
#include "core/text/tokenizer/text.h"
#include "core/text/tokenizer/tokenizer.h"
#include "core/text/tokenizer/word_cache.h"
#include <array>
#include <optional>
#include <unordered_map>

namespace mooring::tok {

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
        return std::hash<std::string_view>{}(text);
    }
};
using TextToId = std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>>;

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
    static std::uint64_t hashOf(std::uint64_t pair);
    std::size_t slot(std::uint64_t pair) const;
    BitFilter m_filter;
    std::vector<Entry> m_entries = std::vector<Entry>(1);
    std::size_t m_mask = 0;
};

// What a file says about a model. -1: there is no such token.
struct BpeRules {
    BpeRules();
    bool characters = false; // symbols are characters; else bytes
    std::array<std::int32_t, 256> ofByte; // symbols, or what unknown characters fall back to
    std::unordered_map<std::int32_t, std::int32_t> ofCharacter; // by code point
    std::int32_t unknown = -1;
    bool fuseUnknown = false;
    bool byteFallback = false;
    TextToId words; // words that are one token whatever the merges say
    MergeTable merges;
    // Where text without words may be cut; none where unknown characters may wait for known ones.
    std::optional<PieceBorders> borders;
    bool fallsBackAlways() const; // every byte has its token
};

// Immutable; several threads may encode.
class BpeModel {
public:
    explicit BpeModel(BpeRules rules);
    BpeModel() = default;
    // Appends the tokens of one word (a piece of the pre-tokenizer).
    void encode(const TextView& word, std::vector<Token>& out) const;

private:
    struct Symbol {
        std::int32_t id = 0;
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        std::int32_t next = -1;
        std::int32_t previous = -1;
        std::uint32_t rank = 0; // of the merge with the next symbol
        std::int32_t merged = 0; // what that merge gives
    };
    using Symbols = std::vector<Symbol>;
    void encodeCut(const TextView& text, std::vector<Token>& out) const;
    void encodeWord(const TextView& word, std::vector<Token>& out) const;
    void encodeNew(const TextView& word, std::vector<Token>& out) const;
    void bytesOf(std::string_view word, Symbols& symbols) const;
    void charactersOf(std::string_view word, Symbols& symbols) const;
    std::int32_t symbolOf(std::int32_t codePoint) const; // -1: none
    bool fallBack(
        std::string_view word, std::uint32_t begin, std::uint32_t end, Symbols& symbols) const;
    void rankAt(Symbols& symbols, std::int32_t at) const;
    void mergeAt(Symbols& symbols, std::int32_t at) const;
    void mergeShort(Symbols& symbols) const;
    void mergeLong(Symbols& symbols) const;

    BpeRules m_rules;
    std::array<std::int32_t, 128> m_ofAscii = {}; // of ofCharacter
    BitFilter m_wordFilter; // of m_rules.words
    std::uint32_t m_serial = 0; // whose words are in a thread's cache
};

} // namespace mooring::tok
