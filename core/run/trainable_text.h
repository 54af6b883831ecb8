// SPDX-License-Identifier: GPL-3.0-or-later
// The table of what trains, as people and the manifest read it.
#pragma once
#include "core/view/trainable_table.h"
#include <nlohmann/json_fwd.hpp>

namespace mooring {

// Lines of equal columns: group, trainable, total, share.
std::string tableText(const TrainableTable& table);
nlohmann::json toJson(const TrainableTable& table);

} // namespace mooring
