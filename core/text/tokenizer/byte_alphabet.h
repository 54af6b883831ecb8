// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace mooring::tok {

// The bytes that an entry of a byte-level vocabulary stands for, which writes bytes as printable
// characters; nothing where it holds characters outside that alphabet.
std::optional<std::string> bytesOfEntry(std::string_view entry);

} // namespace mooring::tok
