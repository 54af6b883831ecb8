// SPDX-License-Identifier: GPL-3.0-or-later
// What is known about a model's routing without its weights.
#pragma once
#include <vector>

namespace mooring {

// 0 and empty: unknown.
struct RoutingShape {
    std::vector<int> moeLayers; // absolute indices
    int layers = 0; // dense ones counted
    int experts = 0;
    int topK = 0;
    bool correctionBias = false;
    bool operator==(const RoutingShape&) const = default;
};

} // namespace mooring
