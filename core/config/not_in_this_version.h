// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace mooring {

// The sentence that refuses a value of the contract that a later version brings; nothing for a
// value that this version has. Indices in the key play no part ("evaluate.tasks[0].kind").
std::optional<std::string> notInThisVersion(std::string_view key, std::string_view value);

// Whether the key itself comes with a later version, whatever its value.
bool isKeyOfLaterVersion(std::string_view key);

} // namespace mooring
