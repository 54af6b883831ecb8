// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/not_in_this_version.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace mooring {

namespace {

// What the contract has and this version has not: a version that brings one deletes its line.
// Values: exact text, "" for any, ">N" for a greater number, "*.x" for the end of a file name.
struct LaterValue {
    const char* key;
    const char* value;
    const char* instead;
};

constexpr LaterValue kLater[] = {
    {"data.packing", "true", "use false"},
    {"data.train", "*.parquet", "use .jsonl or .json"},
    {"data.held_out", "*.parquet", "use .jsonl or .json"},
    {"probe.sets.files", "*.parquet", "use .txt or .jsonl"},
    {"evaluate.tasks.file", "*.parquet", "use .jsonl or .json"},
};

std::string withoutIndices(std::string_view key) {
    std::string out;
    bool inside = false;
    for (const char c : key) {
        if (c == '[')
            inside = true;
        if (!inside)
            out += c;
        if (c == ']')
            inside = false;
    }
    return out;
}

bool matches(std::string_view pattern, std::string_view value) {
    if (pattern.empty())
        return true;
    if (pattern.front() == '>')
        return std::strtod(std::string(value).c_str(), nullptr)
            > std::strtod(std::string(pattern.substr(1)).c_str(), nullptr);
    if (pattern.front() != '*')
        return pattern == value;
    const std::string_view end = pattern.substr(1);
    return value.size() >= end.size()
        && std::equal(end.begin(), end.end(), value.end() - static_cast<std::ptrdiff_t>(end.size()),
            [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

} // namespace

std::optional<std::string> notInThisVersion(std::string_view key, std::string_view value) {
    const std::string plain = withoutIndices(key);
    for (const LaterValue& later : kLater) {
        if (plain != later.key || !matches(later.value, value))
            continue;
        std::string what(key);
        if (*later.value != '\0')
            what += " = " + std::string(value);
        return what + " is not in this version, " + later.instead;
    }
    return std::nullopt;
}

bool isKeyOfLaterVersion(std::string_view key) {
    return std::any_of(std::begin(kLater), std::end(kLater),
        [&](const LaterValue& later) { return *later.value == '\0' && key == later.key; });
}

} // namespace mooring
