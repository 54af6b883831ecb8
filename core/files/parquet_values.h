// SPDX-License-Identifier: GPL-3.0-or-later
// Arrow's columns as JSON values. Only parquet_file.cpp includes this.
#pragma once
#include <arrow/type_fwd.h>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace mooring {

// One row as an object, columns in their order.
nlohmann::ordered_json rowOfBatch(const arrow::RecordBatch& batch, std::int64_t row);

} // namespace mooring
