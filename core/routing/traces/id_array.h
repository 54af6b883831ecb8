// SPDX-License-Identifier: GPL-3.0-or-later
// Integers of three dimensions as they travel inside JSON.
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mooring {

// Expert ids [tokens][layers][K], row-major.
struct IdArray {
    std::vector<std::int64_t> shape; // 3
    std::vector<std::int64_t> values;
};

// Raw little-endian numbers of a NumPy type ("int32", "uint8", "<i4", "|u1" ..). Errors (Input,
// without a place): another type, more or fewer bytes than the shape says.
Result<IdArray> rawIds(
    std::string_view bytes, const std::string& dtype, std::vector<std::int64_t> shape);
// The bytes of a .npy file, versions 1 to 3.
Result<IdArray> npyIds(std::string_view bytes);
bool isNpy(std::string_view bytes);

} // namespace mooring
