// SPDX-License-Identifier: GPL-3.0-or-later
// Communities of a directed graph. igraph's own detectors of modularity take undirected graphs.
#pragma once
#include "core/view/routing_frame.h"
#include <span>

namespace mooring {

// Directed modularity (Leicht and Newman 2008, eq. 1) with a resolution g:
//     Q = sum_c [ inside_c / m - g out_c in_c / m^2 ],   m the total weight.
// Where sources and targets are different nodes it is the bipartite modularity of Barber (2007).
double directedModularity(
    std::span<const GraphEdge> edges, int nodes, std::span<const int> community, double resolution);

// Louvain with the gains of directed modularity (Dugue and Perez 2015), the best of several seeded
// runs; the same for the same seed. Nodes without edges are communities of one.
Partition detectDirectedCommunities(
    std::span<const GraphEdge> edges, int nodes, double resolution, int seed);

} // namespace mooring
