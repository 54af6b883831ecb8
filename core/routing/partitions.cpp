// SPDX-License-Identifier: GPL-3.0-or-later
// Pooling the domains of a frame and finding the communities of each: the graph half of
// retention.h.
#include "core/routing/communities/communities.h"
#include "core/routing/retention.h"
#include <algorithm>
#include <limits>

namespace mooring {

namespace {

// Frames come from files as well: a sum that does not fit stays at the largest number.
template <typename T>
void addSaturating(std::vector<T>& sums, const std::vector<T>& values) {
    sums.resize(std::max(sums.size(), values.size()), 0);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (__builtin_add_overflow(sums[i], values[i], &sums[i]))
            sums[i] = std::numeric_limits<T>::max();
}

template <typename T>
void append(std::vector<T>& all, const std::vector<T>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

} // namespace

DomainFrame poolDomains(const RoutingFrame& frame) {
    DomainFrame pooled;
    pooled.name = kPooled;
    std::vector<double> probSum_LE;
    for (const DomainFrame& domain : frame.domains) {
        pooled.tokens += domain.tokens;
        addSaturating(pooled.counts_LE, domain.counts_LE);
        addSaturating(pooled.coactivation_LEE, domain.coactivation_LEE);
        append(pooled.topkIds_TLK, domain.topkIds_TLK);
        append(pooled.topkWeights_TLK, domain.topkWeights_TLK);
        append(pooled.tokenIds_T, domain.tokenIds_T);
        append(pooled.span_T, domain.span_T);
        probSum_LE.resize(std::max(probSum_LE.size(), domain.probMean_LE.size()), 0.0);
        // The means of a domain without tokens are NaN and have no weight.
        for (std::size_t i = 0; domain.tokens > 0 && i < domain.probMean_LE.size(); ++i)
            probSum_LE[i] += static_cast<double>(domain.probMean_LE[i]) * domain.tokens;
    }
    for (const double sum : probSum_LE)
        pooled.probMean_LE.push_back(static_cast<float>(sum / pooled.tokens));
    return pooled;
}

FramePartitions partitionDomain(
    const DomainFrame& domain, int layers, int experts, const ProbeSettings& probe) {
    FramePartitions found;
    const auto square = static_cast<std::size_t>(experts) * experts;
    for (int layer = 0; layer < layers; ++layer) {
        const std::span counts_EE(domain.coactivation_LEE.data() + layer * square, square);
        found.edges_L.push_back(rhoGraph(counts_EE, experts, domain.tokens, probe.rho));
        found.partition_L.push_back(
            detectCommunities(found.edges_L.back(), experts, probe.resolution, probe.detectorSeed));
    }
    return found;
}

FramePartitions partitionFrame(const RoutingFrame& frame, const ProbeSettings& probe) {
    DomainFrame pooled;
    for (const DomainFrame& domain : frame.domains) {
        pooled.tokens += domain.tokens;
        addSaturating(pooled.coactivation_LEE, domain.coactivation_LEE);
    }
    if (pooled.coactivation_LEE.empty())
        return {};
    return partitionDomain(pooled, frame.layerCount(), frame.experts, probe);
}

std::optional<std::size_t> PartitionedFrame::find(const std::string& name) const {
    for (std::size_t i = 0; i < domainCount(); ++i)
        if (domain(i).name == name)
            return i;
    return std::nullopt;
}

PartitionedFrame partitionDomains(const RoutingFrame& frame, const ProbeSettings& probe) {
    PartitionedFrame result;
    result.frame = &frame;
    if (frame.domains.empty())
        return result;
    result.pooled = poolDomains(frame);
    for (const DomainFrame& domain : frame.domains)
        result.partitions.push_back(
            partitionDomain(domain, frame.layerCount(), frame.experts, probe));
    // A single domain is the pool.
    result.partitions.push_back(frame.domains.size() == 1
            ? result.partitions.front()
            : partitionDomain(result.pooled, frame.layerCount(), frame.experts, probe));
    return result;
}

} // namespace mooring
