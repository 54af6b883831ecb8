// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/retention.h"
#include "core/routing/communities/communities.h"
#include "core/view/distances.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace mooring {

namespace {

constexpr double kNoData = std::numeric_limits<double>::quiet_NaN();

// The set of experts of one token as words of 64 bits.
class ExpertMask {
public:
    explicit ExpertMask(int experts)
        : m_words((static_cast<std::size_t>(experts) + 63) / 64) { }
    void assign(const std::int16_t* ids, int topK) {
        std::fill(m_words.begin(), m_words.end(), 0);
        for (int k = 0; k < topK; ++k)
            m_words[static_cast<std::size_t>(ids[k]) / 64] |= std::uint64_t{1} << (ids[k] % 64);
    }
    int common(const ExpertMask& other) const {
        int bits = 0;
        for (std::size_t w = 0; w < m_words.size(); ++w)
            bits += std::popcount(m_words[w] & other.m_words[w]);
        return bits;
    }
    // The experts in ascending order, into `experts`.
    void list(std::vector<int>& experts) const {
        experts.clear();
        for (std::size_t w = 0; w < m_words.size(); ++w)
            for (std::uint64_t word = m_words[w]; word != 0; word &= word - 1)
                experts.push_back(static_cast<int>(w * 64) + std::countr_zero(word));
    }

private:
    std::vector<std::uint64_t> m_words;
};

RetentionValues layerValues(const DomainFrame& base, const DomainFrame& tuned,
    const Partition& basePartition, const Partition& tunedPartition, int layer, int experts) {
    RetentionValues values;
    const auto begin = static_cast<std::size_t>(layer) * experts;
    const std::span baseCounts(base.counts_LE.data() + begin, experts);
    const std::span tunedCounts(tuned.counts_LE.data() + begin, experts);
    values.tvd = totalVariation(baseCounts, tunedCounts);
    values.jsd = jensenShannon(baseCounts, tunedCounts);
    values.q = tuned.tokens > 0 ? tunedPartition.modularity : kNoData;
    values.qBase = base.tokens > 0 ? basePartition.modularity : kNoData;
    values.nmi = base.tokens > 0 && tuned.tokens > 0
        ? normalizedMutualInformation(basePartition.community_E, tunedPartition.community_E)
        : kNoData;
    values.kl = kNoData;
    values.drift = kNoData;
    return values;
}

RetentionRow domainRow(const PartitionedFrame& base, std::size_t baseIndex,
    const PartitionedFrame& tuned, std::size_t tunedIndex) {
    const RoutingFrame& frame = *tuned.frame;
    const DomainFrame& before = base.domain(baseIndex);
    const DomainFrame& after = tuned.domain(tunedIndex);
    RetentionRow row;
    row.step = frame.step;
    row.domain = after.name;
    row.layers = frame.layers;
    const auto overlap_L = topkOverlap(before, after, frame.layerCount(), frame.topK);
    for (int layer = 0; layer < frame.layerCount(); ++layer) {
        row.values.push_back(
            layerValues(before, after, base.partitions[baseIndex].partition_L[layer],
                tuned.partitions[tunedIndex].partition_L[layer], layer, frame.experts));
        row.values.back().overlap = overlap_L[layer];
    }
    row.mean = meanOverLayers(row.values);
    return row;
}

} // namespace

std::vector<double> utilisation(std::span<const std::int64_t> counts) {
    double total = 0;
    for (const auto count : counts)
        total += static_cast<double>(count);
    std::vector<double> shares;
    shares.reserve(counts.size());
    for (const auto count : counts)
        shares.push_back(total > 0 ? static_cast<double>(count) / total : kNoData);
    return shares;
}

double totalVariation(std::span<const std::int64_t> base, std::span<const std::int64_t> tuned) {
    return distancesOf(utilisation(base), utilisation(tuned)).tvd;
}

double jensenShannon(std::span<const std::int64_t> base, std::span<const std::int64_t> tuned) {
    return distancesOf(utilisation(base), utilisation(tuned)).jsd;
}

