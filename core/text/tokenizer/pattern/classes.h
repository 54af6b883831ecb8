// SPDX-License-Identifier: GPL-3.0-or-later
// Which of a pattern's character classes a code point belongs to, one bit each.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mooring::tok {

using ClassMask = std::uint32_t;
constexpr std::size_t kMostClasses = 32;

class CharacterClasses {
public:
    // Each source is a regular expression of exactly one character. Nothing where one cannot be
    // used.
    static std::optional<CharacterClasses> of(const std::vector<std::string>& sources);

    ClassMask ofAscii(unsigned char byte) const { return m_ascii[byte]; }
    ClassMask of(std::uint32_t codePoint) const {
        return m_blocks[(static_cast<std::size_t>(m_blockOf[codePoint >> 8]) << 8)
            | (codePoint & 0xFF)];
    }

private:
    std::array<ClassMask, 128> m_ascii = {};
    std::vector<std::uint16_t> m_blockOf; // of 256 code points each; equal blocks are kept once
    std::vector<ClassMask> m_blocks;
};

} // namespace mooring::tok
