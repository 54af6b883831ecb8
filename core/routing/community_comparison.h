// SPDX-License-Identifier: GPL-3.0-or-later
// The communities of two frames as views are given them.
#pragma once
#include "core/base/cancel.h"
#include "core/view/communities.h"
#include "core/view/run_record.h"
#include <optional>
#include <vector>

namespace mooring {

struct CommunityRequest {
    double rho = 0.10;
    double resolution = 1.0;
    int detectorSeed = 0;
    bool operator==(const CommunityRequest&) const = default;
    ProbeSettings settings() const { return {rho, resolution, detectorSeed, {}}; }
};

// Finds communities layer by layer on the pooled probe domains and remembers those of the base,
// which every frame of a run is compared with. Used from one thread.
class CommunityComparison {
public:
    // `cancelRequested` is checked between layers. Null: canceled, or a frame without
    // co-activation.
    CommunitiesPtr find(const FramePtr& base, const FramePtr& tuned,
        const CommunityRequest& request, const CancelRequested& cancelRequested);

private:
    struct Layer {
        std::vector<GraphEdge> edges;
        std::vector<GraphEdge> lift;
        Partition partition;
    };
    using Layers = std::vector<Layer>;
    std::optional<Layers> findLayers(const RoutingFrame& frame, const CommunityRequest& request,
        const CancelRequested& cancelRequested);
    FramePtr m_base;
    CommunityRequest m_request;
    std::optional<Layers> m_baseLayers;
};

} // namespace mooring
