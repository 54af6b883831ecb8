// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/byte_alphabet.h"
#include "core/text/tokenizer/text.h"
#include <array>

namespace mooring::tok {
namespace {

// Printable characters stand for themselves, the other bytes for U+0100 onwards, in order.
std::array<std::int32_t, 512> byteAlphabet() {
    std::array<std::int32_t, 512> byteOf;
    byteOf.fill(-1);
    int shifted = 256;
    for (int b = 0; b < 256; ++b) {
        const bool printable
            = (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b <= 0xAC) || (b >= 0xAE && b <= 0xFF);
        byteOf[static_cast<std::size_t>(printable ? b : shifted++)] = b;
    }
    return byteOf;
}

} // namespace

std::optional<std::string> bytesOfEntry(std::string_view entry) {
    static const auto byteOf = byteAlphabet();
    std::string bytes;
    for (std::size_t at = 0; at < entry.size();) {
        const CodePoint c = codePointAt(entry, at);
        if (!c.valid || c.value >= 512 || byteOf[static_cast<std::size_t>(c.value)] < 0)
            return std::nullopt;
        bytes += static_cast<char>(byteOf[static_cast<std::size_t>(c.value)]);
        at += c.length;
    }
    return bytes;
}

} // namespace mooring::tok
