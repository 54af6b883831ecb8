// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/rules.h"
#include "core/config/closest_word.h"
#include "core/config/text_forms.h"
#include <algorithm>
#include <cmath>

namespace mooring {

namespace {

std::string shortKey(const std::string& key) {
    const auto dot = key.rfind('.');
    return dot == std::string::npos ? key : key.substr(dot + 1);
}

} // namespace

bool Rules::require(bool kept, const std::string& key, const std::string& text) {
    if (!kept)
        m_problems.push_back({key, text});
    return kept;
}

bool Rules::oneOf(
    const std::string& key, const std::string& value, std::initializer_list<const char*> choices) {
    const std::vector<std::string> known(choices.begin(), choices.end());
    if (std::find(known.begin(), known.end(), value) != known.end())
        return true;
    std::string text = shortKey(key) + " must be ";
    for (std::size_t i = 0; i < known.size(); ++i)
        text += (i == 0 ? "" : i + 1 == known.size() ? " or " : ", ") + quotedText(known[i]);
    text += ", but is " + quotedText(value);
    if (const auto meant = closestWord(value, known))
        text += ", did you mean " + quotedText(*meant) + "?";
    return require(false, key, text);
}

bool Rules::atLeast(const std::string& key, double value, double least) {
    return require(value >= least && !std::isinf(value), key,
        shortKey(key) + " must be " + shortNumber(least) + " or more and finite, but is "
            + shortNumber(value));
}

bool Rules::above(const std::string& key, double value, double bound) {
    return require(value > bound, key,
        shortKey(key) + " must be above " + shortNumber(bound) + ", but is " + shortNumber(value));
}

bool Rules::atLeast(const std::string& key, std::int64_t value, std::int64_t least) {
    return require(value >= least, key,
        shortKey(key) + " must be " + std::to_string(least) + " or more, but is "
            + std::to_string(value));
}

bool Rules::count(const std::string& key, std::int64_t value, std::int64_t least) {
    constexpr std::int64_t kMost = 1'000'000'000;
    return require(value >= least && value <= kMost, key,
        shortKey(key) + " must be " + std::to_string(least) + " or more, at most "
            + std::to_string(kMost) + ", but is " + std::to_string(value));
}

bool Rules::knownMethod(const std::string& key, const std::string& id) {
    if (findMethodTraits(id))
        return true;
    std::vector<std::string> known;
    for (const MethodTraits& traits : methodTraits())
        known.push_back(traits.id);
    const auto meant = closestWord(id, known);
    return require(false, key,
        "unknown method " + quotedText(id)
            + (meant ? ", did you mean " + quotedText(*meant) + "?" : ""));
}

} // namespace mooring
