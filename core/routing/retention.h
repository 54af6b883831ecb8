// SPDX-License-Identifier: GPL-3.0-or-later
// Retention against the frozen base on the same tokens, bias-free (method.md section 6). No torch.
#pragma once
#include "core/view/run_record.h"
#include <span>

namespace mooring {

double totalVariation(std::span<const std::int64_t> base,
    std::span<const std::int64_t> tuned); // not-a-number without counts
double jensenShannon(
    std::span<const std::int64_t> base, std::span<const std::int64_t> tuned); // nats
// Mean over tokens of |base top-k intersect tuned top-k| / K, per layer.
std::vector<double> topkOverlap(
    const DomainFrame& base, const DomainFrame& tuned, int layers, int topK);
// Counts and co-activation of a domain from its topk ids, by bit masks and popcount.
void countRouting(DomainFrame& domain, int layers, int experts, int topK);
// All domains added up (tokens, counts, co-activation; topk ids concatenated; prob mean
// token-weighted), named "pooled".
DomainFrame poolDomains(const RoutingFrame& frame);

// The partitions of every layer of the pooled domains of a frame.
struct FramePartitions {
    std::vector<Partition> partition_L;
    std::vector<std::vector<GraphEdge>> edges_L;
};
FramePartitions partitionFrame(const RoutingFrame& frame, const ProbeSettings& probe);

// One row per domain (communities on that domain's own graph against the base's on the same domain)
// and, last, one for all domains pooled ("pooled"). kl and drift are not-a-number: frames hold no
// logits; the trainer fills them in.
std::vector<RetentionRow> retention(
    const RoutingFrame& base, const RoutingFrame& tuned, const ProbeSettings& probe);

} // namespace mooring
