// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <nlohmann/json.hpp>
#include <string>

namespace mooring {

// Why a config.json of a kind that no family describes cannot be loaded: what it is, and what of it
// is missing here.
Error whyNotLoaded(
    const nlohmann::ordered_json& config, const std::string& where, const std::string& loadedTypes);

} // namespace mooring
