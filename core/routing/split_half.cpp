// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/split_half.h"
#include "core/routing/communities/communities.h"
#include "core/routing/retention.h"
#include <limits>

namespace mooring {
namespace {

DomainFrame halfDomain(const DomainFrame& domain, const RoutingFrame& frame, int parity) {
    DomainFrame half;
    half.name = domain.name;
    const auto row = static_cast<std::size_t>(frame.layerCount()) * frame.topK;
    const bool spans = domain.span_T.size() == static_cast<std::size_t>(domain.tokens);
    const auto take = [&](std::int64_t begin, std::int64_t end) {
        const auto ids = domain.topkIds_TLK.begin();
        half.topkIds_TLK.insert(half.topkIds_TLK.end(),
            ids + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(begin) * row),
            ids + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(end) * row));
        if (spans)
            half.span_T.insert(
                half.span_T.end(), domain.span_T.begin() + begin, domain.span_T.begin() + end);
        half.tokens += end - begin;
    };
    const auto& texts = domain.textOffsets;
    if (texts.size() > 2) {
        half.textOffsets.push_back(0);
        for (std::size_t t = static_cast<std::size_t>(parity); t + 1 < texts.size(); t += 2) {
            take(texts[t], texts[t + 1]);
            half.textOffsets.push_back(half.tokens);
        }
    } else {
        for (std::int64_t t = parity; t < domain.tokens; t += 2)
            take(t, t + 1);
    }
    countRouting(half, frame.layerCount(), frame.experts, frame.topK);
    return half;
}

} // namespace

RoutingFrame halfFrame(const RoutingFrame& frame, int parity) {
    RoutingFrame half;
    half.step = frame.step;
    half.layers = frame.layers;
    half.experts = frame.experts;
    half.topK = frame.topK;
    for (const DomainFrame& domain : frame.domains)
        half.domains.push_back(halfDomain(domain, frame, parity));
    return half;
}

std::optional<std::vector<double>> splitHalfNmi(const DomainFrame& even, const DomainFrame& odd,
    int layers, int experts, const ProbeSettings& probe, const CancelRequested& cancelRequested) {
    std::vector<double> nmi_L;
    const auto square = static_cast<std::size_t>(experts) * experts;
    for (int l = 0; l < layers; ++l) {
        std::vector<int> found[2];
        for (const DomainFrame* half : {&even, &odd}) {
            if (cancelRequested())
                return std::nullopt;
            if (half->tokens == 0)
                continue;
            const std::span counts_EE(half->coactivation_LEE.data() + l * square, square);
            found[half == &odd]
                = detectCommunities(rhoGraph(counts_EE, experts, half->tokens, probe.rho), experts,
                    probe.resolution, probe.detectorSeed)
                      .community_E;
        }
        nmi_L.push_back(found[0].empty() || found[1].empty()
                ? std::numeric_limits<double>::quiet_NaN()
                : normalizedMutualInformation(found[0], found[1]));
    }
    return nmi_L;
}

} // namespace mooring
