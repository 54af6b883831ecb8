// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/community_validity.h"
#include "core/routing/communities/null_model.h"
#include "core/routing/communities/seed_spread.h"
#include "core/routing/split_half.h"
#include "core/routing/validity.h"

namespace mooring {

bool CommunityValidity::measureBase(const CommunitySet& set, const FramePtr& base,
    const ProbeSettings& probe, const CancelRequested& cancelRequested) {
    const int experts = base->experts;
    const auto square = static_cast<std::size_t>(experts) * experts;
    const DomainFrame pooled = poolDomains(*base);
    const auto ceiling_L = splitHalfNmi(poolDomains(halfFrame(*base, 0)),
        poolDomains(halfFrame(*base, 1)), base->layerCount(), experts, probe, cancelRequested);
    if (!ceiling_L)
        return false;
    std::vector<ValidityValues> values;
    std::vector<std::vector<Labels>> overSeeds;
    for (std::size_t l = 0; l < set.layers.size(); ++l) {
        const LayerCommunities& layer = set.layers[l];
        const std::span counts_EE(pooled.coactivation_LEE.data() + l * square, square);
        const auto null = nullFigures(counts_EE, experts, layer.base.community_E, probe,
            quickNullGraphs(*base), l, cancelRequested);
        auto partitions = null
            ? partitionsOverSeeds(layer.baseEdges, experts, probe, cancelRequested)
            : std::nullopt;
        if (!partitions)
            return false;
        ValidityValues v;
        v.q = layer.base.modularity;
        setNull(v, *null);
        v.seedAgreement = meanPairwiseNmi(*partitions);
        v.ceiling = (*ceiling_L)[l];
        values.push_back(v);
        overSeeds.push_back(std::move(*partitions));
    }
    m_values = std::move(values);
    m_overSeeds = std::move(overSeeds);
    return true;
}

CommunitiesPtr CommunityValidity::complete(
    const CommunitySet& set, const FramePtr& base, const CancelRequested& cancelRequested) {
    const CommunityRequest request{set.rho, set.resolution, set.detectorSeed};
    if (m_base != base || m_request != request) {
        if (!measureBase(set, base, request.settings(), cancelRequested))
            return nullptr;
        m_base = base;
        m_request = request;
    }
    auto complete = std::make_shared<CommunitySet>(set);
    complete->nullGraphs = quickNullGraphs(*base);
    for (std::size_t l = 0; l < complete->layers.size(); ++l) {
        LayerCommunities& layer = complete->layers[l];
        layer.validity = m_values[l];
        if (layer.tuned.community_E.empty())
            continue;
        const auto tuned = partitionsOverSeeds(
            layer.tunedEdges, base->experts, request.settings(), cancelRequested);
        if (!tuned)
            return nullptr;
        layer.validity.nmi = layer.nmi.value_or(ValidityValues::kNone);
        layer.validity.nmiSpread = nmiSpread(m_overSeeds[l], *tuned);
    }
    return complete;
}

} // namespace mooring
