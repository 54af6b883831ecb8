// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the communities of the graphs on standard input, one JSON object a line, for
// communities_oracle.py: {"experts", "edges": [[i, j, weight], ..], "resolution", "seed"}.
#include "core/routing/communities/communities.h"
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        const auto graph = nlohmann::json::parse(line);
        std::vector<mooring::GraphEdge> edges;
        for (const auto& edge : graph["edges"])
            edges.push_back({edge[0], edge[1], edge[2]});
        const auto found = mooring::detectCommunities(
            edges, graph["experts"], graph["resolution"], graph["seed"]);
        std::cout << nlohmann::json{{"community", found.community_E}, {"q", found.modularity}}
                  << '\n';
    }
    return 0;
}
