// SPDX-License-Identifier: GPL-3.0-or-later
// Added tokens: texts that become one id before any other rule applies.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mooring::tok {

// The largest accepted id; one table entry is kept for every id below the largest.
constexpr std::int64_t kLargestId = (1 << 24) - 1;
// Longer ones would make searching slow and do not occur in published files.
constexpr std::size_t kLongestAddedToken = 1024;

struct AddedToken {
    std::string content;
    std::int32_t id = 0;
    bool singleWord = false;
    bool leftStrip = false; // takes the whitespace before it
    bool rightStrip = false; // takes the whitespace behind it
    bool normalized = false; // looked for in normalized text
    bool special = false;
};

// A stretch of text: an added token, or text between such (id -1).
struct AddedPiece {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::int32_t id = -1;
};

// Finds added tokens: at each place the longest one, from left to right. Immutable after build.
class AddedTokenFinder {
public:
    void add(const std::string& pattern, const AddedToken& token);
    bool empty() const { return m_tokens.empty(); }
    void split(std::string_view text, std::vector<AddedPiece>& out) const;

private:
    struct Match {
        std::size_t end = 0;
        const AddedToken* token = nullptr;
    };
    Match longestAt(std::string_view text, std::size_t at) const;

    std::vector<AddedToken> m_tokens;
    std::unordered_map<std::uint64_t, std::uint32_t> m_edges; // (node, byte) -> node
    std::vector<std::int32_t> m_tokenOfNode = {-1};
    std::vector<bool> m_starts = std::vector<bool>(1 << 16); // by the first two bytes
};

} // namespace mooring::tok
