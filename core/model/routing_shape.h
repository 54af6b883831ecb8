// SPDX-License-Identifier: GPL-3.0-or-later
// What a config.json says about the routing, for code without torch.
#pragma once
#include "core/base/result.h"
#include "core/view/routing_shape.h"
#include <filesystem>

namespace mooring {

// Errors: Input, where it is not a config.json of a family that can be loaded.
Result<RoutingShape> readRoutingShape(const std::filesystem::path& config);

} // namespace mooring
