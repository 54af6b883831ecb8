// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/communities/seed_spread.h"
#include "core/base/mean_and_sd.h"
#include "core/routing/communities/communities.h"

namespace mooring {

std::optional<std::vector<Labels>> partitionsOverSeeds(std::span<const GraphEdge> edges,
    int experts, const ProbeSettings& probe, const CancelRequested& cancelRequested) {
    std::vector<Labels> partitions;
    for (int s = 0; s < kDetectorSeeds; ++s) {
        if (cancelRequested())
            return std::nullopt;
        partitions.push_back(
            detectCommunities(edges, experts, probe.resolution, probe.detectorSeed + s)
                .community_E);
    }
    return partitions;
}

double meanPairwiseNmi(std::span<const Labels> partitions) {
    std::vector<double> nmi;
    for (std::size_t a = 0; a < partitions.size(); ++a)
        for (std::size_t b = a + 1; b < partitions.size(); ++b)
            nmi.push_back(normalizedMutualInformation(partitions[a], partitions[b]));
    return meanAndSd(nmi).mean;
}

double nmiSpread(std::span<const Labels> base, std::span<const Labels> tuned) {
    std::vector<double> nmi;
    for (std::size_t s = 0; s < std::min(base.size(), tuned.size()); ++s)
        nmi.push_back(normalizedMutualInformation(base[s], tuned[s]));
    return meanAndSd(nmi).sd;
}

} // namespace mooring
