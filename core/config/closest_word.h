// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mooring {

// Insertions, deletions, replacements and swaps of neighbors that turn one word into the other
// (optimal string alignment).
std::size_t editDistance(std::string_view a, std::string_view b);

// The known word that was probably meant: at most a third of the letters differ, at least one may.
std::optional<std::string> closestWord(
    std::string_view word, const std::vector<std::string>& known);

} // namespace mooring
