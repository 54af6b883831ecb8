// SPDX-License-Identifier: GPL-3.0-or-later
// How far communities, and NMI with them, depend on the detector's seed.
#pragma once
#include "core/base/cancel.h"
#include "core/view/run_record.h"
#include <optional>
#include <span>

namespace mooring {

inline constexpr int kDetectorSeeds = 5; // probe.detectorSeed and the four after it

using Labels = std::vector<int>; // community of each expert

// The partitions of one graph, one a detector seed.
std::optional<std::vector<Labels>> partitionsOverSeeds(std::span<const GraphEdge> edges,
    int experts, const ProbeSettings& probe, const CancelRequested& cancelRequested);

// Mean NMI over all pairs: 1 where the seed does not matter. NaN below two partitions.
double meanPairwiseNmi(std::span<const Labels> partitions);

// Sample standard deviation, over seeds, of the NMI of base and tuned under the same seed.
double nmiSpread(std::span<const Labels> base, std::span<const Labels> tuned);

} // namespace mooring
