// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/row_forms.h"
#include "core/data/samples.h"

namespace mooring {

// readRows (samples.h) with a form of rows of one's own in the place of the known ones.
using RowForm = std::function<Result<RowOrProblem>(const nlohmann::ordered_json&)>;
Result<void> readRows(
    const DataFile& file, const std::function<bool(SourceRow)>& take, const RowForm& form);

} // namespace mooring
