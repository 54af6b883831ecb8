// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/community_validity.h"
#include "core/base/random.h"
#include "core/routing/communities.h"
#include "core/routing/retention.h"
#include <cmath>
#include <limits>
#include <numbers>

namespace mooring {
namespace {

constexpr int kSeeds = 5;
constexpr std::uint64_t kChanceStream = 0x636f6d6d; // of the generator, for this purpose only

double uniform(SplitMix64& random) {
    return (static_cast<double>(random.next() >> 11) + 0.5) * 0x1.0p-53;
}

// Exact below 30, where the normal distribution is not yet close.
std::int32_t poisson(double mean, SplitMix64& random) {
    if (mean <= 0)
        return 0;
    if (mean < 30) {
        std::int32_t count = 0;
        for (double product = uniform(random); product > std::exp(-mean);
             product *= uniform(random))
            ++count;
        return count;
    }
    const double radius = std::sqrt(-2 * std::log(uniform(random)));
    const double normal = radius * std::cos(2 * std::numbers::pi * uniform(random));
    const double drawn = std::round(mean + std::sqrt(mean) * normal);
    return static_cast<std::int32_t>(std::clamp(drawn, 0.0, 2e9));
}

// The tokens of one half of a domain, with their counts.
DomainFrame halfOf(const DomainFrame& domain, const RoutingFrame& frame, std::int64_t parity) {
    DomainFrame half;
    const auto row = static_cast<std::size_t>(frame.layerCount()) * frame.topK;
    const auto take = [&](std::int64_t begin, std::int64_t end) {
        const auto first = domain.topkIds_TLK.begin();
        half.topkIds_TLK.insert(half.topkIds_TLK.end(),
            first + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(begin) * row),
            first + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(end) * row));
        half.tokens += end - begin;
    };
    const auto& texts = domain.textOffsets;
    if (texts.size() > 2) {
        for (std::size_t t = static_cast<std::size_t>(parity); t + 1 < texts.size(); t += 2)
            take(texts[t], texts[t + 1]);
    } else {
        for (std::int64_t t = parity; t < domain.tokens; t += 2)
            take(t, t + 1);
    }
    countRouting(half, frame.layerCount(), frame.experts, frame.topK);
    return half;
}

DomainFrame pooledHalf(const RoutingFrame& frame, std::int64_t parity) {
    RoutingFrame light;
    light.layers = frame.layers;
    light.experts = frame.experts;
    light.topK = frame.topK;
    for (const DomainFrame& domain : frame.domains) {
        light.domains.push_back(halfOf(domain, frame, parity));
        light.domains.back().topkIds_TLK.clear(); // counted; the rest is not needed
    }
    return poolDomains(light);
}

std::span<const std::int32_t> layerOf(const DomainFrame& pooled, int layer, int experts) {
    const auto square = static_cast<std::size_t>(experts) * experts;
    return {pooled.coactivation_LEE.data() + static_cast<std::size_t>(layer) * square, square};
}

// A symmetric matrix of drawn counts with the expectations of the one given.
std::vector<std::int32_t> drawChance(
    std::span<const std::int32_t> counts_EE, int experts, SplitMix64& random) {
    std::vector<double> total_E(static_cast<std::size_t>(experts), 0);
    for (int i = 0; i < experts; ++i)
        for (int j = 0; j < experts; ++j)
            total_E[i] += counts_EE[static_cast<std::size_t>(i) * experts + j];
    double all = 0, squares = 0;
    for (const double total : total_E) {
        all += total;
        squares += total * total;
    }
    // Without the diagonal the products sum to less than all pairs: scaled back.
    const double scale = all * all > squares ? all / (all * all - squares) : 0;
    std::vector<std::int32_t> drawn_EE(counts_EE.size(), 0);
    for (int i = 0; i < experts; ++i)
        for (int j = i + 1; j < experts; ++j)
            drawn_EE[static_cast<std::size_t>(i) * experts + j]
                = drawn_EE[static_cast<std::size_t>(j) * experts + i]
                = poisson(total_E[i] * total_E[j] * scale, random);
    return drawn_EE;
}

} // namespace

