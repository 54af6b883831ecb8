// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/text.h"
#include "core/text/tokenizer/pattern/unicode.h"
#include <algorithm>
#include <cstring>
#include <utf8proc.h>

namespace mooring::tok {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

int combiningClass(std::int32_t c) {
    return isUnknownToNormalizers(c) ? 0 : utf8proc_get_property(c)->combining_class;
}

using Points = std::vector<utf8proc_int32_t>;

// Code points below this are their own form and join nothing before them.
std::int32_t firstThatChanges(UnicodeForm form) {
    return form.compatible ? 0x80 : form.compose ? 0x300 : 0xC0;
}

utf8proc_option_t decomposition(UnicodeForm form) {
    return static_cast<utf8proc_option_t>(
        UTF8PROC_DECOMPOSE | UTF8PROC_STABLE | (form.compatible ? UTF8PROC_COMPAT : 0));
}

void decompose(std::int32_t c, UnicodeForm form, Points& points) {
    utf8proc_int32_t parts[32];
    int lastBound = 0;
    const auto n = isUnknownToNormalizers(c)
        ? 0
        : utf8proc_decompose_char(c, parts, 32, decomposition(form), &lastBound);
    if (n > 0 && n <= 32)
        points.insert(points.end(), parts, parts + n);
    else
        points.push_back(c);
}

bool combinesWithPrevious(std::int32_t c) {
    if (isUnknownToNormalizers(c))
        return false;
    if ((c >= 0x1160 && c <= 0x11FF) || (c >= 0xD7B0 && c <= 0xD7FF)) // Hangul vowels and finals
        return true;
    const auto category = utf8proc_category(c);
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC
        || category == UTF8PROC_CATEGORY_ME || combiningClass(c) != 0;
}

// Nothing before such a code point can change it, nor it what precedes: text may be cut here.
bool startsSegment(std::int32_t c, UnicodeForm form) {
    if (c < firstThatChanges(form))
        return true;
    if (combinesWithPrevious(c))
        return false;
    if (utf8proc_get_property(c)->decomp_seqindex == UINT16_MAX)
        return true;
    Points parts;
    decompose(c, form, parts);
    return !combinesWithPrevious(parts[0]);
}

// A code point that stands alone in its segment and is its own form.
bool isStableAlone(std::int32_t c, UnicodeForm form) {
    if (c < firstThatChanges(form))
        return true;
    if (c >= 0xAC00 && c <= 0xD7A3) // Hangul syllables
        return form.compose;
    return utf8proc_get_property(c)->decomp_seqindex == UINT16_MAX;
}

// utf8proc's own reordering is quadratic in the number of marks; sorting each run is not.
void orderMarks(Points& points) {
    for (std::size_t i = 0; i < points.size();) {
        if (combiningClass(points[i]) == 0) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < points.size() && combiningClass(points[end]) != 0)
            ++end;
        std::stable_sort(points.begin() + static_cast<std::ptrdiff_t>(i),
            points.begin() + static_cast<std::ptrdiff_t>(end),
            [](auto a, auto b) { return combiningClass(a) < combiningClass(b); });
        i = end;
    }
}

std::string normalizeSegment(std::string_view segment, UnicodeForm form) {
    Points points;
    for (std::size_t at = 0; at < segment.size();) {
        const CodePoint c = codePointAt(segment, at);
        at += c.length;
        decompose(c.value, form, points);
    }
    orderMarks(points);
    auto n = static_cast<utf8proc_ssize_t>(points.size());
    if (form.compose)
        n = utf8proc_normalize_utf32(
            points.data(), n, static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE));
    std::string out;
    for (utf8proc_ssize_t i = 0; i < n; ++i)
        appendCodePoint(out, points[static_cast<std::size_t>(i)]);
    return out;
}

// Where ASCII ends, from `at` on.
std::size_t skipAscii(std::string_view text, std::size_t at) {
    std::uint64_t eight = 0;
    for (; at + sizeof eight <= text.size(); at += sizeof eight) {
        std::memcpy(&eight, text.data() + at, sizeof eight);
        if (eight & 0x8080808080808080ull)
            break;
    }
    while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80)
        ++at;
    return at;
}

} // namespace

TextView TextView::sub(std::size_t begin, std::size_t end) const {
    return {bytes.substr(begin, end - begin), map ? map + begin : nullptr,
        base + static_cast<std::uint32_t>(begin)};
}

ByteRange TextView::origin(std::size_t begin, std::size_t end) const {
    if (map)
        return {map[begin].begin, map[end - 1].end};
    return {base + static_cast<std::uint32_t>(begin), base + static_cast<std::uint32_t>(end)};
}

void OwnedText::append(std::string_view text, ByteRange origin) {
    bytes += text;
    map.insert(map.end(), text.size(), origin);
}

