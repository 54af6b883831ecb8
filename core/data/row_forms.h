// SPDX-License-Identifier: GPL-3.0-or-later
// The forms that a row may have (interfaces.md section 6).
#pragma once
#include "core/text/render.h"
#include <map>
#include <optional>

namespace mooring {

// A row, or why this one cannot be used.
struct RowOrProblem {
    std::optional<Row> row;
    std::string problem;
};

// `columns` names the columns that hold prompt and answer; empty: the first complete form counts.
// An Error where the row shows that the file is no set of conversations or texts at all.
Result<RowOrProblem> rowOf(
    const nlohmann::ordered_json& object, const std::map<std::string, std::string>& columns);

} // namespace mooring
