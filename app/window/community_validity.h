// SPDX-License-Identifier: GPL-3.0-or-later
// What communities are worth (method.md section 6, validity): how far two halves of the base's own
// tokens agree, what modularity chance gives, how far NMI depends on the detector's seed. No Qt;
// runs on a worker thread.
#pragma once
#include "app/window/communities_job.h"

namespace mooring {

// All are asked between two detections whether to give up, and give nothing then.
using GiveUp = std::function<bool()>;

// NMI a layer between the communities of even and of odd texts (or tokens, where the frame does not
// say where texts begin) of every domain. Not-a-number without tokens.
std::optional<std::vector<double>> splitHalfNmi(
    const RoutingFrame& base, const CommunityWish& wish, const GiveUp& giveUp);

// Mean modularity a layer over graphs whose pair counts are drawn (Poisson) with expectations
// proportional to the product of the experts' own totals. Seeded: the same numbers each time.
std::optional<std::vector<double>> chanceModularity(
    const RoutingFrame& base, const CommunityWish& wish, int graphs, const GiveUp& giveUp);

// Standard deviation of a layer's NMI over five detector seeds.
std::optional<double> nmiSpread(
    const LayerCommunities& layer, const CommunityWish& wish, const GiveUp& giveUp);

// 100 as the method asks, fewer where the model is so large that they would take minutes.
int chanceGraphs(const RoutingFrame& base);

// Adds the figures to a set that was found before; remembers those of the base.
class ValidityJob {
public:
    CommunitiesPtr complete(const CommunitySet& set, const FramePtr& base, const GiveUp& giveUp);

private:
    FramePtr m_base;
    CommunityWish m_wish;
    std::vector<double> m_ceiling;
    std::vector<double> m_chance;
};

} // namespace mooring
