// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/raw_rows.h"
#include "core/files/parquet_file.h"
#include <filesystem>

namespace mooring {

Result<void> readParquet(const std::string& path, const TakeRaw& take) {
    std::error_code unknown;
    const auto bytes = static_cast<double>(std::filesystem::file_size(path, unknown));
    std::int64_t number = 0;
    return readParquetRows(path, [&](nlohmann::ordered_json row, double share) {
        return take({RawRow::Kind::Columns, ++number, {}, std::move(row),
            unknown ? 0 : static_cast<std::int64_t>(share * bytes)});
    });
}

} // namespace mooring
