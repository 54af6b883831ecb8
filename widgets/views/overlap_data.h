// SPDX-License-Identifier: GPL-3.0-or-later Top-k overlap with the base router: the share of a
// token's base experts that it is still routed to.
#pragma once
#include "core/view/run_record.h"
#include "widgets/base/selection.h"
#include <string>
#include <vector>

namespace mooring {

// Layers x steps, row-major; NaN: not measured.
struct OverlapThroughRun {
    std::vector<int> layers; // absolute indices
    std::vector<std::int64_t> steps; // ascending
    std::vector<double> overlap_LS;

    int columnOf(std::int64_t step) const; // the newest at or before it; -1 without steps
};

// From the probe's retention rows of a domain ("pooled" for all).
OverlapThroughRun overlapOfProbe(const RunRecord& run, const std::string& domain);
// From the choices that ran, every step.
OverlapThroughRun overlapOfTraining(const RunRecord& run);

// A token of the probe at one place of the map.
struct TokenPlace {
    int domain = 0; // index into the frame's domains
    std::int64_t token = 0; // within the domain
    int text = -1; // within the domain; -1: unknown
    std::int64_t position = 0; // within the text, from 1
    int span = -1; // 0 Q, 1 A; -1: unknown
};

// Layers x tokens at one step.
struct OverlapOfTokens {
    std::vector<int> layers;
    int topK = 0;
    std::vector<TokenPlace> tokens;
    std::vector<double> overlap_LT;
};

// Both frames must have the chosen experts of the same tokens; domains where they do not are left
// out. An empty name means all domains in order.
OverlapOfTokens overlapOfTokens(const RoutingFrame& base, const RoutingFrame& tuned,
    const std::string& domain, SpanFilter span);

// The mean over texts at every position; `texts` counts them.
struct OverlapOfPositions {
    std::vector<int> layers;
    int positions = 0;
    std::vector<double> overlap_LP;
    std::vector<int> texts_P;
};
OverlapOfPositions meanByPosition(const OverlapOfTokens& tokens);

// The bytes of a token from the base frame; empty if it has none.
std::string tokenText(const DomainFrame& base, std::int64_t token);

} // namespace mooring
