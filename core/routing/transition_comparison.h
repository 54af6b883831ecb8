// SPDX-License-Identifier: GPL-3.0-or-later
// The routing transitions of two frames as views are given them.
#pragma once
#include "core/routing/community_comparison.h"

namespace mooring {

// Remembers those of the base, which every frame of a run is compared with. Used from one thread.
class TransitionComparison {
public:
    // Null: canceled.
    TransitionsPtr find(const FramePtr& base, const FramePtr& tuned,
        const CommunityRequest& request, const CancelRequested& cancelRequested);
    // With the base's null model and ceilings, which take longer.
    TransitionsPtr complete(const TransitionSet& set, const FramePtr& base,
        const CommunityRequest& request, const CancelRequested& cancelRequested);

private:
    struct Base {
        std::shared_ptr<const FrameTransitions> found;
        std::vector<TransitionRow> rows; // empty: not yet
    };
    Base m_tokens, m_layers;
    FramePtr m_base;
    CommunityRequest m_request;
};

} // namespace mooring
