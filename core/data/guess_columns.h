// SPDX-License-Identifier: GPL-3.0-or-later
// What the columns of a data set probably mean, from its first rows: a proposal that is never used
// without confirmation.
#pragma once
#include "core/config/run_config.h"
#include <nlohmann/json.hpp>

namespace mooring {

struct ColumnGuess {
    std::map<std::string, std::string> columns; // as in DataFile; empty: nothing fits
    std::string reason; // a sentence
};
ColumnGuess guessColumns(const std::vector<nlohmann::ordered_json>& rows);

// What to do if no row of a file can be used: "columns here: a, b, c; set columns = {..}".
std::string adviceFor(const DataFile& file);

} // namespace mooring
