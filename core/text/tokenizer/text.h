// SPDX-License-Identifier: GPL-3.0-or-later
// Text on its way from the caller to the model, and the bytes it came from.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mooring::tok {

// Bytes [begin, end) of the caller's text.
struct ByteRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

// A view of text with its origin. Where nothing was changed `map` is null and byte i came from byte
// base + i; otherwise map[i] is the origin of byte i.
struct TextView {
    std::string_view bytes;
    const ByteRange* map = nullptr;
    std::uint32_t base = 0;

    bool empty() const { return bytes.empty(); }
    TextView sub(std::size_t begin, std::size_t end) const;
    ByteRange origin(std::size_t begin, std::size_t end) const; // begin < end
};

// Changed text owns its bytes and their origins.
struct OwnedText {
    std::string bytes;
    std::vector<ByteRange> map;

    void append(std::string_view text, ByteRange origin); // every byte came from all of `origin`
    void appendUnchanged(const TextView& text);
    TextView view() const { return {bytes, map.data(), 0}; }
};

// A code point of UTF-8 text. Where the bytes are not valid UTF-8, `valid` is false and `length`
// covers the maximal broken sequence, as the Unicode standard recommends.
struct CodePoint {
    std::int32_t value = 0;
    std::uint32_t length = 1;
    bool valid = true;
};
CodePoint codePointAt(std::string_view text, std::size_t at);

// White_Space of Unicode, which is `\s` of the reference's regular expressions.
bool isWhiteSpace(std::int32_t codePoint);
// `\w` of Rust's regular expressions, which border `single_word` tokens.
bool isWordCharacter(std::int32_t codePoint);
// A number by general category (Nd, Nl, No).
bool isNumeric(std::int32_t codePoint);
// Punctuation by general category, or one of ASCII's.
bool isPunctuation(std::int32_t codePoint);
bool isMark(std::int32_t codePoint);

// The text as valid UTF-8: each broken sequence becomes U+FFFD, as a decoder with replacement gives
// it to the reference. Returns the caller's own bytes where all is valid.
TextView validText(std::string_view text, OwnedText& storage);

// A normalization form of Unicode. Characters that it changed come from all bytes of their segment
// (a base character and its marks).
struct UnicodeForm {
    bool compose = true; // C and KC; else D and KD
    bool compatible = false; // KC and KD
};
TextView normalized(const TextView& text, UnicodeForm form, OwnedText& storage);

void appendCodePoint(std::string& text, std::int32_t codePoint);

} // namespace mooring::tok
