// SPDX-License-Identifier: GPL-3.0-or-later Counts transitions and
// finds their communities; the metrics are in
// transition_retention.cpp.
#include "core/routing/transitions.h"
#include "core/routing/communities/directed_communities.h"
#include "core/routing/communities/rho_graph.h"
#include "core/routing/retention.h"
#include "core/routing/transition_places.h"

namespace mooring {
namespace {

DomainTransitions divided(std::string name, TransitionCounts counts, std::size_t matrices,
    const RoutingFrame& frame, TransitionKind kind, const ProbeSettings& probe) {
    DomainTransitions domain{std::move(name), std::move(counts), {}, {}};
    const int E = frame.experts;
    const bool bipartite = kind == TransitionKind::Layers;
    const std::int64_t total = domain.counts.pairs * frame.topK * frame.topK;
    const auto square = static_cast<std::size_t>(E) * E;
    for (std::size_t l = 0; l < matrices; ++l) {
        const std::span counts_EE(domain.counts.counts_LEE.data() + l * square, square);
        domain.edges_L.push_back(directedRhoGraph(counts_EE, E, total, probe.rho, bipartite));
        domain.partition_L.push_back(detectDirectedCommunities(
            domain.edges_L.back(), bipartite ? 2 * E : E, probe.resolution, probe.detectorSeed));
    }
    return domain;
}

} // namespace

std::vector<TransitionPlace> transitionPlaces(const DomainFrame& texts, TransitionKind kind) {
    std::vector<TransitionPlace> places;
    if (texts.span_T.size() != static_cast<std::size_t>(texts.tokens))
        return places;
    const auto answer = [&](std::int64_t t) { return texts.span_T[t] == 1; };
    for (std::size_t text = 0; text + 1 < texts.textOffsets.size(); ++text)
        for (std::int64_t t = texts.textOffsets[text]; t < texts.textOffsets[text + 1]; ++t) {
            if (!answer(t))
                continue;
            if (kind == TransitionKind::Layers)
                places.push_back({t, t});
            else if (t + 1 < texts.textOffsets[text + 1] && answer(t + 1))
                places.push_back({t, t + 1});
        }
    return places;
}

TransitionCounts countTransitions(const DomainFrame& domain, const DomainFrame& texts, int layers,
    int experts, int topK, TransitionKind kind) {
    const int ahead = kind == TransitionKind::Layers ? 1 : 0; // layers from first to second
    const int matrices = std::max(layers - ahead, 0);
    const auto square = static_cast<std::size_t>(experts) * experts;
    TransitionCounts counts;
    counts.counts_LEE.assign(static_cast<std::size_t>(matrices) * square, 0);
    if (domain.tokens != texts.tokens)
        return counts;
    const auto places = transitionPlaces(texts, kind);
    counts.pairs = static_cast<std::int64_t>(places.size());
    for (int l = 0; l < matrices; ++l) {
        std::int32_t* from_EE = counts.counts_LEE.data() + static_cast<std::size_t>(l) * square;
        for (const auto& [first, second] : places) {
            const auto* before = domain.topkIds_TLK.data() + (first * layers + l) * topK;
            const auto* after = domain.topkIds_TLK.data() + (second * layers + l + ahead) * topK;
            for (int a = 0; a < topK; ++a)
                for (int b = 0; b < topK; ++b)
                    ++from_EE[static_cast<std::size_t>(before[a]) * experts + after[b]];
        }
    }
    return counts;
}

std::optional<FrameTransitions> findTransitions(const RoutingFrame& frame, const RoutingFrame& base,
    TransitionKind kind, const ProbeSettings& probe, const CancelRequested& cancelRequested) {
    const int matrices = std::max(frame.layerCount() - (kind == TransitionKind::Layers ? 1 : 0), 0);
    FrameTransitions found{frame.step, kind,
        {frame.layers.begin(), frame.layers.begin() + matrices}, frame.experts, frame.topK, {}};
    TransitionCounts pooled;
    const auto add = [&](const std::string& name, TransitionCounts counts) {
        found.domains.push_back(
            divided(name, std::move(counts), found.layers.size(), frame, kind, probe));
    };
    for (const DomainFrame& domain : frame.domains) {
        const DomainFrame* texts = base.find(domain.name);
        if (cancelRequested())
            return std::nullopt;
        if (!texts)
            continue;
        auto counts
            = countTransitions(domain, *texts, frame.layerCount(), frame.experts, frame.topK, kind);
        pooled.pairs += counts.pairs;
        pooled.counts_LEE.resize(counts.counts_LEE.size(), 0);
        for (std::size_t i = 0; i < counts.counts_LEE.size(); ++i)
            pooled.counts_LEE[i] += counts.counts_LEE[i];
        add(domain.name, std::move(counts));
    }
    if (cancelRequested())
        return std::nullopt;
    if (!found.domains.empty())
        add(kPooled, std::move(pooled));
    return found;
}

} // namespace mooring
