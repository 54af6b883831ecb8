// SPDX-License-Identifier: GPL-3.0-or-later
// What filters and methods do to a string, with origins kept.
#include "core/text/jinja_text.h"
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

bool isLetter(char32_t c) {
    const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
    return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL
        || category == UTF8PROC_CATEGORY_LT;
}

} // namespace

Text upperCase(const Text& text) {
    return mapCharacters(text, appendUpper);
}

Text lowerCase(const Text& text) {
    return mapCharacters(text, appendLower);
}

Text capitalized(const Text& text) {
    bool first = true;
    return mapCharacters(text, [&first](std::string& bytes, char32_t c) {
        (first ? appendTitle : appendLower)(bytes, c);
        first = false;
    });
}

Text titleCase(const Text& text, std::string_view separators) {
    bool start = true;
    return mapCharacters(text, [&](std::string& bytes, char32_t c) {
        (!start ? appendLower : separators.empty() ? appendTitle : appendUpper)(bytes, c);
        if (separators.empty())
            start = !isLetter(c);
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

std::vector<Text> splitLines(const Text& text) {
    std::vector<Text> lines;
    const std::string& bytes = text.bytes();
    std::size_t begin = 0;
    for (std::size_t at = 0; at < bytes.size();) {
        const char32_t c = characterAt(bytes, at);
        const std::size_t length = characterLength(bytes, at);
        const bool ends = (c >= 10 && c <= 13) || (c >= 28 && c <= 30) || c == 0x85 || c == 0x2028
            || c == 0x2029;
        if (!ends) {
            at += length;
            continue;
        }
        lines.push_back(text.slice(begin, at));
        at += length;
        if (c == '\r' && at < bytes.size() && bytes[at] == '\n')
            ++at;
        begin = at;
    }
    if (begin < bytes.size())
        lines.push_back(text.slice(begin, bytes.size()));
    return lines;
}

namespace {

struct Piece {
    std::size_t begin, end;
};

// The separators of the text: each occurrence, or each run of white space.
std::vector<Piece> separators(const std::string& bytes, const std::string* separator) {
    std::vector<Piece> found;
    if (separator) {
        for (std::size_t at = 0; (at = findBytes(bytes, *separator, at)) != std::string::npos;) {
            found.push_back({at, at + separator->size()});
            at += separator->size();
        }
        return found;
    }
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t begin = at;
        while (at < bytes.size() && isWhiteSpace(characterAt(bytes, at)))
            at += characterLength(bytes, at);
        if (at > begin)
            found.push_back({begin, at});
        else
            at += characterLength(bytes, at);
    }
    return found;
}

// Python searches rsplit's separators from the right, which matters where they overlap.
std::vector<Piece> separatorsFromRight(const std::string& bytes, const std::string& separator) {
    const std::string reversedText(bytes.rbegin(), bytes.rend());
    const std::string reversedWhat(separator.rbegin(), separator.rend());
    auto found = separators(reversedText, &reversedWhat);
    std::reverse(found.begin(), found.end());
    for (Piece& piece : found)
        piece = {bytes.size() - piece.end, bytes.size() - piece.begin};
    return found;
}

} // namespace

std::vector<Text> splitText(
    const Text& text, const std::string* separator, std::int64_t limit, bool fromRight) {
    const std::string& bytes = text.bytes();
    auto cuts = separator && fromRight ? separatorsFromRight(bytes, *separator)
                                       : separators(bytes, separator);
    std::size_t first = 0, last = bytes.size();
    if (!separator) {
        const bool leading = !cuts.empty() && cuts.front().begin == 0;
        const bool trailing = !cuts.empty() && cuts.back().end == bytes.size();
        if (bytes.empty() || (leading && cuts.front().end == bytes.size()))
            return {};
        // The unsplit rest of a limited split keeps its white space on the far side.
        const auto keeps = [&](bool far) {
            return far && limit >= 0 && static_cast<std::int64_t>(cuts.size()) > limit;
        };
        const auto dropLeading = [&] {
            first = keeps(fromRight) ? 0 : cuts.front().end;
            cuts.erase(cuts.begin());
        };
        if (leading && !fromRight)
            dropLeading();
        if (trailing) {
            last = keeps(!fromRight) ? bytes.size() : cuts.back().begin;
            cuts.pop_back();
        }
        if (leading && fromRight)
            dropLeading();
    }
    if (limit >= 0 && static_cast<std::int64_t>(cuts.size()) > limit) {
        const auto surplus = static_cast<std::ptrdiff_t>(cuts.size()) - limit;
        if (fromRight)
            cuts.erase(cuts.begin(), cuts.begin() + surplus);
        else
            cuts.resize(static_cast<std::size_t>(limit));
    }
    std::vector<Text> parts;
    for (const Piece& cut : cuts) {
        parts.push_back(text.slice(first, cut.begin));
        first = cut.end;
    }
    parts.push_back(text.slice(first, last));
    return parts;
}

} // namespace mooring::jinja
