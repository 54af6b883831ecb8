// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/scope.h"
#include <cmath>
#include <cstdio>
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

// Top-k frequency over the tokens of one span (0 Q, 1 A); all zero without any.
std::vector<double> spanShare(
    const DomainFrame& d, int layer, const RoutingFrame& frame, std::uint8_t span) {
    std::vector<double> share(static_cast<std::size_t>(frame.experts), 0);
    if (d.span_T.size() != static_cast<std::size_t>(d.tokens))
        return share;
    for (std::int64_t t = 0; t < d.tokens; ++t)
        for (int k = 0; d.span_T[t] == span && k < frame.topK; ++k)
            ++share[d.topkIds_TLK[(t * frame.layerCount() + layer) * frame.topK + k]];
    return share;
}

// NaN if one of them is all zero.
double cosine(const std::vector<double>& a, const std::vector<double>& b) {
    const double product = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    return product
        / std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0)
            * std::inner_product(b.begin(), b.end(), b.begin(), 0.0));
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    return text;
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
            DomainPair p{a.name, b.name, 0, 0, 0, 0};
            for (int l = 0; l < L; ++l) {
                p.softmax += distance(softmaxShare(a, l, E), softmaxShare(b, l, E)) / L;
                p.topk += distance(topkShare(a, l, E), topkShare(b, l, E)) / L;
                p.cosineQ += cosine(spanShare(a, l, frame, 0), spanShare(b, l, frame, 0)) / L;
                p.cosineA += cosine(spanShare(a, l, frame, 1), spanShare(b, l, frame, 1)) / L;
            }
            scope.divergence += p.softmax;
            scope.pairs.push_back(p);
        }
    if (!scope.pairs.empty())
        scope.divergence /= static_cast<double>(scope.pairs.size());
    return scope;
}

bool nmiInformative(const ValidityValues& pooled) {
    constexpr double kSds = 3;
    return pooled.margin > kSds * pooled.nullSd
        && pooled.ceiling - pooled.nullNmi > kSds * pooled.nullNmiSd; // NaN: no
}

std::string scopeVerdict(const ScopeFigures& scope, const ValidityValues& pooled) {
    // The paper's two models: 0.54 and 0.37 (Moonlight, NMI informative), 0.14 and 0.07
    // (DeepSeek-V2-Lite, not). The midpoint between them says which is closer.
    const bool sharp = scope.sharpness > (0.54 + 0.14) / 2;
    const bool apart = scope.pairs.empty() || scope.divergence > (0.37 + 0.07) / 2;
    std::string text = nmiInformative(pooled)
        ? "Community NMI is informative here: "
        : "Community NMI is not informative for this router; rely on overlap and TVD: ";
    text += "the split-half ceiling is " + number(pooled.ceiling) + ", null NMI "
        + number(pooled.nullNmi) + "; Q " + number(pooled.q) + ", null Q " + number(pooled.nullQ)
        + ". ";
    text += sharp && apart
        ? "Its sharpness and domain divergence are closer to Moonlight's (NMI informative in the "
          "paper) than to DeepSeek-V2-Lite's (not informative)."
        : !sharp && !apart ? "Its sharpness and domain divergence are closer to DeepSeek-V2-Lite's "
                             "(NMI not informative in the paper) than to Moonlight's (informative)."
        : sharp ? "It is as sharp as Moonlight in the paper, but its domains hardly differ."
                : "Its domains differ as Moonlight's do in the paper, but it is not sharp.";
    return text;
}

} // namespace mooring
