// SPDX-License-Identifier: GPL-3.0-or-later
// JSON of data rows as Python's json module reads it: integers of any length keep their digits, and
// NaN, Infinity and -Infinity are numbers, as json.dumps writes them.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace mooring {

// The value, or nothing with the reason in `problem`. Of a duplicate key the last value counts.
std::optional<nlohmann::ordered_json> parsePythonJson(
    std::string_view text, std::string* problem = nullptr);

// an integer beyond 64 bits. The JSON library has no such number, so the digits are held as its
// binary value, which no JSON text can produce.
nlohmann::ordered_json wideNumber(const std::string& digits);
// Its digits; nothing for every other value.
std::optional<std::string> wideDigits(const nlohmann::ordered_json& value);

// "NaN", "Infinity" or "-Infinity"; null for every other value.
const char* nonFiniteName(const nlohmann::ordered_json& value);
// Null, or a number that is not finite: nothing that could be trained on.
bool isMissing(const nlohmann::ordered_json& value);

std::string pythonFloat(double value); // as repr writes it

// A number as Python's str writes it; nothing for what is not a finite number.
std::optional<std::string> numberText(const nlohmann::ordered_json& value);

} // namespace mooring
