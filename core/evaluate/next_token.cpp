// SPDX-License-Identifier: GPL-3.0-or-later Draws one token, in double precision and with our own
// generator, so that every compiler gives the same.
#include "core/evaluate/generate.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace mooring {

namespace {

// In [0, 1), 53 random bits.
double uniform(SplitMix64& random) {
    return static_cast<double>(random.next() >> 11) * 0x1.0p-53;
}

// The ids of the nucleus, most likely first (ties: the lower id), with unnormalized weights.
struct Nucleus {
    std::vector<std::int32_t> ids;
    std::vector<double> weights;
    double total = 0; // of the ids kept
};

Nucleus nucleusOf(std::span<const float> logits, double temperature, double topP) {
    Nucleus n;
    n.ids.resize(logits.size());
    std::iota(n.ids.begin(), n.ids.end(), 0);
    const auto likelier = [&](std::int32_t a, std::int32_t b) {
        return logits[a] > logits[b] || (logits[a] == logits[b] && a < b);
    };
    std::sort(n.ids.begin(), n.ids.end(), likelier);
    const double highest = logits[n.ids.front()];
    double all = 0;
    for (const auto id : n.ids) {
        n.weights.push_back(std::exp((logits[id] - highest) / temperature));
        all += n.weights.back();
    }
    std::size_t kept = 0;
    while (kept < n.ids.size() && (kept == 0 || n.total < topP * all))
        n.total += n.weights[kept++];
    n.ids.resize(kept);
    n.weights.resize(kept);
    return n;
}

} // namespace

std::int32_t nextToken(
    std::span<const float> logits, const GenerateOptions& options, SplitMix64& random) {
    if (options.temperature <= 0)
        return static_cast<std::int32_t>(
            std::max_element(logits.begin(), logits.end()) - logits.begin());
    const auto nucleus = nucleusOf(logits, options.temperature, options.topP);
    double left = uniform(random) * nucleus.total;
    for (std::size_t i = 0; i + 1 < nucleus.ids.size(); ++i) {
        left -= nucleus.weights[i];
        if (left < 0)
            return nucleus.ids[i];
    }
    return nucleus.ids.back();
}

} // namespace mooring
