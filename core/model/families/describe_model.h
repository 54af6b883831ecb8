// SPDX-License-Identifier: GPL-3.0-or-later
// From a config.json to the description of its architecture, through its family.
#pragma once
#include "core/model/description/architecture.h"

namespace mooring {

// One file per family in this folder; registered in describe_model.cpp by its model_type.
struct Family {
    std::string modelType;
    std::string title;
    std::function<Result<Architecture>(
        const nlohmann::ordered_json& config, const std::string& where)>
        describe;
};
const std::vector<Family>& families();

// Reads config.json through its family; for other models the error says why they cannot be
// loaded.
Result<Architecture> describeModel(const nlohmann::ordered_json& config, const std::string& where);

} // namespace mooring
