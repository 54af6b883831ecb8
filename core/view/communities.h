// SPDX-License-Identifier: GPL-3.0-or-later
// The communities of a base frame and a tuned frame as the views are given them
// (core/routing/routing_findings.h).
#pragma once
#include "core/view/transitions.h"
#include "core/view/validity.h"
#include <memory>
#include <optional>
#include <vector>

namespace mooring {

// One MoE layer. The labels of `tuned` are matched to those of `base`, so that an expert moved
// exactly where they differ. Empty community_E: unknown (yet).
struct LayerCommunities {
    Partition base;
    Partition tuned;
    std::vector<GraphEdge> baseEdges;
    std::vector<GraphEdge> tunedEdges;
    // The heaviest pairs by lift instead of by co-activation; the partitions are of the latter.
    std::vector<GraphEdge> baseLift;
    std::vector<GraphEdge> tunedLift;
    std::optional<double> nmi;
    ValidityValues validity; // of the base; nmi and its spread of the tuned frame
};

struct CommunitySet {
    std::int64_t step = 0; // of the tuned frame
    double rho = 0.10;
    double resolution = 1.0;
    int detectorSeed = 0;
    int nullGraphs = 0; // drawn per layer; 0: not yet
    std::vector<LayerCommunities> layers;
    TransitionsPtr transitions; // found with the same settings; null: unknown (yet)
};

using CommunitiesPtr = std::shared_ptr<const CommunitySet>;

} // namespace mooring
