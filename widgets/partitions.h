// SPDX-License-Identifier: GPL-3.0-or-later
// The communities of a base frame and a tuned frame as the views are given them: found elsewhere,
// as a job on immutable frames.
#pragma once
#include "core/view/routing_frame.h"
#include <memory>
#include <optional>
#include <vector>

namespace mooring {

// One MoE layer. The labels of `tuned` are matched to those of `base`, so that an expert moved
// exactly where they differ. Empty community_E: not known (yet).
struct LayerCommunities {
    Partition base;
    Partition tuned;
    std::vector<GraphEdge> baseEdges;
    std::vector<GraphEdge> tunedEdges;
    std::optional<double> nmi;
    std::optional<double> nmiSpread; // standard deviation over detector seeds
    std::optional<double> ceiling; // split-half NMI of the base
    std::optional<double> nullModularity; // of graphs with the same degrees
};

struct CommunitySet {
    std::int64_t step = 0; // of the tuned frame
    double rho = 0.10;
    double resolution = 1.0;
    int detectorSeed = 0;
    std::vector<LayerCommunities> layers;
};

using CommunitiesPtr = std::shared_ptr<const CommunitySet>;

} // namespace mooring
