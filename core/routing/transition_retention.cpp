// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/mean_and_sd.h"
#include "core/routing/communities/communities.h"
#include "core/routing/communities/directed_communities.h"
#include "core/routing/communities/null_model.h"
#include "core/routing/retention.h"
#include "core/routing/split_half.h"
#include "core/routing/transition_places.h"
#include "core/routing/transitions.h"
#include <algorithm>

namespace mooring {
namespace {

constexpr double TransitionValues::*kFields[] = {&TransitionValues::tvd, &TransitionValues::jsd,
    &TransitionValues::overlap, &TransitionValues::stay, &TransitionValues::stayBase,
    &TransitionValues::nmi, &TransitionValues::q, &TransitionValues::qBase,
    &TransitionValues::nullQ, &TransitionValues::nullSd, &TransitionValues::ceiling};

std::vector<std::int64_t> matrixOf(
    const DomainTransitions& domain, std::size_t layer, std::size_t square) {
    const auto first
        = domain.counts.counts_LEE.begin() + static_cast<std::ptrdiff_t>(layer * square);
    return {first, first + static_cast<std::ptrdiff_t>(square)};
}

// Mean share of a token's experts that the next token uses as well.
double stayShare(
    const std::vector<std::int64_t>& counts_EE, int experts, std::int64_t pairs, int topK) {
    if (pairs == 0)
        return TransitionValues::kNone;
    double same = 0;
    for (int e = 0; e < experts; ++e)
        same += static_cast<double>(counts_EE[static_cast<std::size_t>(e) * experts + e]);
    return same / (static_cast<double>(pairs) * topK);
}

TransitionRow domainRow(const FrameTransitions& base, const DomainTransitions& before,
    const FrameTransitions& tuned, const DomainTransitions& after,
    const std::vector<std::int64_t>& kept_L) {
    TransitionRow row{tuned.step, after.name, tuned.kind, after.counts.pairs, tuned.layers, {}, {}};
    const auto square = static_cast<std::size_t>(tuned.experts) * tuned.experts;
    for (std::size_t l = 0; l < tuned.layers.size(); ++l) {
        TransitionValues v;
        const auto u = matrixOf(before, l, square), w = matrixOf(after, l, square);
        if (before.counts.pairs > 0 && after.counts.pairs > 0) {
            v.tvd = totalVariation(u, w);
            v.jsd = jensenShannon(u, w);
            v.overlap = static_cast<double>(kept_L[l])
                / (static_cast<double>(after.counts.pairs) * tuned.topK * tuned.topK);
            v.nmi = normalizedMutualInformation(
                before.partition_L[l].community_E, after.partition_L[l].community_E);
            v.q = after.partition_L[l].modularity;
            v.qBase = before.partition_L[l].modularity;
        }
        if (tuned.kind == TransitionKind::Tokens) {
            v.stay = stayShare(w, tuned.experts, after.counts.pairs, tuned.topK);
            v.stayBase = stayShare(u, base.experts, before.counts.pairs, base.topK);
        }
        row.values.push_back(v);
    }
    row.mean = meanOverLayers(row.values);
    return row;
}

const DomainTransitions* findDomain(const FrameTransitions& frame, const std::string& name) {
    for (const DomainTransitions& domain : frame.domains)
        if (domain.name == name)
            return &domain;
    return nullptr;
}

// Q over null graphs, thinned and partitioned like the real one.
std::optional<MeanAndSd> nullModularity(std::span<const std::int32_t> counts_EE,
    const FrameTransitions& base, std::uint64_t stream, const ProbeSettings& probe, int graphs,
    const CancelRequested& cancelRequested) {
    const bool bipartite = base.kind == TransitionKind::Layers;
    SplitMix64 random = nullStream(stream);
    std::vector<double> q;
    for (int g = 0; g < graphs; ++g) {
        if (cancelRequested())
            return std::nullopt;
        const auto drawn_EE = drawNullTransitions(counts_EE, base.experts, bipartite, random);
        const auto edges = directedRhoGraph(drawn_EE, base.experts, 1, probe.rho, bipartite);
        q.push_back(detectDirectedCommunities(
            edges, (bipartite ? 2 : 1) * base.experts, probe.resolution, probe.detectorSeed)
                        .modularity);
    }
    return meanAndSd(q);
}

} // namespace

TransitionValues meanOverLayers(std::span<const TransitionValues> values) {
    TransitionValues mean;
    for (const auto field : kFields) {
        std::vector<double> known;
        for (const TransitionValues& layer : values)
            if (!std::isnan(layer.*field))
                known.push_back(layer.*field);
        mean.*field = meanAndSd(known).mean;
    }
    return mean;
}

std::vector<std::int64_t> keptTransitions(const DomainFrame& base, const DomainFrame& tuned,
    int layers, int experts, int topK, TransitionKind kind) {
    const int ahead = kind == TransitionKind::Layers ? 1 : 0;
    std::vector<std::int64_t> kept_L(static_cast<std::size_t>(std::max(layers - ahead, 0)), 0);
    if (base.tokens != tuned.tokens)
        return kept_L;
    std::vector<char> chosen(static_cast<std::size_t>(experts), 0);
    // Experts of a place that both frames choose.
    const auto common = [&](std::int64_t token, int layer) {
        const auto at = (token * layers + layer) * topK;
        std::int64_t both = 0;
        for (int k = 0; k < topK; ++k)
            chosen[base.topkIds_TLK[at + k]] = 1;
        for (int k = 0; k < topK; ++k)
            both += chosen[tuned.topkIds_TLK[at + k]];
        for (int k = 0; k < topK; ++k)
            chosen[base.topkIds_TLK[at + k]] = 0;
        return both;
    };
    for (const auto& [first, second] : transitionPlaces(base, kind))
        for (std::size_t l = 0; l < kept_L.size(); ++l)
            kept_L[l]
                += common(first, static_cast<int>(l)) * common(second, static_cast<int>(l) + ahead);
    return kept_L;
}

std::vector<TransitionRow> transitionRetention(const FrameTransitions& base,
    const RoutingFrame& baseFrame, const FrameTransitions& tuned, const RoutingFrame& tunedFrame) {
    std::vector<TransitionRow> rows;
    std::vector<std::int64_t> pooled_L(tuned.layers.size(), 0);
    for (const DomainTransitions& domain : tuned.domains) {
        const DomainTransitions* before = findDomain(base, domain.name);
        if (!before)
            continue;
        std::vector<std::int64_t> kept_L = pooled_L;
        if (&domain != &tuned.domains.back()) {
            kept_L = keptTransitions(*baseFrame.find(domain.name), *tunedFrame.find(domain.name),
                tunedFrame.layerCount(), tunedFrame.experts, tunedFrame.topK, tuned.kind);
            for (std::size_t l = 0; l < kept_L.size(); ++l)
                pooled_L[l] += kept_L[l];
        }
        rows.push_back(domainRow(base, *before, tuned, domain, kept_L));
    }
    return rows;
}

std::optional<std::vector<TransitionRow>> transitionValidity(const FrameTransitions& base,
    const RoutingFrame& baseFrame, const ProbeSettings& probe, int nullGraphs,
    const CancelRequested& cancelRequested) {
    std::vector<TransitionRow> rows;
    const RoutingFrame halves[] = {halfFrame(baseFrame, 0), halfFrame(baseFrame, 1)};
    const auto even = findTransitions(halves[0], halves[0], base.kind, probe, cancelRequested);
    const auto odd
        = even ? findTransitions(halves[1], halves[1], base.kind, probe, cancelRequested) : even;
    if (!odd)
        return std::nullopt;
    const auto square = static_cast<std::size_t>(base.experts) * base.experts;
    for (std::size_t d = 0; d < base.domains.size(); ++d) {
        const DomainTransitions& domain = base.domains[d];
        const auto &first = even->domains[d], &second = odd->domains[d];
        TransitionRow row{0, domain.name, base.kind, domain.counts.pairs, base.layers, {}, {}};
        for (std::size_t l = 0; l < base.layers.size(); ++l) {
            TransitionValues v;
            if (domain.counts.pairs > 0) {
                const std::span counts_EE(domain.counts.counts_LEE.data() + l * square, square);
                const auto null
                    = nullModularity(counts_EE, base, l, probe, nullGraphs, cancelRequested);
                if (!null)
                    return std::nullopt;
                v.qBase = domain.partition_L[l].modularity;
                v.nullQ = null->mean;
                v.nullSd = null->sd;
                if (base.kind == TransitionKind::Tokens)
                    v.stayBase = stayShare(
                        matrixOf(domain, l, square), base.experts, domain.counts.pairs, base.topK);
                if (first.counts.pairs > 0 && second.counts.pairs > 0)
                    v.ceiling = normalizedMutualInformation(
                        first.partition_L[l].community_E, second.partition_L[l].community_E);
            }
            row.values.push_back(v);
        }
        row.mean = meanOverLayers(row.values);
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace mooring
