// SPDX-License-Identifier: GPL-3.0-or-later
// Routing transitions of a frame and their retention (docs/methods.md#transitions). No torch.
#pragma once
#include "core/base/cancel.h"
#include "core/view/run_record.h"
#include "core/view/transitions.h"
#include <optional>
#include <span>

namespace mooring {

// Counts of one domain. Spans and text ranges are those of `texts`, the same domain of the base
// frame: tuned frames do not repeat them. Domains without answer tokens, or whose frame does not
// say where they are, have 0 pairs.
TransitionCounts countTransitions(const DomainFrame& domain, const DomainFrame& texts, int layers,
    int experts, int topK, TransitionKind kind);

// Counts, thinned graphs (the heaviest share rho of ordered pairs) and communities of every domain
// and, last, of all pooled. An expert's transitions to itself are in the counts and in no graph.
// `base` is the base frame, or the frame itself.
std::optional<FrameTransitions> findTransitions(const RoutingFrame& frame, const RoutingFrame& base,
    TransitionKind kind, const ProbeSettings& probe, const CancelRequested& cancelRequested);

// One row per domain and one for the pooled ones: the same numbers as of utilization, top-k overlap
// and communities, over transitions. The frames must be comparable.
std::vector<TransitionRow> transitionRetention(const FrameTransitions& base,
    const RoutingFrame& baseFrame, const FrameTransitions& tuned, const RoutingFrame& tunedFrame);

// The base's own rows: Q, its null model (graphs with expectations proportional to out_i in_j) and
// the split-half ceiling.
std::optional<std::vector<TransitionRow>> transitionValidity(const FrameTransitions& base,
    const RoutingFrame& baseFrame, const ProbeSettings& probe, int nullGraphs,
    const CancelRequested& cancelRequested);

// For each layer and slot pair: how many of the base's transitions are still made, summed over
// pairs.
std::vector<std::int64_t> keptTransitions(const DomainFrame& base, const DomainFrame& tuned,
    int layers, int experts, int topK, TransitionKind kind);

TransitionValues meanOverLayers(std::span<const TransitionValues> values);

} // namespace mooring
