// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/routing_findings.h"

namespace mooring {

namespace {

CommunitiesPtr withTransitions(const CommunitySet& set, TransitionsPtr transitions) {
    auto more = std::make_shared<CommunitySet>(set);
    more->transitions = std::move(transitions);
    return more;
}

} // namespace

CommunityRequest requestOf(const ProbeSettings& probe) {
    return {probe.rho, probe.resolution, probe.detectorSeed};
}

CommunitiesPtr RoutingFindings::find(const FramePtr& base, const FramePtr& tuned,
    const CommunityRequest& request, const CancelRequested& cancelRequested,
    const std::function<void(CommunitiesPtr)>& tell) {
    CommunitiesPtr found = m_communities.find(base, tuned, request, cancelRequested);
    if (!found)
        return nullptr;
    tell(found);
    const auto transitions = m_transitions.find(base, tuned, request, cancelRequested);
    if (!transitions)
        return found;
    tell(found = withTransitions(*found, transitions));
    const auto valid = m_validity.complete(*found, base, cancelRequested);
    if (!valid)
        return found;
    tell(found = valid);
    if (auto complete = m_transitions.complete(*transitions, base, request, cancelRequested))
        tell(found = withTransitions(*found, std::move(complete)));
    return found;
}

} // namespace mooring
