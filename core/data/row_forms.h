// SPDX-License-Identifier: GPL-3.0-or-later
// The forms that a row may have (docs/formats.md#row-forms). Columns are known in small and capital
// letters alike.
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

// `columns` names the columns that hold prompt and answer, or messages, and a system message;
// empty: the first complete form counts. An Error where the row shows that the file is not a set of
// conversations or texts at all.
Result<RowOrProblem> rowOf(
    const nlohmann::ordered_json& object, const std::map<std::string, std::string>& columns);

// A list of messages, as it is or as a string that holds it; null where it is none.
nlohmann::ordered_json messageListOf(const nlohmann::ordered_json& value);

// "a, b, c"
std::string columnNames(const nlohmann::ordered_json& object);

} // namespace mooring
