// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace mooring {

// Adds calls of tools as data sets write them inside words, {"name", "arguments"} or a list of such
// (JSON or a string that holds it), to the message's `tool_calls`, as templates know them. Returns
// why not, or nothing.
std::string addToolCalls(nlohmann::ordered_json& message, const nlohmann::ordered_json& written);

} // namespace mooring
