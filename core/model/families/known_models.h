// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <nlohmann/json.hpp>
#include <string>

namespace mooring {

// Why a config.json that no family describes cannot be loaded: what model it is, and which feature
// is missing.
Error whyNotLoaded(
    const nlohmann::ordered_json& config, const std::string& where, const std::string& loadedTypes);

} // namespace mooring
