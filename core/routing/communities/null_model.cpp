// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/communities/null_model.h"
#include "core/base/mean_and_sd.h"
#include "core/routing/communities/communities.h"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace mooring {
namespace {

constexpr std::uint64_t kNullSeed = 0x636f6d6d;

double uniform(SplitMix64& random) {
    return (static_cast<double>(random.next() >> 11) + 0.5) * 0x1.0p-53;
}

// Exact below 30 (Knuth's products); above it the normal distribution is close enough.
std::int32_t poisson(double mean, SplitMix64& random) {
    if (mean <= 0)
        return 0;
    if (mean < 30) {
        const double limit = std::exp(-mean);
        std::int32_t count = 0;
        for (double product = uniform(random); product > limit; product *= uniform(random))
            ++count;
        return count;
    }
    const double radius = std::sqrt(-2 * std::log(uniform(random)));
    const double normal = radius * std::cos(2 * std::numbers::pi * uniform(random));
    const double drawn = std::round(mean + std::sqrt(mean) * normal);
    return static_cast<std::int32_t>(std::clamp(drawn, 0.0, 2e9));
}

double sum(const std::vector<double>& values) {
    double all = 0;
    for (const double value : values)
        all += value;
    return all;
}

} // namespace

SplitMix64 nullStream(std::uint64_t stream) {
    return streamOf(kNullSeed, stream);
}

std::vector<std::int32_t> drawNullCounts(
    std::span<const std::int32_t> counts_EE, int experts, SplitMix64& random) {
    const auto E = static_cast<std::size_t>(experts);
    std::vector<double> total_E(E, 0);
    for (std::size_t i = 0; i < E; ++i)
        for (std::size_t j = 0; j < E; ++j)
            total_E[i] += counts_EE[i * E + j];
    const double all = sum(total_E);
    double squares = 0;
    for (const double total : total_E)
        squares += total * total;
    const double scale = all * all > squares ? all / (all * all - squares) : 0;
    std::vector<std::int32_t> drawn_EE(counts_EE.size(), 0);
    for (std::size_t i = 0; i < E; ++i)
        for (std::size_t j = i + 1; j < E; ++j)
            drawn_EE[i * E + j] = drawn_EE[j * E + i]
                = poisson(total_E[i] * total_E[j] * scale, random);
    return drawn_EE;
}

std::vector<std::int32_t> drawNullTransitions(
    std::span<const std::int32_t> counts_EE, int experts, bool diagonal, SplitMix64& random) {
    const auto E = static_cast<std::size_t>(experts);
    std::vector<double> out_E(E, 0), in_E(E, 0);
    for (std::size_t i = 0; i < E; ++i)
        for (std::size_t j = 0; j < E; ++j)
            if (diagonal || i != j) {
                out_E[i] += counts_EE[i * E + j];
                in_E[j] += counts_EE[i * E + j];
            }
    const double all = sum(out_E);
    double products = all * all;
    for (std::size_t i = 0; !diagonal && i < E; ++i)
        products -= out_E[i] * in_E[i];
    const double scale = products > 0 ? all / products : 0;
    std::vector<std::int32_t> drawn_EE(counts_EE.size(), 0);
    for (std::size_t i = 0; i < E; ++i)
        for (std::size_t j = 0; j < E; ++j)
            if (diagonal || i != j)
                drawn_EE[i * E + j] = poisson(out_E[i] * in_E[j] * scale, random);
    return drawn_EE;
}

std::optional<NullFigures> nullFigures(std::span<const std::int32_t> counts_EE, int experts,
    std::span<const int> base, const ProbeSettings& probe, int graphs, std::uint64_t stream,
    const CancelRequested& cancelRequested) {
    SplitMix64 random = nullStream(stream);
    std::vector<double> q, nmi;
    for (int g = 0; g < graphs; ++g) {
        if (cancelRequested())
            return std::nullopt;
        const auto drawn_EE = drawNullCounts(counts_EE, experts, random);
        // Neither modularity nor the thinning depends on the unit of the weights: counts as such.
        const auto edges = rhoGraph(drawn_EE, experts, 1, probe.rho);
        const auto found = detectCommunities(edges, experts, probe.resolution, probe.detectorSeed);
        q.push_back(found.modularity);
        nmi.push_back(normalizedMutualInformation(base, found.community_E));
    }
    const auto [qMean, qSd] = meanAndSd(q);
    const auto [nmiMean, nmiSd] = meanAndSd(nmi);
    return NullFigures{qMean, qSd, nmiMean, nmiSd};
}

} // namespace mooring
