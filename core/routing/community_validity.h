// SPDX-License-Identifier: GPL-3.0-or-later
// The validity of communities (core/routing/validity.h), in as little time as somebody at a slider
// has.
#pragma once
#include "core/routing/community_comparison.h"

namespace mooring {

// Adds the figures to a set that was found before; remembers those of the base.
class CommunityValidity {
public:
    // Null: canceled.
    CommunitiesPtr complete(
        const CommunitySet& set, const FramePtr& base, const CancelRequested& cancelRequested);

private:
    bool measureBase(const CommunitySet& set, const FramePtr& base, const ProbeSettings& probe,
        const CancelRequested& cancelRequested); // false: canceled
    FramePtr m_base;
    CommunityRequest m_request;
    std::vector<ValidityValues> m_values; // of the base, a layer each
    std::vector<std::vector<std::vector<int>>> m_overSeeds; // [layer][seed] partitions of the base
};

} // namespace mooring
