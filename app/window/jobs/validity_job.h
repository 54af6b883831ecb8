// SPDX-License-Identifier: GPL-3.0-or-later
// Validity of the communities shown (core/routing/validity.h), in as little time as someone at a
// slider has. No Qt; runs on a worker thread.
#pragma once
#include "app/window/jobs/communities_job.h"

namespace mooring {

// Adds the figures to a set that was found before; remembers those of the base.
class ValidityJob {
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
