// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/communities/communities.h"
#include "core/run/snapshot.h"
#include "core/run/tables.h"
#include <cassert>
#include <charconv>
#include <cmath>

namespace mooring {

namespace {

constexpr const char* kHead = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="use" for="node" attr.name="use" attr.type="double"/>
  <key id="community" for="node" attr.name="community" attr.type="int"/>
)";
constexpr const char* kPlaces = R"(  <key id="layer" for="node" attr.name="layer" attr.type="int"/>
  <key id="expert" for="node" attr.name="expert" attr.type="int"/>
)";
constexpr const char* kEdges
    = R"(  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>
)";

std::string numberText(double number) {
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

std::string dataOf(const char* key, const std::string& value) {
    return std::string("<data key=\"") + key + "\">" + value + "</data>";
}

} // namespace

std::string graphMlText(std::span<const GraphEdge> edges, std::span<const double> use,
    std::span<const int> community, const GraphMlStyle& style) {
    std::string xml = kHead;
    if (!style.layers.empty())
        xml += kPlaces;
    xml += kEdges;
    xml += std::string("  <graph edgedefault=\"") + (style.directed ? "" : "un") + "directed\">\n";
    const std::size_t half = community.size() / 2;
    for (std::size_t node = 0; node < community.size(); ++node) {
        xml += "    <node id=\"" + std::to_string(node) + "\">";
        if (std::isfinite(use[node])) // absent where nothing was routed
            xml += dataOf("use", numberText(use[node]));
        xml += dataOf("community", std::to_string(community[node]));
        if (!style.layers.empty())
            xml += dataOf("layer", std::to_string(style.layers[node < half ? 0 : 1]))
                + dataOf("expert", std::to_string(node % half));
        xml += "</node>\n";
    }
    for (const GraphEdge& edge : edges)
        xml += "    <edge source=\"" + std::to_string(edge.first) + "\" target=\""
            + std::to_string(edge.second) + "\">" + dataOf("weight", numberText(edge.weight))
            + "</edge>\n";
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
