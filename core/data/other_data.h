// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <nlohmann/json.hpp>
#include <optional>

namespace mooring {

// Names data sets that look like training data but are not to be imitated, or have no texts.
std::optional<Error> otherKindOfData(const nlohmann::ordered_json& row);

// The column that holds images, sounds or films, or nothing.
std::string mediaColumn(const nlohmann::ordered_json& row);

} // namespace mooring
