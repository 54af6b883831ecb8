// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/data/samples.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace mooring {
namespace {

constexpr std::uint64_t kSplitStream = 0x68656C646F7574ull; // no epoch has this number
constexpr std::uint64_t kTurnStream = 0x7475726E00000000ull; // plus the part's number

// What a part gives to an epoch beyond whole passes.
std::size_t restOf(const MixPart& part) {
    const double whole = std::floor(part.weight);
    const double rest = std::round((part.weight - whole) * static_cast<double>(part.count));
    return std::max<std::size_t>(static_cast<std::size_t>(rest), whole < 1 ? 1 : 0);
}

} // namespace

Split splitHeldOut(std::vector<Sample> samples, double fraction, std::uint64_t seed) {
    Split split;
    const std::size_t n = samples.size();
    if (!(fraction > 0) || n < 2) {
        split.train = std::move(samples);
        return split;
    }
    const double share = std::round(std::min(fraction, 1.0) * static_cast<double>(n));
    const auto heldOut = std::clamp<std::size_t>(static_cast<std::size_t>(share), 1, n - 1);
    const auto order = permutation(n, streamOf(seed, kSplitStream));
    std::vector<bool> isHeldOut(n);
    for (std::size_t i = n - heldOut; i < n; ++i)
        isHeldOut[order[i]] = true;
    for (std::size_t i = 0; i < n; ++i)
        (isHeldOut[i] ? split.heldOut : split.train).push_back(std::move(samples[i]));
    return split;
}

std::vector<MixPart> mixOf(const std::vector<Sample>& samples,
    const std::vector<std::int64_t>& fileRows, const std::vector<DataFile>& files) {
    std::vector<MixPart> parts;
    const auto firstFrom = [&](std::int64_t row) {
        return static_cast<std::size_t>(
            std::partition_point(samples.begin(), samples.end(),
                [row](const Sample& sample) { return sample.row < row; })
            - samples.begin());
    };
    for (std::size_t f = 0; f < files.size(); ++f) {
        const std::size_t begin = firstFrom(fileRows[f]), end = firstFrom(fileRows[f + 1]);
        if (end > begin)
            parts.push_back({begin, end - begin, files[f].weight});
    }
    // Files of one weight are one list: a run without weights knows no files.
    const bool same = std::all_of(
        parts.begin(), parts.end(), [&](const MixPart& part) { return part.weight == 1.0; });
    return same ? std::vector<MixPart>{{0, samples.size(), 1.0}} : parts;
}

SampleOrder::SampleOrder(std::vector<MixPart> parts, std::uint64_t seed, bool shuffle)
    : m_parts(std::move(parts))
    , m_seed(seed)
    , m_shuffle(shuffle) {
    for (std::size_t p = 0; p < m_parts.size(); ++p) {
        const std::size_t rest = m_parts[p].count > 0 ? restOf(m_parts[p]) : 0;
        m_size += static_cast<std::size_t>(std::floor(m_parts[p].weight)) * m_parts[p].count + rest;
        m_turns.push_back(rest == 0
                ? std::vector<std::uint32_t>{}
                : permutation(m_parts[p].count, streamOf(seed, kTurnStream + p)));
    }
}

// The samples of an epoch, file after file, then shuffled.
void SampleOrder::layOut(std::uint64_t epoch) const {
    std::vector<std::uint32_t> list;
    list.reserve(m_size);
    for (std::size_t p = 0; p < m_parts.size(); ++p) {
        const MixPart& part = m_parts[p];
        const auto begin = static_cast<std::uint32_t>(part.begin);
        for (std::int64_t pass = 1; static_cast<double>(pass) <= part.weight; ++pass)
            for (std::uint32_t i = 0; i < part.count; ++i)
                list.push_back(begin + i);
        const std::size_t rest = m_turns[p].empty() ? 0 : restOf(part);
        std::vector<std::uint32_t> drawn;
        for (std::size_t i = 0; i < rest; ++i)
            drawn.push_back(begin + m_turns[p][(epoch % part.count * rest + i) % part.count]);
        std::sort(drawn.begin(), drawn.end());
        list.insert(list.end(), drawn.begin(), drawn.end());
    }
    m_order = std::move(list);
    if (m_shuffle) {
        const auto places = permutation(m_size, streamOf(m_seed, epoch));
        std::vector<std::uint32_t> shuffled;
        shuffled.reserve(m_size);
        for (const std::uint32_t place : places)
            shuffled.push_back(m_order[place]);
        m_order = std::move(shuffled);
    }
    m_epoch = epoch;
}

std::size_t SampleOrder::at(std::uint64_t position) const {
    assert(m_size > 0);
    const std::uint64_t epoch = position / m_size;
    if (epoch != m_epoch)
        layOut(epoch);
    return m_order[static_cast<std::size_t>(position % m_size)];
}

} // namespace mooring
