// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/pattern/seams.h"

namespace mooring::tok {
namespace {

constexpr std::size_t kMostCharacters = 400'000;
constexpr std::size_t kLongestRun = 25'000;

// Python's str.isspace, which also takes four separators of ASCII.
bool isPythonSpace(std::int32_t c) {
    if (c > 0x20 && c < 0x80)
        return false;
    return isWhiteSpace(c) || (c >= 0x1C && c <= 0x1F);
}

} // namespace

std::vector<TextView> cutAtSeams(const TextView& text) {
    std::vector<TextView> parts;
    std::size_t begin = 0, characters = 0, run = 0;
    bool space = false;
    const auto cut = [&](std::size_t at) {
        parts.push_back(text.sub(begin, at));
        begin = at;
    };
    for (std::size_t at = 0; at < text.bytes.size();) {
        const auto byte = static_cast<unsigned char>(text.bytes[at]);
        const CodePoint c = byte < 0x80 ? CodePoint{byte} : codePointAt(text.bytes, at);
        if (characters == kMostCharacters) {
            cut(at);
            characters = run = 0;
        }
        const bool now = isPythonSpace(c.value);
        if (run > 0 && now != space)
            run = 0;
        space = now;
        if (++run > kLongestRun) {
            cut(at);
            run = 1;
        }
        ++characters;
        at += c.length;
    }
    if (begin < text.bytes.size())
        cut(text.bytes.size());
    return parts;
}

} // namespace mooring::tok
