// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mooring::tok {

// Rejects most absent keys from memory that stays in the CPU's cache, so that a large table is
// rarely searched in vain.
class BitFilter {
public:
    void reserve(std::size_t keys) {
        std::size_t words = 1;
        while (words * 64 < 8 * keys)
            words *= 2;
        m_words.assign(words, 0);
    }
    void add(std::uint64_t hash) { m_words[wordOf(hash)] |= bitOf(hash); }
    bool mayHold(std::uint64_t hash) const { return m_words[wordOf(hash)] & bitOf(hash); }

private:
    std::size_t wordOf(std::uint64_t hash) const { return (hash >> 38) & (m_words.size() - 1); }
    static std::uint64_t bitOf(std::uint64_t hash) { return std::uint64_t{1} << (hash >> 32 & 63); }
    std::vector<std::uint64_t> m_words = std::vector<std::uint64_t>(1);
};

} // namespace mooring::tok
