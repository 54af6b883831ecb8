// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/description/architecture.h"

namespace mooring {

using Describe
    = Result<Architecture>(const nlohmann::ordered_json& config, const std::string& where);

Describe describeDeepseekV2;
Describe describeDeepseekV3;
Describe describeGptOss;
Describe describeGraniteMoe;
Describe describeMixtral;
Describe describeOlmoe;
Describe describeQwen2Moe;
Describe describeQwen3Moe;

} // namespace mooring
