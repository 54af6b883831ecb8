// SPDX-License-Identifier: GPL-3.0-or-later
// All that is found from a base frame and a tuned one, what is quick first.
#pragma once
#include "core/routing/community_comparison.h"
#include "core/routing/community_validity.h"
#include "core/routing/transition_comparison.h"

namespace mooring {

CommunityRequest requestOf(const ProbeSettings& probe);

// Remembers what it found of the base, which every frame of a run is compared with. Used from one
// thread.
class RoutingFindings {
public:
    // Tells the same set again and again, each time with more in it: communities, transitions, the
    // validity of the communities, that of the transitions. Returns the last; null: canceled before
    // there was any, or a frame without co-activation.
    CommunitiesPtr find(const FramePtr& base, const FramePtr& tuned,
        const CommunityRequest& request, const CancelRequested& cancelRequested,
        const std::function<void(CommunitiesPtr)>& tell);

private:
    CommunityComparison m_communities;
    CommunityValidity m_validity;
    TransitionComparison m_transitions;
};

} // namespace mooring
