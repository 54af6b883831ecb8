// SPDX-License-Identifier: GPL-3.0-or-later
// How values are written in TOML and in messages.
#pragma once
#include <string>
#include <string_view>

namespace mooring {

// The shortest text that reads back as the same double; a TOML float ("1.0", "1e-05", "inf").
std::string numberText(double value);

// The same for sentences, "1" rather than "1.0".
std::string shortNumber(double value);

// A TOML basic string with its quotes.
std::string quotedText(std::string_view text);

} // namespace mooring
