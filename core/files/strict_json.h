// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace mooring {

// A value costs up to about 60 bytes of memory for 2 bytes of text, so their number is bounded, not
// only the length of the text.
struct JsonLimits {
    std::size_t depth = 64;
    std::size_t values = 4'000'000;
};

// Parses a whole untrusted text in linear time, keys in file order. Errors (Input): not JSON, a key
// that one object holds twice, beyond the limits. `where` names the file in them.
Result<nlohmann::ordered_json> parseStrictJson(
    std::string_view text, const std::string& where, const JsonLimits& limits = {});

} // namespace mooring
