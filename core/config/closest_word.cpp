// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/closest_word.h"
#include <algorithm>

namespace mooring {

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

std::optional<std::string> closestWord(
    std::string_view word, const std::vector<std::string>& known) {
    constexpr std::size_t kLongest = 64; // no key is longer; a longer word resembles none
    if (word.size() > kLongest)
        return std::nullopt;
    std::optional<std::string> best;
    std::size_t bestDistance = 0;
    for (const std::string& candidate : known) {
        const std::size_t allowed
            = std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3);
        const std::size_t distance = editDistance(word, candidate);
        if (distance <= allowed && (!best || distance < bestDistance)) {
            best = candidate;
            bestDistance = distance;
        }
    }
    return best;
}

} // namespace mooring
