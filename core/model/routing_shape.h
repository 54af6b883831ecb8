// SPDX-License-Identifier: GPL-3.0-or-later
// What a config.json says about the routing, for those who know no tensors.
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <filesystem>

namespace mooring {

struct RoutingShape {
    std::int64_t moeLayers = 0;
    std::int64_t experts = 0;
    bool correctionBias = false;
    bool operator==(const RoutingShape&) const = default;
};

// Errors: Input, where it is no config.json of a family that can be loaded.
Result<RoutingShape> readRoutingShape(const std::filesystem::path& config);

} // namespace mooring
