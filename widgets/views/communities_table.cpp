// SPDX-License-Identifier: GPL-3.0-or-later
// The communities view as numbers.
#include "widgets/base/controls.h"
#include "widgets/views/communities_view.h"
#include <limits>

namespace mooring {
namespace {

const QVariant kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<int> degreesOf(const GraphSide& side, int nodes) {
    std::vector<int> degrees(static_cast<std::size_t>(nodes), 0);
    for (const GraphEdge& edge : side.edges) {
        ++degrees[static_cast<std::size_t>(edge.first)];
        ++degrees[static_cast<std::size_t>(edge.second)];
    }
    return degrees;
}

// In the order of the titles.
enum Column {
    StepColumn,
    LayerColumn,
    ExpertColumn,
    BaseCommunity,
    TunedCommunity,
    Moved,
    BaseUse,
    TunedUse,
    BaseEdges,
    TunedEdges,
    RhoColumn,
    ResolutionColumn,
    SeedColumn,
    EdgesByColumn
};

// One expert of the shown layer; what is not known is an empty cell.
QVariant cellOf(
    const GraphData& graph, const std::vector<std::vector<int>>& degrees, int node, Column column) {
    const auto at = static_cast<std::size_t>(node);
    const bool both = graph.sides.size() > 1;
    switch (column) {
    case BaseCommunity:
        return graph.baseCommunity[at] + 1;
    case BaseUse:
        return graph.sides[0].use[at];
    case BaseEdges:
        return degrees[0][at];
    case TunedCommunity:
        return both ? QVariant(graph.tunedCommunity[at] + 1) : kNone;
    case Moved:
        return both ? QVariant(graph.moved(node) ? 1 : 0) : kNone;
    case TunedUse:
        return both ? QVariant(graph.sides[1].use[at]) : kNone;
    case TunedEdges:
        return both ? QVariant(degrees[1][at]) : kNone;
    default:
        return {};
    }
}

} // namespace

ValueRows CommunitiesView::tableRows() const {
    ValueRows rows;
    rows.columns = {tr("step"), tr("layer"), tr("expert"), tr("base community"),
        tr("tuned community"), tr("moved"), tr("base use"), tr("tuned use"), tr("base edges"),
        tr("tuned edges"), tr("rho"), tr("resolution"), tr("detector seed"), tr("edges by")};
    rows.rows = m_graph->nodes;
    std::vector<std::vector<int>> degrees;
    for (const GraphSide& side : m_graph->sides)
        degrees.push_back(degreesOf(side, m_graph->nodes));
    const int layer
        = m_use.layers.empty() ? 0 : m_use.layers[static_cast<std::size_t>(shownLayer())];
    rows.cell = [graph = m_graph, degrees, layer, set = communities(), step = m_use.step,
                    by = m_edgesChoice->currentText()](int row, int column) -> QVariant {
        switch (column) {
        case StepColumn:
            return static_cast<qlonglong>(step);
        case LayerColumn:
            return layer;
        case ExpertColumn:
            return row;
        case RhoColumn:
            return set->rho;
        case ResolutionColumn:
            return set->resolution;
        case SeedColumn:
            return set->detectorSeed;
        case EdgesByColumn:
            return by;
        default:
            return cellOf(*graph, degrees, row, static_cast<Column>(column));
        }
    };
    return rows;
}

} // namespace mooring
