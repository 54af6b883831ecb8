// SPDX-License-Identifier: GPL-3.0-or-later
// Conversations as data sets write them, normalized to {"role", "content"} and more keys.
#pragma once
#include "core/text/render.h"

namespace mooring {

// The text of a scalar: strings as is, numbers as Python writes them, booleans as in JSON. False
// for anything else, numbers that are not finite among them.
bool textOf(const nlohmann::ordered_json& value, std::string& text);

// Appends one user or assistant message.
void addMessage(
    nlohmann::ordered_json& messages, const std::string& role, const std::string& content);

// Appends the messages of a list, with the turns of weight 0 among the unsupervised ones.
// `shareGpt`: roles are ShareGPT's, and others are a problem, since no template knows them.
// Returns why the list cannot be used, or nothing.
std::string addMessages(Row& row, const nlohmann::ordered_json& list, bool shareGpt);

} // namespace mooring
