// SPDX-License-Identifier: GPL-3.0-or-later
// Regular expressions of tokenizers, which are written for Oniguruma or Rust.
#pragma once
#include "core/text/tokenizer/pattern/pcre.h"
#include "core/text/tokenizer/pattern/scan.h"
#include <optional>
#include <vector>

namespace mooring::tok {

// Bytes [begin, end) of a text, and whether the pattern matched there.
struct Piece {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool matched = false;
};

// A compiled pattern: scanned by its character classes where its shape allows, else run by PCRE2.
// Immutable; used by several threads at once.
class Pattern {
public:
    // Error.what names the construct.
    static Result<Pattern> compile(const std::string& pattern);
    static Result<Pattern> literal(const std::string& text);

    // Covers the whole text with matches and the gaps between them, in order. An empty match is an
    // empty piece. Text must be valid UTF-8. A pattern that exhausts its limit of steps leaves the
    // rest of the text unmatched.
    void pieces(std::string_view text, std::vector<Piece>& out) const;
    bool isScanned() const { return m_scan.has_value(); }

private:
    std::optional<ScanProgram> m_scan;
    Pcre m_pcre;
};

} // namespace mooring::tok