void OwnedText::appendUnchanged(const TextView& text) {
    bytes += text.bytes;
    const std::size_t size = text.bytes.size();
    if (text.map) {
        map.insert(map.end(), text.map, text.map + size);
        return;
    }
    map.reserve(map.size() + size > map.capacity() ? 2 * (map.size() + size) : 0);
    for (std::size_t i = 0; i < size; ++i)
        map.push_back(text.origin(i, i + 1));
}

CodePoint codePointAt(std::string_view text, std::size_t at) {
    const auto byte
        = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const std::uint32_t lead = byte(at);
    if (lead < 0x80)
        return {static_cast<std::int32_t>(lead), 1, true};
    const std::uint32_t need = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4)
        return {0, 1, false};
    // The second byte is narrower where it would give an overlong form, a surrogate or too much.
    const std::uint32_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const std::uint32_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    std::uint32_t value = lead & (0x7Fu >> need);
    for (std::uint32_t i = 1; i < need; ++i) {
        const std::uint32_t next = byte(at + i);
        if (next < (i == 1 ? low : 0x80) || next > (i == 1 ? high : 0xBF))
            return {0, i, false};
        value = (value << 6) | (next & 0x3F);
    }
    return {static_cast<std::int32_t>(value), need, true};
}

bool isWhiteSpace(std::int32_t c) {
    return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680
        || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F
        || c == 0x3000;
}

bool isWordCharacter(std::int32_t c) {
    // Letters, marks, decimal digits, letter numbers, connectors, joiners and circled letters.
    if ((c >= 0x24B6 && c <= 0x24E9) || (c >= 0x1F130 && c <= 0x1F149)
        || (c >= 0x1F150 && c <= 0x1F169) || (c >= 0x1F170 && c <= 0x1F189) || c == 0x200C
        || c == 0x200D)
        return true;
    const auto category = utf8proc_category(olderLike(c));
    return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NL)
        || category == UTF8PROC_CATEGORY_PC;
}

bool isNumeric(std::int32_t c) {
    const auto category = utf8proc_category(olderLike(c));
    return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}

bool isPunctuation(std::int32_t c) {
    const bool ascii = (c >= 0x21 && c <= 0x2F) || (c >= 0x3A && c <= 0x40)
        || (c >= 0x5B && c <= 0x60) || (c >= 0x7B && c <= 0x7E);
    const auto category = utf8proc_category(c);
    return ascii
        || (category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO
            && !isUnknownPunctuation(c));
}

bool isMark(std::int32_t c) {
    const auto category = utf8proc_category(c);
    return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME
        && !isUnknownMark(c);
}

TextView validText(std::string_view text, OwnedText& storage) {
    std::size_t at = 0;
    while ((at = skipAscii(text, at)) < text.size()) {
        const CodePoint c = codePointAt(text, at);
        if (!c.valid)
            break;
        at += c.length;
    }
    const TextView whole{text, nullptr, 0};
    if (at >= text.size())
        return whole;
    storage.appendUnchanged(whole.sub(0, at));
    while (at < text.size()) {
        const CodePoint c = codePointAt(text, at);
        const TextView piece = whole.sub(at, at + c.length);
        if (c.valid)
            storage.appendUnchanged(piece);
        else
            storage.append(kReplacement, piece.origin(0, c.length));
        at += c.length;
    }
    return storage.view();
}

TextView normalized(const TextView& text, UnicodeForm form, OwnedText& storage) {
    bool changed = false;
    std::size_t done = 0; // storage holds the text before this once something changed
    const std::string_view bytes = text.bytes;
    for (std::size_t at = 0; at < bytes.size();) {
        // The last character of ASCII may carry a mark.
        if (const std::size_t plain = skipAscii(bytes, at); plain > at + 1)
            at = plain == bytes.size() ? plain : plain - 1;
        if (at == bytes.size())
            break;
        const std::size_t begin = at;
        const CodePoint first = codePointAt(bytes, at);
        at += first.length;
        bool alone = true;
        while (at < bytes.size()) {
            const CodePoint next = codePointAt(bytes, at);
            if (startsSegment(next.value, form))
                break;
            alone = false;
            at += next.length;
        }
        if (alone && isStableAlone(first.value, form))
            continue;
        const std::string segment = normalizeSegment(bytes.substr(begin, at - begin), form);
        if (segment == bytes.substr(begin, at - begin))
            continue;
        changed = true;
        storage.appendUnchanged(text.sub(done, begin));
        storage.append(segment, text.origin(begin, at));
        done = at;
    }
    if (!changed)
        return text;
    storage.appendUnchanged(text.sub(done, bytes.size()));
    return storage.view();
}

void appendCodePoint(std::string& text, std::int32_t codePoint) {
    utf8proc_uint8_t bytes[4];
    const auto length = utf8proc_encode_char(codePoint, bytes);
    text.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
}

} // namespace mooring::tok
