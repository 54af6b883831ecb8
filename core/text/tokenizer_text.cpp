// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer_text.h"
#include <algorithm>
#include <utf8proc.h>

namespace mooring::tok {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

// Code points below this never change under NFC and never join what stands before them.
constexpr std::int32_t kFirstCombining = 0x300;

int combiningClass(std::int32_t codePoint) {
    return utf8proc_get_property(codePoint)->combining_class;
}

// Nothing before such a code point can change it, nor it what stands before: NFC may cut here.
bool startsSegment(std::int32_t c) {
    if (c < kFirstCombining)
        return true;
    if ((c >= 0x1160 && c <= 0x11FF) || (c >= 0xD7B0 && c <= 0xD7FF)) // Hangul vowels and finals
        return false;
    const auto category = utf8proc_category(c);
    const bool mark = category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC
        || category == UTF8PROC_CATEGORY_ME;
    return !mark && combiningClass(c) == 0;
}

// A code point that stands alone in its segment and is its own NFC.
bool isStableAlone(std::int32_t c) {
    return c < kFirstCombining || (c >= 0xAC00 && c <= 0xD7A3)
        || utf8proc_get_property(c)->decomp_seqindex == UINT16_MAX;
}

// utf8proc's own reordering is quadratic in the number of marks; sorting each run is not.
void orderMarks(std::vector<utf8proc_int32_t>& points) {
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

std::string composeSegment(std::string_view segment) {
    std::vector<utf8proc_int32_t> points;
    constexpr auto kDecompose
        = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_STABLE);
    for (std::size_t at = 0; at < segment.size();) {
        const CodePoint c = codePointAt(segment, at);
        at += c.length;
        utf8proc_int32_t parts[32];
        int lastBound = 0;
        const auto n = utf8proc_decompose_char(c.value, parts, 32, kDecompose, &lastBound);
        if (n > 0 && n <= 32)
            points.insert(points.end(), parts, parts + n);
        else
            points.push_back(c.value);
    }
    orderMarks(points);
    constexpr auto kCompose = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
    const auto n = utf8proc_normalize_utf32(
        points.data(), static_cast<utf8proc_ssize_t>(points.size()), kCompose);
    std::string out;
    for (utf8proc_ssize_t i = 0; i < n; ++i) {
        utf8proc_uint8_t bytes[4];
        const auto length = utf8proc_encode_char(points[static_cast<std::size_t>(i)], bytes);
        out.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
    }
    return out;
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
    for (std::size_t i = 0; i < text.bytes.size(); ++i)
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
    const auto category = utf8proc_category(c);
    return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NL)
        || category == UTF8PROC_CATEGORY_PC;
}

bool isNumeric(std::int32_t c) {
    const auto category = utf8proc_category(c);
    return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}

TextView validText(std::string_view text, OwnedText& storage) {
    std::size_t at = 0;
    while (at < text.size()) {
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

TextView composed(const TextView& text, OwnedText& storage) {
    bool changed = false;
    std::size_t done = 0; // storage holds the text before this once something changed
    for (std::size_t at = 0; at < text.bytes.size();) {
        const std::size_t begin = at;
        const CodePoint first = codePointAt(text.bytes, at);
        at += first.length;
        bool alone = true;
        while (at < text.bytes.size()) {
            const CodePoint next = codePointAt(text.bytes, at);
            if (startsSegment(next.value))
                break;
            alone = false;
            at += next.length;
        }
        if (alone && isStableAlone(first.value))
            continue;
        const std::string segment = composeSegment(text.bytes.substr(begin, at - begin));
        if (segment == text.bytes.substr(begin, at - begin))
            continue;
        changed = true;
        storage.appendUnchanged(text.sub(done, begin));
        storage.append(segment, text.origin(begin, at));
        done = at;
    }
    if (!changed)
        return text;
    storage.appendUnchanged(text.sub(done, text.bytes.size()));
    return storage.view();
}

std::string composed(std::string_view text) {
    OwnedText storage;
    return std::string(composed(TextView{text, nullptr, 0}, storage).bytes);
}

} // namespace mooring::tok
