// SPDX-License-Identifier: GPL-3.0-or-later
// Short words and their tokens: most words of a text were met before.
#pragma once
#include "core/text/tokenizer_text.h"
#include <array>
#include <cstring>
#include <vector>

namespace mooring::tok {

// One entry fills a cache line.
struct alignas(64) CachedWord {
    static constexpr std::size_t kLongest = 22;
    static constexpr std::size_t kMostTokens = 7;
    std::uint32_t serial = 0; // of the model; 0: empty
    std::uint8_t length = 0;
    std::uint8_t count = 0;
    std::array<char, kLongest> bytes;
    std::array<std::uint8_t, kMostTokens> ends;
    std::array<std::int32_t, kMostTokens> ids;
};

// Belongs to one thread. A word has one place, where the last one of that place stands.
class WordCache {
public:
    CachedWord& placeOf(std::string_view word, std::uint32_t serial) {
        std::uint64_t head = 0, tail = 0;
        const std::size_t n = word.size();
        std::memcpy(&head, word.data(), n < 8 ? n : 8);
        if (n > 8)
            std::memcpy(&tail, word.data() + n - 8, 8);
        const std::uint64_t hash
            = (head ^ (tail * 0x9E3779B97F4A7C15ull) ^ (serial + n)) * 0xD6E8FEB86659FD93ull;
        return m_words[(hash ^ (hash >> 29)) >> 16 & (kPlaces - 1)];
    }
    static bool holds(const CachedWord& place, std::string_view word, std::uint32_t serial) {
        return place.serial == serial && place.length == word.size()
            && std::memcmp(place.bytes.data(), word.data(), word.size()) == 0;
    }

private:
    static constexpr std::size_t kPlaces = 8192;
    std::vector<CachedWord> m_words = std::vector<CachedWord>(kPlaces);
};

} // namespace mooring::tok
