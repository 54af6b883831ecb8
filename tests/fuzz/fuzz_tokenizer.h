// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/text/tokenizer/tokenizer.h"
#include "tests/fuzz/fuzz_folder.h"
#include <cstdlib>
#include <utility>

namespace mooring::fuzz {

// A text to encode may follow the last line feed of an input.
inline std::pair<std::string_view, std::string_view> splitAtLastLine(std::string_view input) {
    const std::size_t at = input.rfind('\n');
    if (at == std::string_view::npos)
        return {input, {}};
    return {input.substr(0, at), input.substr(at + 1)};
}

// What a tokenizer promises for any text: ranges in order and within it, ids it can decode.
inline void encodeChecked(const Tokenizer& tokenizer, std::string_view text) {
    std::string decoded;
    for (const Token& token : tokenizer.encode(text)) {
        if (token.begin > token.end || token.end > text.size() || token.id < 0
            || token.id >= tokenizer.vocabularySize())
            std::abort();
        decoded += tokenizer.decode({&token.id, 1});
    }
}

inline void encodeHostileTexts(
    const Result<std::shared_ptr<const Tokenizer>>& opened, std::string_view own) {
    if (!opened)
        return;
    const Tokenizer& tokenizer = **opened;
    encodeChecked(tokenizer, own);
    encodeChecked(tokenizer,
        "Hello  world's 123 caf\xC3\xA9 e\xCC\x81\r\n\t\xE4\xBD\xA0\xFF\xE2\x82<s> </s>");
    encodeChecked(tokenizer, std::string(2000, 'a'));
    encodeChecked(tokenizer, std::string(2000, ' ') + "x");
}

} // namespace mooring::fuzz
