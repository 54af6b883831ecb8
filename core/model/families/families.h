// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/architecture.h"

namespace mooring {

Result<Architecture> describeDeepseekV3(
    const nlohmann::ordered_json& config, const std::string& where);
Result<Architecture> describeQwen3Moe(
    const nlohmann::ordered_json& config, const std::string& where);

} // namespace mooring
