// SPDX-License-Identifier: GPL-3.0-or-later
// Short words and their tokens: most words of a text were met before.
#pragma once
#include "core/text/tokenizer/text.h"
#include <array>
#include <cstring>
#include <vector>

namespace mooring::tok {

// One entry fills two cache lines.
struct alignas(64) CachedWord {
    static constexpr std::size_t kLongest = 62;
    static constexpr std::size_t kMostTokens = 12;
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
        constexpr std::size_t kStep = sizeof(std::uint64_t);
        constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ull;
        std::uint64_t hash = (serial + word.size()) * kFactor, eight = 0;
        std::size_t at = 0;
        for (; at + kStep <= word.size(); at += kStep) {
            std::memcpy(&eight, word.data() + at, kStep);
            hash = (hash ^ eight ^ (hash >> 31)) * kFactor;
        }
        eight = 0;
        std::memcpy(&eight, word.data() + at, word.size() - at);
        hash = (hash ^ eight ^ (hash >> 31)) * kFactor;
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
