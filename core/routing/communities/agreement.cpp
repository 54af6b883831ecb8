// SPDX-License-Identifier: GPL-3.0-or-later
// How far two partitions agree: the metric half of communities.h, without igraph.
#include "core/routing/communities/communities.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace mooring {

namespace {

double entropy(const std::map<int, double>& shares) {
    double sum = 0;
    for (const auto& [label, share] : shares)
        sum -= share * std::log(share);
    return sum;
}

} // namespace

double normalizedMutualInformation(std::span<const int> a, std::span<const int> b) {
    if (a.size() != b.size())
        return std::nan("");
    const double each = 1.0 / static_cast<double>(a.size());
    std::map<int, double> shareA, shareB;
    std::map<std::pair<int, int>, double> shareBoth;
    for (std::size_t e = 0; e < a.size(); ++e) {
        shareA[a[e]] += each;
        shareB[b[e]] += each;
        shareBoth[{a[e], b[e]}] += each;
    }
    // Both are a single community, so they agree.
    if (shareA.size() <= 1 && shareB.size() <= 1)
        return 1;
    double information = 0;
    for (const auto& [labels, share] : shareBoth)
        information += share * std::log(share / (shareA[labels.first] * shareB[labels.second]));
    return std::clamp(2 * information / (entropy(shareA) + entropy(shareB)), 0.0, 1.0);
}

std::vector<int> matchLabels(std::span<const int> base, std::span<const int> tuned) {
    std::map<std::pair<int, int>, int> overlap; // (base, tuned) label: experts in both
    for (std::size_t e = 0; e < std::min(base.size(), tuned.size()); ++e)
        ++overlap[{base[e], tuned[e]}];
    std::vector<std::pair<std::pair<int, int>, int>> ordered(overlap.begin(), overlap.end());
    std::stable_sort(ordered.begin(), ordered.end(),
        [](const auto& a, const auto& b) { return a.second > b.second; });
    std::map<int, int> names; // tuned label: new label
    std::map<int, bool> taken; // base labels that are matched
    for (const auto& [labels, experts] : ordered)
        if (!names.contains(labels.second) && !taken[labels.first]) {
            names[labels.second] = labels.first;
            taken[labels.first] = true;
        }
    int next = base.empty() ? 0 : 1 + *std::max_element(base.begin(), base.end());
    std::vector<int> matched;
    matched.reserve(tuned.size());
    for (const int label : tuned) {
        if (!names.contains(label))
            names[label] = next++;
        matched.push_back(names[label]);
    }
    return matched;
}

} // namespace mooring
