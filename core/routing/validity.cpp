// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/validity.h"
#include "core/base/mean_and_sd.h"
#include "core/routing/communities/communities.h"
#include "core/routing/communities/null_model.h"
#include "core/routing/communities/seed_spread.h"
#include "core/routing/split_half.h"
#include <algorithm>

namespace mooring {
namespace {

constexpr double ValidityValues::*kFields[] = {&ValidityValues::q, &ValidityValues::nullQ,
    &ValidityValues::nullSd, &ValidityValues::margin, &ValidityValues::marginSds,
    &ValidityValues::nullNmi, &ValidityValues::nullNmiSd, &ValidityValues::seedAgreement,
    &ValidityValues::nmi, &ValidityValues::nmiSpread, &ValidityValues::ceiling};

// The base's side of one layer and the frame's, the same where the frame is the base.
struct LayerSides {
    const Partition& basePartition;
    std::span<const GraphEdge> baseEdges;
    const Partition& partition;
    std::span<const GraphEdge> edges;
    std::span<const std::int32_t> counts_EE;
};

std::optional<ValidityValues> layerValidity(const LayerSides& sides, bool isBase, int experts,
    std::uint64_t stream, const ProbeSettings& probe, int nullGraphs,
    const CancelRequested& cancelRequested) {
    ValidityValues v;
    v.q = sides.partition.modularity;
    const auto null = nullFigures(sides.counts_EE, experts, sides.basePartition.community_E, probe,
        nullGraphs, stream, cancelRequested);
    const auto partitions
        = null ? partitionsOverSeeds(sides.edges, experts, probe, cancelRequested) : std::nullopt;
    if (!partitions)
        return std::nullopt;
    setNull(v, *null);
    v.seedAgreement = meanPairwiseNmi(*partitions);
    if (isBase)
        return v;
    const auto basePartitions
        = partitionsOverSeeds(sides.baseEdges, experts, probe, cancelRequested);
    if (!basePartitions)
        return std::nullopt;
    v.nmi
        = normalizedMutualInformation(sides.basePartition.community_E, sides.partition.community_E);
    v.nmiSpread = nmiSpread(*basePartitions, *partitions);
    return v;
}

// The partitions of the base's halves are what every frame's ceiling is made of.
struct BaseHalves {
    RoutingFrame even, odd;
    DomainFrame pooledEven, pooledOdd;
};

BaseHalves halvesOf(const RoutingFrame& base) {
    BaseHalves halves{halfFrame(base, 0), halfFrame(base, 1), {}, {}};
    halves.pooledEven = poolDomains(halves.even);
    halves.pooledOdd = poolDomains(halves.odd);
    return halves;
}

std::optional<ValidityRow> domainValidity(const PartitionedFrame& base, const BaseHalves& halves,
    const PartitionedFrame& frame, std::size_t index, const ProbeSettings& probe, int nullGraphs,
    const CancelRequested& cancelRequested) {
    const DomainFrame& domain = frame.domain(index);
    const bool pooled = index + 1 == frame.domainCount();
    const auto baseIndex = pooled ? base.domainCount() - 1 : base.find(domain.name).value_or(0);
    const int layers = frame.frame->layerCount(), experts = frame.frame->experts;
    ValidityRow row{frame.frame->step, domain.name, probe.rho, probe.resolution, probe.detectorSeed,
        nullGraphs, kDetectorSeeds, frame.frame->layers, {}, {}};
    const auto ceiling_L = splitHalfNmi(pooled ? halves.pooledEven : halves.even.domains[baseIndex],
        pooled ? halves.pooledOdd : halves.odd.domains[baseIndex], layers, experts, probe,
        cancelRequested);
    if (!ceiling_L)
        return std::nullopt;
    const auto square = static_cast<std::size_t>(experts) * experts;
    for (int l = 0; l < layers; ++l) {
        ValidityValues none;
        none.ceiling = (*ceiling_L)[l];
        row.values.push_back(none);
        if (domain.tokens == 0)
            continue;
        const auto &before = base.partitions[baseIndex], &now = frame.partitions[index];
        const LayerSides sides{before.partition_L[l], before.edges_L[l], now.partition_L[l],
            now.edges_L[l], {domain.coactivation_LEE.data() + l * square, square}};
        const auto values = layerValidity(sides, base.frame == frame.frame, experts,
            static_cast<std::uint64_t>(l), probe, nullGraphs, cancelRequested);
        if (!values)
            return std::nullopt;
        row.values.back() = *values;
        row.values.back().ceiling = none.ceiling;
    }
    row.mean = meanOverLayers(row.values);
    return row;
}

} // namespace

void setNull(ValidityValues& values, const NullFigures& null) {
    values.nullQ = null.q;
    values.nullSd = null.qSd;
    values.margin = values.q - values.nullQ;
    if (values.nullSd > 0)
        values.marginSds = values.margin / values.nullSd;
    values.nullNmi = null.nmi;
    values.nullNmiSd = null.nmiSd;
}

int quickNullGraphs(const RoutingFrame& frame) {
    const double pairs = static_cast<double>(frame.layerCount()) * frame.experts * frame.experts;
    return static_cast<int>(std::clamp(2e6 / std::max(pairs, 1.0), 3.0, double{kNullGraphs}));
}

ValidityValues meanOverLayers(std::span<const ValidityValues> values) {
    ValidityValues mean;
    for (const auto field : kFields) {
        std::vector<double> known;
        for (const ValidityValues& layer : values)
            if (!std::isnan(layer.*field))
                known.push_back(layer.*field);
        mean.*field = meanAndSd(known).mean;
    }
    return mean;
}

std::optional<std::vector<ValidityRow>> validity(const PartitionedFrame& base,
    const PartitionedFrame& frame, const ProbeSettings& probe, int nullGraphs,
    const CancelRequested& cancelRequested) {
    std::vector<ValidityRow> rows;
    if (base.domainCount() == 0)
        return rows;
    const BaseHalves halves = halvesOf(*base.frame);
    for (std::size_t i = 0; i < frame.domainCount(); ++i) {
        if (i + 1 < frame.domainCount() && !base.find(frame.domain(i).name))
            continue;
        auto row = domainValidity(base, halves, frame, i, probe, nullGraphs, cancelRequested);
        if (!row)
            return std::nullopt;
        rows.push_back(std::move(*row));
    }
    return rows;
}

} // namespace mooring
