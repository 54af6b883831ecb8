// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/scope.h"
#include <cmath>
#include <numeric>

namespace mooring {

namespace {

std::vector<double> softmaxShare(const DomainFrame& d, int layer, int experts) {
    const auto begin = d.probMean_LE.begin() + static_cast<std::ptrdiff_t>(layer) * experts;
    return {begin, begin + experts};
}

std::vector<double> topkShare(const DomainFrame& d, int layer, int experts) {
    const auto begin = d.counts_LE.begin() + static_cast<std::ptrdiff_t>(layer) * experts;
    const double total
        = static_cast<double>(std::accumulate(begin, begin + experts, std::int64_t{0}));
    std::vector<double> share;
    for (auto it = begin; it != begin + experts; ++it)
        share.push_back(total > 0 ? static_cast<double>(*it) / total : 0);
    return share;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += std::abs(a[i] - b[i]);
    return sum;
}

double effective(const std::vector<double>& p) {
    double entropy = 0;
    for (const double value : p)
        if (value > 0)
            entropy -= value * std::log(value);
    return std::exp(entropy) / static_cast<double>(p.size());
}

} // namespace

ScopeFigures scopeFigures(const RoutingFrame& frame) {
    ScopeFigures scope;
    const int L = frame.layerCount(), E = frame.experts;
    const std::vector<double> uniform(static_cast<std::size_t>(E), 1.0 / E);
    for (const auto& d : frame.domains) {
        DomainScope s;
        s.name = d.name;
        for (int l = 0; l < L; ++l) {
            s.sharpnessSoftmax += distance(softmaxShare(d, l, E), uniform) / L;
            s.sharpnessTopk += distance(topkShare(d, l, E), uniform) / L;
            s.effectiveFraction += effective(softmaxShare(d, l, E)) / L;
        }
        scope.sharpness += s.sharpnessSoftmax / static_cast<double>(frame.domains.size());
        scope.domains.push_back(s);
    }
    for (std::size_t i = 0; i < frame.domains.size(); ++i)
        for (std::size_t j = i + 1; j < frame.domains.size(); ++j) {
            const auto &a = frame.domains[i], &b = frame.domains[j];
            DomainPair p{a.name, b.name, 0, 0};
            for (int l = 0; l < L; ++l) {
                p.softmax += distance(softmaxShare(a, l, E), softmaxShare(b, l, E)) / L;
                p.topk += distance(topkShare(a, l, E), topkShare(b, l, E)) / L;
            }
            scope.divergence += p.softmax;
            scope.pairs.push_back(p);
        }
    if (!scope.pairs.empty())
        scope.divergence /= static_cast<double>(scope.pairs.size());
    // The paper's two cases: 0.54 and 0.37 (Moonlight, informative), 0.14 and 0.07 (V2-Lite, not
    // informative).
    const bool sharp = scope.sharpness >= 0.25 && (scope.pairs.empty() || scope.divergence >= 0.2);
    const bool flat = scope.sharpness < 0.18 || (!scope.pairs.empty() && scope.divergence < 0.1);
    scope.verdict = sharp ? "The router separates domains well: community NMI is informative here."
        : flat ? "The router is nearly uniform: community NMI means little here, lead with overlap "
                 "and TVD."
               : "The router separates domains somewhat: read community NMI beside its split-half "
                 "ceiling.";
    return scope;
}

} // namespace mooring
