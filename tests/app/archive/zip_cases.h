// SPDX-License-Identifier: GPL-3.0-or-later
// Zip files that nobody should send: written byte by byte, as no well-behaved library would.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace mooring {

struct ZipCase {
    std::string name; // UTF-8
    std::string bytes;
    std::uint32_t unixMode = 0100644;
    std::int64_t claimedSize = -1; // -1: the true one
};

// Stored (not deflated) entries with right checksums, local and central headers.
std::string zipOf(const std::vector<ZipCase>& entries);

} // namespace mooring
