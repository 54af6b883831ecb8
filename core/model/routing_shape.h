// SPDX-License-Identifier: GPL-3.0-or-later
// What a config.json says about the routing, for those who know no tensors.
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <vector>

namespace mooring {

struct RoutingShape {
    std::vector<int> moeLayers; // absolute indices
    int layers = 0; // dense ones counted
    int experts = 0;
    int topK = 0;
    bool correctionBias = false;
    bool operator==(const RoutingShape&) const = default;
};

// Errors: Input, where it is no config.json of a family that can be loaded.
Result<RoutingShape> readRoutingShape(const std::filesystem::path& config);

} // namespace mooring
