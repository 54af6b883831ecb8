// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace mooring {

// The bytes of a base64 text (RFC 4648, padded); nullopt if it is invalid.
std::optional<std::string> decodeBase64(std::string_view text);

} // namespace mooring
