// SPDX-License-Identifier: GPL-3.0-or-later
// Scope figures of a base router (docs/methods.md#scope): how sharp its domains are and how far
// apart. Each is a per-layer figure, averaged over layers; the vector is never averaged first.
#pragma once
#include "core/view/routing_frame.h"
#include "core/view/validity.h"
#include <string>
#include <vector>

namespace mooring {

struct DomainScope {
    std::string name;
    double sharpnessSoftmax = 0; // L1 distance of mean softmax(z) from uniform
    double sharpnessTopk = 0; // the same of the top-k frequency
    double effectiveFraction = 0; // exp(H)/E of mean softmax(z)
};
struct DomainPair {
    std::string first, second;
    double softmax = 0; // L1 distance of the two domains' mean softmax(z)
    double topk = 0; // the same of the top-k frequency
    // Cosine of the two domains' top-k frequencies over the tokens of one span; NaN where a domain
    // has none (frames hold softmax means of whole domains only).
    double cosineQ = 0, cosineA = 0;
};
struct ScopeFigures {
    std::vector<DomainScope> domains;
    std::vector<DomainPair> pairs;
    double sharpness = 0; // mean over domains, softmax
    double divergence = 0; // mean over pairs, softmax
    std::string verdict; // scopeVerdict(), where the validity has been measured
};
ScopeFigures scopeFigures(const RoutingFrame& frame);

// Is community NMI informative for this router? Text for the user. The criterion is the router's
// own (`pooled`: the base's validity): its modularity must exceed that of null-model graphs, and
// the split-half ceiling must exceed the null NMI, both by more than three standard deviations of
// the null graphs. The paper's two models only say what it resembles.
std::string scopeVerdict(const ScopeFigures& scope, const ValidityValues& pooled);
bool nmiInformative(const ValidityValues& pooled);

} // namespace mooring
