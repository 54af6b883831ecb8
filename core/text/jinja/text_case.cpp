// SPDX-License-Identifier: GPL-3.0-or-later
// What filters and methods do to a string, with origins kept.
#include "core/text/jinja/text.h"
#include <algorithm>
#include <utf8proc.h>

namespace mooring::jinja {

Text mapCharacters(const Text& text, const std::function<void(std::string&, char32_t)>& map) {
    Text result;
    result.setMarkup(text.markup());
    const std::string& bytes = text.bytes();
    std::string piece;
    auto run = text.runs().begin();
    for (std::size_t at = 0; at < bytes.size();) {
        while (run != text.runs().end() && run->end <= at)
            ++run;
        const bool inside = run != text.runs().end() && run->begin <= at;
        const std::size_t stop = inside ? run->end
            : run != text.runs().end()  ? run->begin
                                        : bytes.size();
        const Origin origin = inside ? run->origin : Origin{};
        piece.clear();
        for (; at < stop; at += characterLength(bytes, at))
            map(piece, characterAt(bytes, at));
        result.append(piece, origin);
    }
    return result;
}

namespace {

char32_t mapped(utf8proc_int32_t (*map)(utf8proc_int32_t), char32_t c) {
    return static_cast<char32_t>(map(static_cast<utf8proc_int32_t>(c)));
}

// Small letters without a capital of their own, like the ligature fi, are written as their parts.
std::u32string partsWithoutCapital(char32_t c) {
    const auto code = static_cast<utf8proc_int32_t>(c);
    if (c == 0xDF) // sharp s
        return U"ss";
    if (c < 0x80 || utf8proc_category(code) != UTF8PROC_CATEGORY_LL
        || utf8proc_toupper(code) != code)
        return {};
    utf8proc_int32_t parts[32];
    int lastBound = 0;
    const auto count = utf8proc_decompose_char(code, parts, 32,
        static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT), &lastBound);
    return count > 1 && count <= 32 ? std::u32string(parts, parts + count) : std::u32string();
}

void appendUpper(std::string& bytes, char32_t c) {
    const std::u32string parts = partsWithoutCapital(c);
    for (const char32_t part : parts)
        appendCharacter(bytes, mapped(utf8proc_toupper, part));
    if (parts.empty())
        appendCharacter(bytes, mapped(utf8proc_toupper, c));
}

void appendTitle(std::string& bytes, char32_t c) {
    const std::u32string parts = partsWithoutCapital(c);
    for (std::size_t i = 0; i < parts.size(); ++i)
        appendCharacter(bytes, i == 0 ? mapped(utf8proc_toupper, parts[i]) : parts[i]);
    if (parts.empty())
        appendCharacter(bytes, mapped(utf8proc_totitle, c));
}

void appendLower(std::string& bytes, char32_t c) {
    if (c == 0x130) // the one capital whose small letter is two characters
        bytes += "i\xCC\x87";
    else
        appendCharacter(bytes, mapped(utf8proc_tolower, c));
}

bool isCased(char32_t c) {
    const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
    return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL
        || category == UTF8PROC_CATEGORY_LT;
}

bool isIgnoredBetweenCases(char32_t c) {
    const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME
        || category == UTF8PROC_CATEGORY_CF || category == UTF8PROC_CATEGORY_LM
        || category == UTF8PROC_CATEGORY_SK || c == '\'' || c == '.' || c == ':' || c == 0xB7
        || c == 0x2019;
}

constexpr char32_t kCapitalSigma = 0x3A3, kFinalSigma = 0x3C2;

// Goes through a text character by character and writes each in lower case; a capital sigma that
// ends a word has a small letter of its own.
class Lowering {
public:
    explicit Lowering(const Text& text)
        : m_bytes(text.bytes()) { }
    void append(std::string& out, char32_t c) const {
        if (c == kCapitalSigma && m_casedBefore && !casedBehind())
            appendCharacter(out, kFinalSigma);
        else
            appendLower(out, c);
    }
    void pass(char32_t c) {
        m_at += characterLength(m_bytes, m_at);
        m_casedBefore = isCased(c) || (m_casedBefore && isIgnoredBetweenCases(c));
    }
    void beginWord() { m_casedBefore = false; }

private:
    bool casedBehind() const {
        std::size_t at = m_at + characterLength(m_bytes, m_at);
        while (at < m_bytes.size() && isIgnoredBetweenCases(characterAt(m_bytes, at)))
            at += characterLength(m_bytes, at);
        return at < m_bytes.size() && isCased(characterAt(m_bytes, at));
    }
    const std::string& m_bytes;
    std::size_t m_at = 0;
    bool m_casedBefore = false;
};

} // namespace

