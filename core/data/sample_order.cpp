// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/data/samples.h"
#include <algorithm>
#include <cassert>
#include <cmath>

namespace mooring {
namespace {

constexpr std::uint64_t kSplitStream = 0x68656C646F7574ull; // no epoch has this number

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

SampleOrder::SampleOrder(std::size_t samples, std::uint64_t seed, bool shuffle)
    : m_samples(samples)
    , m_seed(seed)
    , m_shuffle(shuffle) { }

std::size_t SampleOrder::at(std::uint64_t position) const {
    assert(m_samples > 0);
    const std::uint64_t epoch = position / m_samples;
    const auto place = static_cast<std::size_t>(position % m_samples);
    if (!m_shuffle)
        return place;
    if (epoch != m_epoch) {
        m_permutation = permutation(m_samples, streamOf(m_seed, epoch));
        m_epoch = epoch;
    }
    return m_permutation[place];
}

} // namespace mooring
