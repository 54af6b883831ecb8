// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/transition_comparison.h"
#include "core/routing/communities/communities.h"
#include "core/routing/transitions.h"
#include "core/routing/validity.h"

namespace mooring {
namespace {

using FramePart = std::shared_ptr<const FrameTransitions>;

FramePart findKind(const RoutingFrame& frame, const RoutingFrame& base, TransitionKind kind,
    const CommunityRequest& request, const CancelRequested& cancelRequested) {
    auto found = findTransitions(frame, base, kind, request.settings(), cancelRequested);
    return found ? std::make_shared<const FrameTransitions>(std::move(*found)) : nullptr;
}

// Colors and groups stay put: the tuned labels are named after the base's.
FramePart matched(const FrameTransitions& base, FrameTransitions tuned) {
    for (std::size_t d = 0; d < std::min(base.domains.size(), tuned.domains.size()); ++d)
        for (std::size_t l = 0; l < tuned.domains[d].partition_L.size(); ++l) {
            auto& labels = tuned.domains[d].partition_L[l].community_E;
            labels = matchLabels(base.domains[d].partition_L[l].community_E, labels);
        }
    return std::make_shared<const FrameTransitions>(std::move(tuned));
}

} // namespace

TransitionsPtr TransitionComparison::find(const FramePtr& base, const FramePtr& tuned,
    const CommunityRequest& request, const CancelRequested& cancelRequested) {
    if (m_base != base || m_request != request) {
        m_tokens = {findKind(*base, *base, TransitionKind::Tokens, request, cancelRequested), {}};
        m_layers = {findKind(*base, *base, TransitionKind::Layers, request, cancelRequested), {}};
        const bool whole = m_tokens.found && m_layers.found;
        m_base = whole ? base : nullptr;
        m_request = request;
        if (!whole)
            return nullptr;
    }
    auto set = std::make_shared<TransitionSet>();
    for (auto [shown, part] :
        {std::pair(&set->tokens, &m_tokens), std::pair(&set->layers, &m_layers)}) {
        shown->base = part->found;
        shown->baseRows = part->rows;
        if (!tuned || tuned->layers != base->layers || tuned->experts != base->experts)
            continue;
        const FramePart found
            = findKind(*tuned, *base, part->found->kind, request, cancelRequested);
        if (!found)
            return nullptr;
        shown->rows = transitionRetention(*part->found, *base, *found, *tuned);
        shown->tuned = matched(*part->found, *found);
    }
    return set;
}

TransitionsPtr TransitionComparison::complete(const TransitionSet& set, const FramePtr& base,
    const CommunityRequest& request, const CancelRequested& cancelRequested) {
    auto complete = std::make_shared<TransitionSet>(set);
    for (auto [shown, part] :
        {std::pair(&complete->tokens, &m_tokens), std::pair(&complete->layers, &m_layers)}) {
        if (part->rows.empty()) {
            auto rows = transitionValidity(
                *shown->base, *base, request.settings(), quickNullGraphs(*base), cancelRequested);
            if (!rows)
                return nullptr;
            part->rows = std::move(*rows);
        }
        shown->baseRows = part->rows;
    }
    return complete;
}

} // namespace mooring
