// SPDX-License-Identifier: GPL-3.0-or-later
// Raw rows of files, one reader per format. Finding them is cheap and sequential; parsing them
// happens later, on several threads (row_files.h).
#pragma once
#include "core/base/result.h"
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace mooring {

struct RawRow {
    enum class Kind {
        Json, // `text` is JSON
        Columns, // `columns` is an object
        Text, // `text` is the row
        Problem, // `text` says why there is none
    };
    Kind kind = Kind::Problem;
    std::int64_t line = 0; // 1-based: the line of a file of lines, the element or row of others
    std::string text;
    nlohmann::ordered_json columns;
    std::int64_t position = 0; // bytes of the file up to here, for progress
};

using TakeRaw = std::function<bool(RawRow)>; // false: enough

// Each reads in constant memory. Errors (Input) name the file and, where it has one, the line.
Result<void> readJsonLines(const std::string& path, const TakeRaw& take);
Result<void> readJsonList(const std::string& path, const TakeRaw& take); // or lines named .json
Result<void> readSeparated(const std::string& path, const TakeRaw& take); // CSV, TSV
Result<void> readParquet(const std::string& path, const TakeRaw& take);
Result<void> readTextLines(const std::string& path, const TakeRaw& take);

// By the file's name and beginning. Errors (Input): no such file, or a kind that is not read.
Result<void> readRawRows(const std::string& path, const TakeRaw& take);

} // namespace mooring
