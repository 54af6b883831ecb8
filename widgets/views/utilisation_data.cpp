// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/utilisation_data.h"
#include "core/view/distances.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace mooring {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Counts {
    std::vector<std::int64_t> counts_LE;
    std::int64_t tokens = 0;
};

Counts countsOf(const RoutingFrame* frame, const std::string& domain, std::size_t size) {
    Counts sum;
    if (!frame)
        return sum;
    for (const DomainFrame& part : frame->domains) {
        if (part.counts_LE.size() != size || (!domain.empty() && part.name != domain))
            continue;
        sum.counts_LE.resize(size, 0);
        for (std::size_t i = 0; i < size; ++i)
            sum.counts_LE[i] += part.counts_LE[i];
        sum.tokens += part.tokens;
    }
    return sum;
}

std::vector<double> sharesOf(
    const std::vector<std::int64_t>& counts_LE, std::size_t layers, int experts) {
    std::vector<double> shares(layers * experts, kNone);
    if (counts_LE.size() != shares.size())
        return shares;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const auto first = counts_LE.begin() + static_cast<std::ptrdiff_t>(layer * experts);
        const auto total = std::accumulate(first, first + experts, std::int64_t{0});
        for (int expert = 0; total > 0 && expert < experts; ++expert)
            shares[layer * experts + expert]
                = static_cast<double>(first[expert]) / static_cast<double>(total);
    }
    return shares;
}

void fillShares(Utilisation& use) {
    const std::size_t layers = use.layers.size();
    use.base_LE = sharesOf(use.baseCounts_LE, layers, use.experts);
    use.tuned_LE = sharesOf(use.tunedCounts_LE, layers, use.experts);
    const auto experts = static_cast<std::size_t>(std::max(use.experts, 0));
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const auto [tvd, jsd]
            = distancesOf(std::span(use.base_LE).subspan(layer * experts, experts),
                std::span(use.tuned_LE).subspan(layer * experts, experts));
        use.tvd_L.push_back(tvd);
        use.jsd_L.push_back(jsd);
    }
}

bool sameShape(const RoutingFrame& a, const RoutingFrame& b) {
    return a.layers == b.layers && a.experts == b.experts;
}

// Ties keep the lower index first.
void sortByUse(std::span<int> experts, const Utilisation& use, int layer) {
    const std::vector<double>& shares = use.baseCounts_LE.empty() ? use.tuned_LE : use.base_LE;
    const auto share = [&](int expert) {
        const double value = shares[use.at(layer, expert)];
        return std::isnan(value) ? -1.0 : value;
    };
    std::stable_sort(
        experts.begin(), experts.end(), [&](int a, int b) { return share(a) > share(b); });
}

} // namespace

Utilisation probeUtilisation(
    const RoutingFrame* base, const RoutingFrame* tuned, const std::string& domain) {
    Utilisation use;
    if (base && tuned && !sameShape(*base, *tuned))
        tuned = nullptr;
    const RoutingFrame* shape = base ? base : tuned;
    if (!shape || shape->experts <= 0)
        return use;
    use.layers = shape->layers;
    use.experts = shape->experts;
    use.topK = shape->topK;
    use.step = tuned ? tuned->step : 0;
    const std::size_t size = use.layers.size() * static_cast<std::size_t>(use.experts);
    Counts baseCounts = countsOf(base, domain, size);
    Counts tunedCounts = countsOf(tuned, domain, size);
    use.tokens = tuned ? tunedCounts.tokens : baseCounts.tokens;
    use.baseCounts_LE = std::move(baseCounts.counts_LE);
    use.tunedCounts_LE = std::move(tunedCounts.counts_LE);
    fillShares(use);
    return use;
}

Utilisation trainingUtilisation(const TrainingFrame& frame) {
    Utilisation use;
    const std::size_t size
        = frame.layers.size() * static_cast<std::size_t>(std::max(0, frame.experts));
    if (size == 0)
        return use;
    use.layers = frame.layers;
    use.experts = frame.experts;
    use.step = frame.step;
    if (frame.baseCounts_LE.size() == size)
        use.baseCounts_LE = frame.baseCounts_LE;
    if (frame.counts_LE.size() == size)
        use.tunedCounts_LE = frame.counts_LE;
    fillShares(use);
    return use;
}

std::vector<int> expertOrder(
    const Utilisation& use, const CommunitySet* communities, ExpertOrder order) {
    std::vector<int> experts;
    for (int layer = 0; layer < use.layerCount(); ++layer) {
        std::vector<int> row(use.experts);
        std::iota(row.begin(), row.end(), 0);
        if (order != ExpertOrder::Index)
            sortByUse(row, use, layer);
        if (order == ExpertOrder::BaseCommunity && communities
            && layer < static_cast<int>(communities->layers.size())) {
            const std::vector<int>& label = communities->layers[layer].base.community_E;
            if (label.size() == row.size())
                std::stable_sort(
                    row.begin(), row.end(), [&](int a, int b) { return label[a] < label[b]; });
        }
        experts.insert(experts.end(), row.begin(), row.end());
    }
    return experts;
}

} // namespace mooring
