// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/data_report.h"

namespace mooring::cli {

// `global`: rows of a step.
nlohmann::ordered_json reportJson(const DataReport& report, std::int64_t global);
std::string reportText(const DataReport& report, std::int64_t global);

} // namespace mooring::cli