std::vector<double> topkOverlap(
    const DomainFrame& base, const DomainFrame& tuned, int layers, int topK) {
    std::vector<double> overlap_L(layers, kNoData);
    const auto& before = base.topkIds_TLK;
    const auto& after = tuned.topkIds_TLK;
    const auto slots = static_cast<std::size_t>(base.tokens) * layers * topK;
    if (base.tokens != tuned.tokens || slots == 0 || before.size() != slots
        || after.size() != slots)
        return overlap_L;
    const int experts = 1
        + std::max(*std::max_element(before.begin(), before.end()),
            *std::max_element(after.begin(), after.end()));
    ExpertMask beforeMask(experts), afterMask(experts);
    std::vector<std::int64_t> common_L(layers, 0);
    for (std::int64_t t = 0; t < base.tokens; ++t)
        for (int layer = 0; layer < layers; ++layer) {
            const auto at = (t * layers + layer) * topK;
            beforeMask.assign(before.data() + at, topK);
            afterMask.assign(after.data() + at, topK);
            common_L[layer] += beforeMask.common(afterMask);
        }
    for (int layer = 0; layer < layers; ++layer)
        overlap_L[layer] = static_cast<double>(common_L[layer])
            / (static_cast<double>(base.tokens) * static_cast<double>(topK));
    return overlap_L;
}

void countRouting(DomainFrame& domain, int layers, int experts, int topK) {
    const auto square = static_cast<std::size_t>(experts) * experts;
    domain.counts_LE.assign(static_cast<std::size_t>(layers) * experts, 0);
    domain.coactivation_LEE.assign(layers * square, 0);
    ExpertMask mask(experts);
    std::vector<int> chosen;
    for (int layer = 0; layer < layers; ++layer) {
        std::int64_t* counts = domain.counts_LE.data() + static_cast<std::size_t>(layer) * experts;
        std::int32_t* both = domain.coactivation_LEE.data() + layer * square;
        for (std::int64_t t = 0; t < domain.tokens; ++t) {
            mask.assign(domain.topkIds_TLK.data() + (t * layers + layer) * topK, topK);
            mask.list(chosen);
            for (std::size_t a = 0; a < chosen.size(); ++a) {
                ++counts[chosen[a]];
                for (std::size_t b = a + 1; b < chosen.size(); ++b)
                    ++both[static_cast<std::size_t>(chosen[a]) * experts + chosen[b]];
            }
        }
        for (int i = 0; i < experts; ++i)
            for (int j = i + 1; j < experts; ++j)
                both[static_cast<std::size_t>(j) * experts + i]
                    = both[static_cast<std::size_t>(i) * experts + j];
    }
}

RetentionValues meanOverLayers(std::span<const RetentionValues> values) {
    RetentionValues mean;
    for (const auto field : {&RetentionValues::tvd, &RetentionValues::jsd,
             &RetentionValues::overlap, &RetentionValues::nmi, &RetentionValues::q,
             &RetentionValues::qBase, &RetentionValues::kl, &RetentionValues::drift}) {
        double sum = 0;
        int layers = 0;
        for (const RetentionValues& layer : values)
            if (!std::isnan(layer.*field)) {
                sum += layer.*field;
                ++layers;
            }
        mean.*field = layers > 0 ? sum / layers : kNoData;
    }
    return mean;
}

std::vector<RetentionRow> retention(const PartitionedFrame& base, const PartitionedFrame& tuned) {
    std::vector<RetentionRow> rows;
    if (base.domainCount() == 0 || tuned.domainCount() == 0)
        return rows;
    for (std::size_t i = 0; i + 1 < tuned.domainCount(); ++i)
        if (const auto at = base.find(tuned.domain(i).name))
            rows.push_back(domainRow(base, *at, tuned, i));
    rows.push_back(domainRow(base, base.domainCount() - 1, tuned, tuned.domainCount() - 1));
    return rows;
}

std::vector<RetentionRow> retention(
    const RoutingFrame& base, const RoutingFrame& tuned, const ProbeSettings& probe) {
    return retention(partitionDomains(base, probe), partitionDomains(tuned, probe));
}

} // namespace mooring
