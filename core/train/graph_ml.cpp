// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/communities.h"
#include "core/train/snapshot.h"
#include "core/train/tables.h"
#include <cassert>
#include <charconv>
#include <cmath>

namespace mooring {

namespace {

constexpr const char* kHead = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="use" for="node" attr.name="use" attr.type="double"/>
  <key id="community" for="node" attr.name="community" attr.type="int"/>
  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>
  <graph edgedefault="undirected">
)";

std::string numberText(double number) {
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

} // namespace

std::string graphMlText(std::span<const GraphEdge> edges, std::span<const double> use_E,
    std::span<const int> community_E) {
    std::string xml = kHead;
    for (std::size_t e = 0; e < community_E.size(); ++e) {
        xml += "    <node id=\"" + std::to_string(e) + "\">";
        if (std::isfinite(use_E[e])) // absent where nothing was routed
            xml += "<data key=\"use\">" + numberText(use_E[e]) + "</data>";
        xml += "<data key=\"community\">" + std::to_string(community_E[e]) + "</data></node>\n";
    }
    for (const GraphEdge& edge : edges)
        xml += "    <edge source=\"" + std::to_string(edge.first) + "\" target=\""
            + std::to_string(edge.second) + "\"><data key=\"weight\">" + numberText(edge.weight)
            + "</data></edge>\n";
    return xml + "  </graph>\n</graphml>\n";
}

std::string graphMl(const RoutingFrame& frame, int layerOrdinal, const ProbeSettings& probe) {
    assert(layerOrdinal >= 0 && layerOrdinal < frame.layerCount() && !frame.domains.empty());
    const DomainFrame pooled = poolDomains(frame);
    const auto E = static_cast<std::size_t>(frame.experts);
    const std::span counts_EE(pooled.coactivation_LEE.data() + layerOrdinal * E * E, E * E);
    const std::span counts_E(pooled.counts_LE.data() + layerOrdinal * E, E);
    const auto edges = rhoGraph(counts_EE, frame.experts, pooled.tokens, probe.rho);
    const auto found
        = detectCommunities(edges, frame.experts, probe.resolution, probe.detectorSeed);
    return graphMlText(edges, utilisation(counts_E), found.community_E);
}

} // namespace mooring
