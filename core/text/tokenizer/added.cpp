// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/added.h"
#include "core/text/tokenizer/text.h"
#include <algorithm>

namespace mooring::tok {
namespace {

std::uint64_t edge(std::uint32_t node, char byte) {
    return (static_cast<std::uint64_t>(node) << 8) | static_cast<unsigned char>(byte);
}

// The code point that ends right before `at`.
std::size_t previousStart(std::string_view text, std::size_t at) {
    do
        --at;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
    return at;
}

bool wordBefore(std::string_view text, std::size_t at) {
    return at > 0 && isWordCharacter(codePointAt(text, previousStart(text, at)).value);
}

bool wordAt(std::string_view text, std::size_t at) {
    return at < text.size() && isWordCharacter(codePointAt(text, at).value);
}

std::size_t spaceBefore(std::string_view text, std::size_t at, std::size_t notBefore) {
    while (at > notBefore) {
        const std::size_t before = previousStart(text, at);
        if (!isWhiteSpace(codePointAt(text, before).value))
            break;
        at = before;
    }
    return std::max(at, notBefore);
}

std::size_t spaceBehind(std::string_view text, std::size_t at) {
    while (at < text.size()) {
        const CodePoint c = codePointAt(text, at);
        if (!isWhiteSpace(c.value))
            break;
        at += c.length;
    }
    return at;
}

} // namespace

void AddedTokenFinder::add(const std::string& pattern, const AddedToken& token) {
    if (pattern.empty())
        return;
    std::uint32_t node = 0;
    for (const char c : pattern) {
        const auto fresh = static_cast<std::uint32_t>(m_tokenOfNode.size());
        const auto [where, inserted] = m_edges.try_emplace(edge(node, c), fresh);
        if (inserted)
            m_tokenOfNode.push_back(-1);
        node = where->second;
    }
    // A pattern of one byte starts with any second byte, at the end of a text with none (0).
    for (std::size_t second = 0; second < 256; ++second)
        if (pattern.size() == 1 || second == static_cast<unsigned char>(pattern[1]))
            m_starts[static_cast<unsigned char>(pattern[0]) << 8 | second] = true;
    if (m_tokenOfNode[node] >= 0) // the first of two with the same text counts
        return;
    m_tokenOfNode[node] = static_cast<std::int32_t>(m_tokens.size());
    m_tokens.push_back(token);
}

AddedTokenFinder::Match AddedTokenFinder::longestAt(std::string_view text, std::size_t at) const {
    Match match;
    std::uint32_t node = 0;
    for (std::size_t i = at; i < text.size(); ++i) {
        const auto where = m_edges.find(edge(node, text[i]));
        if (where == m_edges.end())
            break;
        node = where->second;
        if (m_tokenOfNode[node] >= 0)
            match = {i + 1, &m_tokens[static_cast<std::size_t>(m_tokenOfNode[node])]};
    }
    return match;
}

void AddedTokenFinder::split(std::string_view text, std::vector<AddedPiece>& out) const {
    std::size_t done = 0;
    std::size_t spaceFrom = 0, spaceTo = 0; // the last run of whitespace that was measured
    for (std::size_t at = 0; at < text.size() && !m_tokens.empty();) {
        const std::size_t start = static_cast<std::size_t>(static_cast<unsigned char>(text[at]))
                << 8
            | (at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : 0u);
        const Match match = m_starts[start] ? longestAt(text, at) : Match{};
        if (!match.token) {
            ++at;
            continue;
        }
        std::size_t begin = at, end = match.end;
        at = match.end; // the reference looks on here, also when the token takes whitespace behind
        if (match.token->singleWord && (wordBefore(text, begin) || wordAt(text, end)))
            continue;
        if (match.token->leftStrip)
            begin = done < begin ? spaceBefore(text, begin, done) : done;
        if (match.token->rightStrip) {
            if (end < spaceFrom || end > spaceTo) {
                spaceFrom = end;
                spaceTo = spaceBehind(text, end);
            }
            end = spaceTo;
        }
        if (done < begin)
            out.push_back({done, begin, -1});
        end = std::max(begin, end);
        out.push_back({begin, end, match.token->id});
        done = end;
    }
    if (done < text.size())
        out.push_back({done, text.size(), -1});
}

} // namespace mooring::tok
