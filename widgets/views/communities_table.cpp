// SPDX-License-Identifier: GPL-3.0-or-later
// The communities view as numbers.
#include "widgets/base/controls.h"
#include "widgets/views/communities_view.h"
#include <limits>

namespace mooring {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<int> degreesOf(const GraphSide& side, int nodes) {
    std::vector<int> degrees(static_cast<std::size_t>(nodes), 0);
    for (const GraphEdge& edge : side.edges) {
        ++degrees[static_cast<std::size_t>(edge.first)];
        ++degrees[static_cast<std::size_t>(edge.second)];
    }
    return degrees;
}

// One expert of the shown layer; what is not known is an empty cell.
QVariant cellOf(const GraphData& graph, const std::vector<std::vector<int>>& degrees, int node,
    const QString& column) {
    const auto at = static_cast<std::size_t>(node);
    const bool both = graph.sides.size() > 1;
    if (column == QLatin1String("base community"))
        return graph.baseCommunity[at] + 1;
    if (column == QLatin1String("base use"))
        return graph.sides[0].use[at];
    if (column == QLatin1String("base edges"))
        return degrees[0][at];
    if (!both)
        return kNone;
    if (column == QLatin1String("tuned community"))
        return graph.tunedCommunity[at] + 1;
    if (column == QLatin1String("moved"))
        return graph.moved(node) ? 1 : 0;
    if (column == QLatin1String("tuned use"))
        return graph.sides[1].use[at];
    return degrees[1][at];
}

} // namespace

ValueRows CommunitiesView::tableRows() const {
    static const QStringList kColumns = {QStringLiteral("base community"),
        QStringLiteral("tuned community"), QStringLiteral("moved"), QStringLiteral("base use"),
        QStringLiteral("tuned use"), QStringLiteral("base edges"), QStringLiteral("tuned edges")};
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
        case 0:
            return static_cast<qlonglong>(step);
        case 1:
            return layer;
        case 2:
            return row;
        case 10:
            return set->rho;
        case 11:
            return set->resolution;
        case 12:
            return set->detectorSeed;
        case 13:
            return by;
        default:
            return cellOf(*graph, degrees, row, kColumns[column - 3]);
        }
    };
    return rows;
}

} // namespace mooring