Text upperCase(const Text& text) {
    return mapCharacters(text, appendUpper);
}

Text lowerCase(const Text& text) {
    Lowering lowering(text);
    return mapCharacters(text, [&](std::string& bytes, char32_t c) {
        lowering.append(bytes, c);
        lowering.pass(c);
    });
}

Text capitalized(const Text& text) {
    Lowering lowering(text);
    bool first = true;
    return mapCharacters(text, [&](std::string& bytes, char32_t c) {
        if (first)
            appendTitle(bytes, c);
        else
            lowering.append(bytes, c);
        lowering.pass(c);
        first = false;
    });
}

Text titleCase(const Text& text, std::string_view separators) {
    Lowering lowering(text);
    bool start = true;
    return mapCharacters(text, [&](std::string& bytes, char32_t c) {
        if (!start)
            lowering.append(bytes, c);
        else
            (separators.empty() ? appendTitle : appendUpper)(bytes, c);
        lowering.pass(c);
        if (start && !separators.empty()) // the filter lowers what follows it on its own
            lowering.beginWord();
        if (separators.empty())
            start = !isCased(c);
        else
            start = isWhiteSpace(c)
                || (c < 0x80 && separators.find(static_cast<char>(c)) != std::string_view::npos);
    });
}

Text htmlEscaped(const Text& text) {
    return mapCharacters(text, [](std::string& bytes, char32_t c) {
        switch (c) {
        case '&':
            bytes += "&amp;";
            break;
        case '<':
            bytes += "&lt;";
            break;
        case '>':
            bytes += "&gt;";
            break;
        case '\'':
            bytes += "&#39;";
            break;
        case '"':
            bytes += "&#34;";
            break;
        default:
            appendCharacter(bytes, c);
        }
    });
}

Text strip(const Text& text, Side side, const std::string* characters) {
    std::u32string set;
    if (characters)
        for (std::size_t at = 0; at < characters->size(); at += characterLength(*characters, at))
            set.push_back(characterAt(*characters, at));
    const std::string& bytes = text.bytes();
    const auto goes = [&](std::size_t at) {
        const char32_t c = characterAt(bytes, at);
        return characters ? set.find(c) != std::u32string::npos : isWhiteSpace(c);
    };
    std::size_t begin = 0, end = bytes.size();
    if (side != Side::Right)
        while (begin < end && goes(begin))
            begin += characterLength(bytes, begin);
    if (side != Side::Left)
        while (end > begin) {
            std::size_t last = end - 1;
            while (last > begin && end - last < 4
                && (static_cast<unsigned char>(bytes[last]) & 0xC0) == 0x80)
                --last;
            if (last + characterLength(bytes, last) != end)
                last = end - 1;
            if (!goes(last))
                break;
            end = last;
        }
    return text.slice(begin, end);
}

Text replaceAll(const Text& text, std::string_view from, const Text& to, std::int64_t count) {
    Text result;
    result.setMarkup(text.markup());
    std::size_t at = 0;
    if (from.empty()) {
        for (; count != 0 && at <= text.size(); --count) {
            result.append(to);
            if (at == text.size())
                return result;
            const std::size_t next = at + characterLength(text.bytes(), at);
            result.append(text, at, next);
            at = next;
        }
    }
    while (!from.empty() && count != 0) {
        const std::size_t found = findBytes(text.bytes(), from, at);
        if (found == std::string_view::npos)
            break;
        result.append(text, at, found);
        Text replacement = to;
        replacement.inherit(text.originAt(found));
        result.append(replacement);
        at = found + from.size();
        --count;
    }
    result.append(text, at, text.size());
    return result;
}

} // namespace mooring::jinja
