// SPDX-License-Identifier: GPL-3.0-or-later
// The reordered adjacency matrices of the communities view.
#include "core/view/distances.h"
#include "widgets/heatmap/heat_map_canvas.h"
#include "widgets/views/communities_view.h"
#include <cmath>
#include <limits>

namespace mooring {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

int labelAt(const std::vector<int>& labels, int node) {
    return node >= 0 && node < static_cast<int>(labels.size())
        ? labels[static_cast<std::size_t>(node)]
        : -1;
}

} // namespace

// By base community, in each the most used first: blocks on the diagonal are communities.
std::vector<int> CommunitiesView::matrixOrder() const {
    if (!communities() || m_use.experts == 0)
        return {};
    const std::vector<int> all
        = expertOrder(m_use, communities().get(), ExpertOrder::BaseCommunity);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(m_use.at(shownLayer(), 0));
    return {first, first + m_use.experts};
}

// Co-activation as the share of tokens, or lift.
std::vector<double> CommunitiesView::pairValues(bool tuned) const {
    const RoutingFrame* frame = tuned ? tunedFrame().get() : baseFrame().get();
    if (!frame || frame->experts != m_use.experts)
        return {};
    const auto experts = static_cast<std::size_t>(m_use.experts);
    const std::size_t cells = experts * experts;
    std::vector<double> values(cells, 0);
    std::int64_t tokens = 0;
    for (const DomainFrame& domain : frame->domains) {
        const std::size_t from = static_cast<std::size_t>(shownLayer()) * cells;
        if (domain.coactivation_LEE.size() < from + cells)
            return {};
        tokens += domain.tokens;
        for (std::size_t i = 0; i < cells; ++i)
            values[i] += domain.coactivation_LEE[from + i];
    }
    if (tokens == 0)
        return {};
    for (double& value : values)
        value /= static_cast<double>(tokens);
    if (!byLift())
        return values;
    const std::vector<double> use = useOf(tuned);
    for (std::size_t i = 0; i < cells; ++i)
        values[i]
            = liftOf(values[i], use[i / experts] * frame->topK, use[i % experts] * frame->topK);
    return values;
}

QString CommunitiesView::pairText(double value) const {
    if (std::isnan(value))
        return tr("no data");
    return byLift() ? tr("lift %1").arg(formatExact(value))
                    : tr("%1 % of the tokens").arg(formatExact(value * 100));
}

std::shared_ptr<const HeatMapData> CommunitiesView::makeMatrix(bool tuned) const {
    auto map = std::make_shared<HeatMapData>();
    std::vector<double> shares = pairValues(tuned);
    const std::vector<int> order = matrixOrder();
    const auto experts = static_cast<std::size_t>(m_use.experts);
    const std::size_t side = tuned ? 1 : 0;
    if (side >= m_graph->sides.size())
        return map;
    if (shares.empty()) { // frames without co-activation: the edges that are kept
        shares.assign(experts * experts, 0);
        for (const GraphEdge& edge : m_graph->sides[side].edges) {
            shares[static_cast<std::size_t>(edge.first) * experts + edge.second] = edge.weight;
            shares[static_cast<std::size_t>(edge.second) * experts + edge.first] = edge.weight;
        }
    }
    map->rows = map->columns = m_use.experts;
    map->values.reserve(experts * experts);
    std::vector<HeatMapGroup> groups;
    for (int row = 0; row < map->rows; ++row) {
        const int expert = order[static_cast<std::size_t>(row)];
        map->rowLabels.append(QString::number(expert));
        const int community = labelAt(m_graph->baseCommunity, expert);
        if (groups.empty() || groups.back().community != community)
            groups.push_back({row, row, community, communityLabel(community)});
        groups.back().last = row;
        for (int column = 0; column < map->columns; ++column)
            map->values.push_back(row == column ? kNone
                                                : shares[static_cast<std::size_t>(expert) * experts
                                                    + order[static_cast<std::size_t>(column)]]);
    }
    map->columnLabels = map->rowLabels;
    map->rowTitle = tr("expert");
    map->columnTitle = tr("%1: experts by base community").arg(m_graph->sides[side].title);
    map->valueTitle = byLift() ? tr("lift (1: chance)") : tr("co-activation");
    map->unit = byLift() ? QString() : QStringLiteral("%");
    map->unitScale = byLift() ? 1 : 100;
    map->groups = {groups};
    map->groupTitle = tr("base communities");
    return map;
}

// Both sides by one range: the same color is the same share.
void CommunitiesView::updateMatrices() {
    const auto base = makeMatrix(false);
    const auto tuned = makeMatrix(true);
    m_tunedMatrix->setVisible(tuned->rows > 0);
    m_baseMatrix->setData(base);
    m_tunedMatrix->setData(tuned);
    std::vector<double> all = base->values;
    all.insert(all.end(), tuned->values.begin(), tuned->values.end());
    const ColorRange range = robustRange(all, false);
    m_baseMatrix->setRange(range, tr("same scale for both"));
    m_tunedMatrix->setRange(range, tr("same scale for both"));
}

ReadOut CommunitiesView::readOutOfPair(bool tuned, int row, int column) const {
    const std::vector<int> order = matrixOrder();
    const auto& data = (tuned ? m_tunedMatrix : m_baseMatrix)->scene().data();
    if (row >= static_cast<int>(order.size()) || column >= static_cast<int>(order.size())
        || row >= data->rows)
        return {};
    const int first = order[static_cast<std::size_t>(row)];
    const int second = order[static_cast<std::size_t>(column)];
    ReadOut card;
    card.title = tr("experts %1 and %2").arg(first).arg(second);
    card.aside = tr("communities %1, %2")
                     .arg(communityLabel(labelAt(m_graph->baseCommunity, first)),
                         communityLabel(labelAt(m_graph->baseCommunity, second)));
    for (const bool side : {false, true}) {
        const auto& map = (side ? m_tunedMatrix : m_baseMatrix)->scene().data();
        if (row < map->rows && column < map->columns)
            card.lines.push_back(
                {side ? tr("tuned") : tr("base"), pairText(map->value(row, column)), {}});
    }
    return card;
}

} // namespace mooring
