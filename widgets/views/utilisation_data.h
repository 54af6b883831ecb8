// SPDX-License-Identifier: GPL-3.0-or-later
// Utilization of experts as shares of (token, slot) pairs, base against tuned. Pure values.
#pragma once
#include "core/view/communities.h"
#include "core/view/routing_frame.h"
#include <span>
#include <string>
#include <vector>

namespace mooring {

enum class RoutingSource { Probe, Training };
enum class ExpertOrder { Index, BaseUse, BaseCommunity };

// Shares per layer sum to 1; a layer without counts is NaN throughout.
struct Utilisation {
    std::int64_t step = 0; // of tuned
    std::vector<int> layers; // absolute indices
    int experts = 0;
    int topK = 0; // 0: unknown
    std::int64_t tokens = 0; // of tuned, or of base where there is no tuned; 0: unknown
    std::vector<std::int64_t> baseCounts_LE; // empty: no base
    std::vector<std::int64_t> tunedCounts_LE; // empty: no tuned
    std::vector<double> base_LE;
    std::vector<double> tuned_LE;
    std::vector<double> tvd_L; // 1/2 sum |tuned - base|; NaN where one is missing
    std::vector<double> jsd_L; // nats

    int layerCount() const { return static_cast<int>(layers.size()); }
    std::size_t at(int layer, int expert) const {
        return static_cast<std::size_t>(layer) * experts + expert;
    }
    double difference(int layer, int expert) const {
        return tuned_LE[at(layer, expert)] - base_LE[at(layer, expert)];
    }
};

// A domain of two probe frames; an empty name pools all domains. Either frame may be null. Frames
// whose shapes disagree count as missing.
Utilisation probeUtilisation(
    const RoutingFrame* base, const RoutingFrame* tuned, const std::string& domain);
Utilisation trainingUtilisation(const TrainingFrame& frame);

// For every layer the experts in the order in which they are shown. By use: most used by the base
// first. By community: communities by label, in each by use. Layers without a partition: by use.
std::vector<int> expertOrder(
    const Utilisation& use, const CommunitySet* communities, ExpertOrder order);

} // namespace mooring
