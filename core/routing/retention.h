// SPDX-License-Identifier: GPL-3.0-or-later
// Retention against the frozen base on the same tokens, bias-free
// (docs/methods.md#retention-metrics). No torch.
#pragma once
#include "core/view/run_record.h"
#include <span>

namespace mooring {

double totalVariation(std::span<const std::int64_t> base,
    std::span<const std::int64_t> tuned); // NaN without counts
double jensenShannon(
    std::span<const std::int64_t> base, std::span<const std::int64_t> tuned); // nats
// Mean over tokens of |base top-k intersect tuned top-k| / K, per layer; NaN where there are no
// tokens or not the same number of them.
std::vector<double> topkOverlap(
    const DomainFrame& base, const DomainFrame& tuned, int layers, int topK);
// Counts and co-activation of a domain from its topk ids, through a bit mask of each token's
// experts (walking its set bits costs K^2 a token, whatever E is). Ids must lie in [0, E).
void countRouting(DomainFrame& domain, int layers, int experts, int topK);
// All domains added up (tokens, counts, co-activation; topk ids concatenated; prob mean
// token-weighted), named "pooled".
DomainFrame poolDomains(const RoutingFrame& frame);
inline constexpr const char* kPooled = "pooled";

// The partitions of every layer of the pooled domains of a frame.
struct FramePartitions {
    std::vector<Partition> partition_L;
    std::vector<std::vector<GraphEdge>> edges_L;
};
FramePartitions partitionFrame(const RoutingFrame& frame, const ProbeSettings& probe);
FramePartitions partitionDomain(
    const DomainFrame& domain, int layers, int experts, const ProbeSettings& probe);

// A frame with its pooled domain and all partitions, found once: the trainer keeps the base's. The
// frame must outlive it.
struct PartitionedFrame {
    const RoutingFrame* frame = nullptr;
    DomainFrame pooled;
    std::vector<FramePartitions> partitions; // of each domain, last of the pooled ones

    std::size_t domainCount() const { return partitions.size(); } // pooled included
    const DomainFrame& domain(std::size_t i) const {
        return i < frame->domains.size() ? frame->domains[i] : pooled;
    }
    std::optional<std::size_t> find(const std::string& name) const; // kPooled is the last
};
PartitionedFrame partitionDomains(const RoutingFrame& frame, const ProbeSettings& probe);

// One row per domain (communities on that domain's own graph against the base's on the same domain)
// and, last, one for all domains pooled ("pooled"). kl and drift are NaN: frames hold no logits;
// the trainer fills them in. Means are over the layers with data. Both frames have the same layers
// and experts; a domain that one of them lacks has no row.
std::vector<RetentionRow> retention(
    const RoutingFrame& base, const RoutingFrame& tuned, const ProbeSettings& probe);
std::vector<RetentionRow> retention(const PartitionedFrame& base, const PartitionedFrame& tuned);

// Mean of each value over the layers where it is a number; NaN where there is none.
RetentionValues meanOverLayers(std::span<const RetentionValues> values);

// Share of the (token, slot) pairs that went to each expert; NaN without counts.
std::vector<double> utilisation(std::span<const std::int64_t> counts);

} // namespace mooring
