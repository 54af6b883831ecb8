// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/pattern/pattern.h"
#include "core/text/tokenizer/text.h"

namespace mooring::tok {
namespace {

// `find(at, found)` looks for the first match from `at` on.
template <typename Find>
void cover(std::string_view text, std::vector<Piece>& out, const Find& find) {
    Found found;
    std::size_t done = 0;
    bool matchedBefore = false; // a match ended at `done`
    for (std::size_t at = 0; at <= text.size() && find(at, found);) {
        // An empty match right behind the last match does not count.
        if (found.begin >= found.end && matchedBefore && found.end == done) {
            at += at < text.size() ? codePointAt(text, at).length : 1;
            continue;
        }
        if (found.begin > done)
            out.push_back({done, found.begin, false});
        out.push_back({found.begin, found.end, true});
        done = at = found.end;
        matchedBefore = true;
    }
    if (done < text.size())
        out.push_back({done, text.size(), false});
}

} // namespace

Result<Pattern> Pattern::compile(const std::string& pattern) {
    Pattern result;
    // Compiled in any case, since only PCRE2 says what is wrong with a pattern.
    MOORING_TRY(result.m_pcre, Pcre::compile(pattern));
    result.m_scan = ScanProgram::compile(pattern);
    return result;
}

Result<Pattern> Pattern::literal(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool word = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z')
            || (byte >= 'A' && byte <= 'Z');
        if (byte > 0x20 && byte < 0x7F && !word)
            escaped += '\\';
        escaped += c;
    }
    return compile(escaped);
}

void Pattern::pieces(std::string_view text, std::vector<Piece>& out) const {
    if (m_scan) {
        ScanSearch search(*m_scan, text);
        return cover(
            text, out, [&](std::size_t at, Found& found) { return search.find(at, found); });
    }
    cover(text, out, [&](std::size_t at, Found& found) { return m_pcre.find(text, at, found); });
}

} // namespace mooring::tok
