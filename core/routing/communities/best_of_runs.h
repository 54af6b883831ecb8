// SPDX-License-Identifier: GPL-3.0-or-later
// The best of several seeded runs of a community detector by its quality, whatever the detector.
#pragma once
#include "core/view/routing_frame.h"
#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>

namespace mooring {

// Every node a community of its own.
inline Partition singletons(int nodes) {
    Partition each;
    each.communities = std::max(nodes, 0);
    each.community_E.resize(static_cast<std::size_t>(each.communities));
    std::iota(each.community_E.begin(), each.community_E.end(), 0);
    return each;
}

// Labels renamed to 0, 1, .. in the order of their smallest members.
inline std::vector<int> bySmallestMember(std::span<const int> labels) {
    std::map<int, int> names;
    std::vector<int> renamed;
    renamed.reserve(labels.size());
    for (const int label : labels)
        renamed.push_back(names.emplace(label, static_cast<int>(names.size())).first->second);
    return renamed;
}

// `run(seed)` gives the memberships of all levels of one run, finest first; `quality(labels)` is
// what they are chosen by. Single runs of Louvain differ by up to 0.03 in modularity on weak
// structure and not at all on clear one: runs continue until several in a row bring no relevant
// gain. Where nodes are few, one of them in the wrong place weighs more and a run costs less: the
// fewer nodes, the more runs.
template <typename Run, typename Quality>
Partition bestOfRuns(int nodes, int seed, Run&& run, Quality&& quality) {
    const int idleRuns = std::clamp(256 / std::max(nodes, 1), 2, 16);
    const int mostRuns = 4 * idleRuns;
    constexpr int kMostRuns = 64; // seeds of neighboring detectors do not overlap
    constexpr double kRelevantGain = 1e-3;
    Partition best = singletons(nodes);
    best.modularity = quality(best.community_E);
    int idle = 0;
    for (int i = 0; i < mostRuns && idle < idleRuns; ++i) {
        const std::uint64_t runSeed = std::uint64_t{static_cast<unsigned>(seed)} * kMostRuns + i;
        const double before = best.modularity;
        for (std::vector<int>& level : run(runSeed)) {
            const double q = quality(level);
            // Equal up to rounding: the earlier one stays, whatever the order of summation.
            if (q <= best.modularity + 1e-12)
                continue;
            best.modularity = q;
            best.community_E = std::move(level);
        }
        idle = best.modularity > before + kRelevantGain ? 0 : idle + 1;
    }
    best.community_E = bySmallestMember(best.community_E);
    best.communities = 1 + *std::max_element(best.community_E.begin(), best.community_E.end());
    return best;
}

} // namespace mooring