std::optional<std::vector<double>> splitHalfNmi(
    const RoutingFrame& base, const CommunityWish& wish, const GiveUp& giveUp) {
    const DomainFrame halves[] = {pooledHalf(base, 0), pooledHalf(base, 1)};
    std::vector<double> nmi_L;
    for (int l = 0; l < base.layerCount(); ++l) {
        std::vector<int> found[2];
        for (int h = 0; h < 2; ++h) {
            if (giveUp())
                return std::nullopt;
            if (halves[h].tokens == 0)
                break;
            const auto edges = rhoGraph(
                layerOf(halves[h], l, base.experts), base.experts, halves[h].tokens, wish.rho);
            found[h] = detectCommunities(edges, base.experts, wish.resolution, wish.detectorSeed)
                           .community_E;
        }
        nmi_L.push_back(found[0].empty() || found[1].empty()
                ? std::numeric_limits<double>::quiet_NaN()
                : normalizedMutualInformation(found[0], found[1]));
    }
    return nmi_L;
}

std::optional<std::vector<double>> chanceModularity(
    const RoutingFrame& base, const CommunityWish& wish, int graphs, const GiveUp& giveUp) {
    const DomainFrame pooled = poolDomains(base);
    std::vector<double> q_L;
    for (int l = 0; l < base.layerCount(); ++l) {
        SplitMix64 random = streamOf(kChanceStream, static_cast<std::uint64_t>(l));
        double sum = 0;
        for (int g = 0; g < graphs; ++g) {
            if (giveUp())
                return std::nullopt;
            const auto drawn_EE
                = drawChance(layerOf(pooled, l, base.experts), base.experts, random);
            const auto edges = rhoGraph(drawn_EE, base.experts, pooled.tokens, wish.rho);
            sum += detectCommunities(edges, base.experts, wish.resolution, wish.detectorSeed)
                       .modularity;
        }
        q_L.push_back(sum / graphs);
    }
    return q_L;
}

std::optional<double> nmiSpread(
    const LayerCommunities& layer, const CommunityWish& wish, const GiveUp& giveUp) {
    const int experts = static_cast<int>(layer.base.community_E.size());
    double sum = 0, squares = 0;
    for (int s = 0; s < kSeeds; ++s) {
        if (giveUp())
            return std::nullopt;
        const int seed = wish.detectorSeed + s;
        const double nmi = normalizedMutualInformation(
            detectCommunities(layer.baseEdges, experts, wish.resolution, seed).community_E,
            detectCommunities(layer.tunedEdges, experts, wish.resolution, seed).community_E);
        sum += nmi;
        squares += nmi * nmi;
    }
    return std::sqrt(std::max(0.0, (squares - sum * sum / kSeeds) / (kSeeds - 1)));
}

int chanceGraphs(const RoutingFrame& base) {
    const double pairs = static_cast<double>(base.layerCount()) * base.experts * base.experts;
    return static_cast<int>(std::clamp(2e6 / std::max(pairs, 1.0), 3.0, 100.0));
}

CommunitiesPtr ValidityJob::complete(
    const CommunitySet& set, const FramePtr& base, const GiveUp& giveUp) {
    const CommunityWish wish{set.rho, set.resolution, set.detectorSeed};
    if (m_base != base || m_wish != wish) {
        auto ceiling = splitHalfNmi(*base, wish, giveUp);
        auto chance
            = ceiling ? chanceModularity(*base, wish, chanceGraphs(*base), giveUp) : std::nullopt;
        if (!chance)
            return nullptr;
        m_base = base;
        m_wish = wish;
        m_ceiling = std::move(*ceiling);
        m_chance = std::move(*chance);
    }
    auto complete = std::make_shared<CommunitySet>(set);
    for (std::size_t l = 0; l < complete->layers.size(); ++l) {
        LayerCommunities& layer = complete->layers[l];
        if (!std::isnan(m_ceiling[l]))
            layer.ceiling = m_ceiling[l];
        layer.nullModularity = m_chance[l];
        if (layer.tuned.community_E.empty())
            continue;
        layer.nmiSpread = nmiSpread(layer, wish, giveUp);
        if (!layer.nmiSpread)
            return nullptr;
    }
    return complete;
}

} // namespace mooring
