// SPDX-License-Identifier: GPL-3.0-or-later
// Regular expressions of tokenizer.json, which are written for Oniguruma, run by PCRE2.
#pragma once
#include "core/base/result.h"
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mooring::tok {

// Bytes [first, second) of a text, and whether the pattern matched there.
struct Piece {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool matched = false;
};

// The pattern in PCRE2's syntax with the meaning it has in the reference, or the construct for
// which that is not known (Error.what). `isScript` tells whether a property name is a script, so
// that \p{Han} means the script and not PCRE2's script extensions.
Result<std::string> toPcre2(
    const std::string& pattern, const std::function<bool(const std::string&)>& isScript);

// A compiled pattern. Immutable; used by several threads at once.
class Pattern {
public:
    // Error.what names the construct.
    static Result<Pattern> compile(const std::string& pattern);
    static Result<Pattern> literal(const std::string& text);

    // Covers the whole text with matches and the gaps between them, in order. An empty match is an
    // empty piece. Text must be valid UTF-8. A pattern that exhausts its match limit leaves the
    // rest of the text unmatched.
    void pieces(std::string_view text, std::vector<Piece>& out) const;

private:
    struct Code;
    std::shared_ptr<const Code> m_code;
};

} // namespace mooring::tok
