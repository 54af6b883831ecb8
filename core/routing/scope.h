// SPDX-License-Identifier: GPL-3.0-or-later
// Scope figures of a base router (method.md section 6): how sharp its domains are and how far
// apart. Each is a per-layer L1 distance, averaged over layers; the vector is never averaged first.
#pragma once
#include "core/view/routing_frame.h"
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
    double softmax = 0;
    double topk = 0;
};
struct ScopeFigures {
    std::vector<DomainScope> domains;
    std::vector<DomainPair> pairs;
    double sharpness = 0; // mean over domains, softmax
    double divergence = 0; // mean over pairs, softmax
    std::string verdict; // a sentence: does community NMI mean anything for this router?
};
ScopeFigures scopeFigures(const RoutingFrame& frame);

} // namespace mooring
