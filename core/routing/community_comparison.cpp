// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/community_comparison.h"
#include "core/routing/communities/communities.h"
#include "core/routing/retention.h"

namespace mooring {
namespace {

// Only what the graphs need; the token lists of a pooled frame are long and not used.
DomainFrame poolGraphs(const RoutingFrame& frame) {
    RoutingFrame light;
    light.layers = frame.layers;
    light.experts = frame.experts;
    light.topK = frame.topK;
    for (const DomainFrame& domain : frame.domains) {
        DomainFrame part;
        part.tokens = domain.tokens;
        part.counts_LE = domain.counts_LE;
        part.coactivation_LEE = domain.coactivation_LEE;
        light.domains.push_back(std::move(part));
    }
    return poolDomains(light);
}

LayerCommunities compare(const auto& base, const auto* tuned) {
    LayerCommunities layer;
    layer.base = base.partition;
    layer.baseEdges = base.edges;
    layer.baseLift = base.lift;
    if (!tuned)
        return layer;
    layer.tuned = tuned->partition;
    layer.tunedEdges = tuned->edges;
    layer.tunedLift = tuned->lift;
    layer.nmi = normalizedMutualInformation(layer.base.community_E, layer.tuned.community_E);
    layer.tuned.community_E = matchLabels(layer.base.community_E, layer.tuned.community_E);
    return layer;
}

} // namespace

std::optional<CommunityComparison::Layers> CommunityComparison::findLayers(
    const RoutingFrame& frame, const CommunityRequest& request,
    const CancelRequested& cancelRequested) {
    const DomainFrame pooled = poolGraphs(frame);
    const auto experts = static_cast<std::size_t>(frame.experts);
    const std::size_t square = experts * experts;
    Layers layers;
    if (pooled.coactivation_LEE.size() < square * frame.layers.size()
        || pooled.counts_LE.size() < experts * frame.layers.size())
        return std::nullopt;
    for (int l = 0; l < frame.layerCount(); ++l) {
        if (cancelRequested())
            return std::nullopt;
        const std::span counts_EE(pooled.coactivation_LEE.data() + l * square, square);
        const std::span counts_E(pooled.counts_LE.data() + l * experts, experts);
        Layer layer;
        layer.lift = liftGraph(counts_EE, counts_E, frame.experts, pooled.tokens, request.rho);
        layer.edges = rhoGraph(counts_EE, frame.experts, pooled.tokens, request.rho);
        layer.partition = detectCommunities(
            layer.edges, frame.experts, request.resolution, request.detectorSeed);
        layers.push_back(std::move(layer));
    }
    return layers;
}

CommunitiesPtr CommunityComparison::find(const FramePtr& base, const FramePtr& tuned,
    const CommunityRequest& request, const CancelRequested& cancelRequested) {
    if (!base || base->domains.empty())
        return nullptr;
    if (!m_baseLayers || m_base != base || m_request != request) {
        m_baseLayers = findLayers(*base, request, cancelRequested);
        m_base = base;
        m_request = request;
    }
    if (!m_baseLayers)
        return nullptr;
    std::optional<Layers> tunedLayers;
    const bool comparable
        = tuned && tuned->layers == base->layers && tuned->experts == base->experts;
    if (comparable) {
        tunedLayers = findLayers(*tuned, request, cancelRequested);
        if (!tunedLayers)
            return nullptr;
    }
    auto set = std::make_shared<CommunitySet>();
    set->step = tunedLayers ? tuned->step : 0;
    set->rho = request.rho;
    set->resolution = request.resolution;
    set->detectorSeed = request.detectorSeed;
    for (std::size_t l = 0; l < m_baseLayers->size(); ++l)
        set->layers.push_back(
            compare((*m_baseLayers)[l], tunedLayers ? &(*tunedLayers)[l] : nullptr));
    return set;
}

} // namespace mooring
