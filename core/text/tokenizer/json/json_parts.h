// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the readers of the parts of tokenizer.json.
#pragma once
#include "core/text/tokenizer/pattern/pattern.h"
#include <nlohmann/json.hpp>

namespace mooring::tok {

constexpr int kMaxStepDepth = 8; // of a Sequence in a Sequence

std::string typeOf(const nlohmann::json& object); // its `type`, or how the object begins
bool flagOf(const nlohmann::json& object, const char* key, bool otherwise);
std::string stringOf(
    const nlohmann::json& object, const char* key, const std::string& otherwise = {});

Error unknownPart(const std::string& key, const std::string& what);

// `pattern` of a step: {"String": ..} or {"Regex": ..}.
Result<Pattern> patternOf(const nlohmann::json& step, const std::string& key);

// Calls `take(step, key, depth)` for each member of a Sequence's list.
template <typename Take>
Result<void> eachOf(const nlohmann::json& sequence, const char* list, const std::string& key,
    int depth, const Take& take) {
    const auto found = sequence.find(list);
    if (found == sequence.end() || !found->is_array() || depth >= kMaxStepDepth)
        return unknownPart(key, "a Sequence without a list, or nested too deep,");
    for (std::size_t i = 0; i < found->size(); ++i) {
        const std::string place = key + "." + list + "[" + std::to_string(i) + "]";
        if (auto taken = take((*found)[i], place, depth + 1); !taken)
            return taken.error();
    }
    return {};
}

} // namespace mooring::tok
