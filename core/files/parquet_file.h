// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace mooring {

// Rows of a Parquet file as JSON objects, in order; one row group after the other, a few rows at a
// time. `share` of the file, 0 to 1, has been read. The callback returns false to stop. Errors
// (Input): the file is not Parquet, truncated or broken, or this build has no Arrow.
Result<void> readParquetRows(const std::string& path,
    const std::function<bool(nlohmann::ordered_json row, double share)>& take);

} // namespace mooring
