// SPDX-License-Identifier: GPL-3.0-or-later
// A force-directed layout (Fruchterman and Reingold, 1991) that cools down and stops.
// Deterministic; pure values, stepped by its owner.
#pragma once
#include "core/view/routing_frame.h"
#include <QPointF>
#include <span>
#include <vector>

namespace mooring {

class ForceLayout {
public:
    // Starts on a circle in the order of communities, or else of nodes. The same input gives the
    // same positions bit for bit. Pins are cleared.
    void start(int nodes, std::span<const GraphEdge> edges, std::span<const int> community);
    // Other edges among the same nodes: positions and pins stay, and it warms up a little.
    void setEdges(std::span<const GraphEdge> edges);

    double step(); // the largest move of a node; all pairs, so a step costs n * n
    bool atRest() const { return m_heat <= kRest; }
    void warm(double heat = 0.3); // moves again, as after a drag
    void rest() { m_heat = 0; } // stops as it is

    int size() const { return static_cast<int>(m_positions.size()); }
    const std::vector<QPointF>& positions() const { return m_positions; } // about -1 to 1
    void place(int node, const QPointF& to);
    void setPinned(int node, bool pinned); // pinned nodes push and pull, but stay
    bool pinned(int node) const { return m_pinned[static_cast<std::size_t>(node)]; }
    const std::vector<bool>& pins() const { return m_pinned; }
    void unpinAll();

private:
    struct Link {
        std::size_t first;
        std::size_t second;
        double pull; // weight over the geometric mean of its ends' degrees
    };
    static constexpr double kRest = 0.004;
    void setLinks(std::span<const GraphEdge> edges);
    void repel();
    void attract();
    double move();

    std::vector<QPointF> m_positions;
    std::vector<QPointF> m_forces;
    std::vector<Link> m_links;
    std::vector<bool> m_pinned;
    double m_heat = 0; // the largest move allowed, in edge lengths
    double m_length = 0.1; // the edge length that the forces aim at
};

} // namespace mooring
