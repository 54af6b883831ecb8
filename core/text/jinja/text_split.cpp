// SPDX-License-Identifier: GPL-3.0-or-later
// Cutting strings as Python does, with origins kept.
#include "core/text/jinja/text.h"
#include <algorithm>

namespace mooring::jinja {

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

// The separators of the text: each occurrence, or each run of whitespace.
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
        // The unsplit rest of a limited split keeps its whitespace on the far side.
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
