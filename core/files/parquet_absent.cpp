// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces parquet_file.cpp where Arrow was not found.
#include "core/files/parquet_file.h"

namespace mooring {

Result<void> readParquetRows(
    const std::string& path, const std::function<bool(nlohmann::ordered_json, double)>&) {
    return Error{ErrorCode::Input,
        "this build cannot read Parquet files, because it was built without Arrow", path,
        "run packaging/setup and rebuild, or save the data set as .jsonl"};
}

} // namespace mooring
