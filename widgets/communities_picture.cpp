// SPDX-License-Identifier: GPL-3.0-or-later
// What the communities view shows: graphs, matrices, list, figures, table and picture.
#include "widgets/communities_view.h"
#include "widgets/graph_canvas.h"
#include "widgets/heat_map_canvas.h"
#include <QFontMetricsF>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>
#include <limits>

namespace mooring {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

QString percent(double share) {
    return std::isnan(share) ? QObject::tr("no data")
                             : formatNumber(share * 100, 4) + QStringLiteral(" %");
}

double heaviest(const std::vector<GraphEdge>& edges) {
    double largest = 0;
    for (const GraphEdge& edge : edges)
        largest = std::max(largest, edge.weight);
    return largest;
}

// Edges of nodes that there are; a set of another model must not reach outside.
std::vector<GraphEdge> inside(const std::vector<GraphEdge>& edges, int nodes) {
    std::vector<GraphEdge> kept;
    for (const GraphEdge& edge : edges)
        if (edge.first >= 0 && edge.second >= 0 && edge.first < nodes && edge.second < nodes)
            kept.push_back(edge);
    return kept;
}

int labelAt(const std::vector<int>& labels, int node) {
    return node >= 0 && node < static_cast<int>(labels.size())
        ? labels[static_cast<std::size_t>(node)]
        : -1;
}

} // namespace

std::vector<double> CommunitiesView::useOf(bool tuned) const {
    const std::vector<double>& all = tuned ? m_use.tuned_LE : m_use.base_LE;
    std::vector<double> use(static_cast<std::size_t>(m_use.experts), kNone);
    for (int expert = 0; expert < m_use.experts; ++expert)
        if (const std::size_t at = m_use.at(shownLayer(), expert); at < all.size())
            use[static_cast<std::size_t>(expert)] = all[at];
    return use;
}

void CommunitiesView::updateGraph() {
    const LayerCommunities& here = *layerCommunities();
    auto graph = std::make_shared<GraphData>();
    graph->nodes = m_use.experts;
    graph->baseCommunity = here.base.community_E;
    graph->tunedCommunity = here.tuned.community_E;
    graph->tunedCommunity.resize(static_cast<std::size_t>(graph->nodes), -1);
    graph->sides.push_back({tr("base"), useOf(false), inside(here.baseEdges, graph->nodes)});
    if (tunedFrame() && !here.tuned.community_E.empty())
        graph->sides.push_back({tr("tuned, step %1").arg(tunedFrame()->step), useOf(true),
            inside(here.tunedEdges, graph->nodes)});
    for (const GraphSide& side : graph->sides) {
        graph->largestWeight = std::max(graph->largestWeight, heaviest(side.edges));
        for (const double use : side.use)
            graph->largestUse
                = std::isnan(use) ? graph->largestUse : std::max(graph->largestUse, use);
    }
    m_graph = std::move(graph);
    const QString name = run() ? QString::fromStdString(run()->info.path) : QString();
    const bool other
        = name != m_layoutRun || shownLayer() != m_layoutLayer || m_layout.size() != m_graph->nodes;
    m_layoutRun = name;
    m_layoutLayer = shownLayer();
    m_canvas->setData(m_graph);
    m_canvas->setSelected(
        selection()->value().expert < m_graph->nodes ? selection()->value().expert : -1);
    updateLayout(other);
}

std::vector<int> CommunitiesView::movedExperts() const {
    std::vector<int> moved;
    for (int node = 0; node < m_graph->nodes; ++node)
        if (m_graph->moved(node))
            moved.push_back(node);
    return moved;
}

void CommunitiesView::updateMoved() {
    const std::vector<int> moved = movedExperts();
    const QSignalBlocker quiet(m_moved);
    m_moved->clear();
    for (const int expert : moved) {
        const int base = m_graph->baseCommunity[static_cast<std::size_t>(expert)];
        const int tuned = m_graph->tunedCommunity[static_cast<std::size_t>(expert)];
        auto* item = new QTreeWidgetItem(
            m_moved, {QString::number(expert), communityLabel(base), communityLabel(tuned)});
        item->setData(0, Qt::UserRole, expert);
        for (int column = 0; column < 3; ++column)
            item->setTextAlignment(column, Qt::AlignCenter);
        const auto swatch = [](int community) {
            QPixmap pixmap(10, 10);
            pixmap.fill(communityColor(community));
            return QIcon(pixmap);
        };
        item->setIcon(1, swatch(base));
        item->setIcon(2, swatch(tuned));
        if (expert == selection()->value().expert)
            m_moved->setCurrentItem(item);
    }
    m_movedTitle->setText(m_graph->sides.size() < 2
            ? tr("Moved experts")
            : tr("Moved experts: %1 of %2").arg(moved.size()).arg(m_graph->nodes));
}

QString CommunitiesView::figures() const {
    const LayerCommunities* here = layerCommunities();
    if (!here || !communities())
        return {};
    QStringList parts;
    parts.append(
        tr("layer %1")
            .arg(m_use.layers.empty() ? 0 : m_use.layers[static_cast<std::size_t>(shownLayer())]));
    if (here->nmi) {
        QString nmi = tr("NMI %1").arg(formatNumber(*here->nmi));
        if (here->nmiSpread)
            nmi += QStringLiteral(" \u00b1 ") + formatNumber(*here->nmiSpread, 2);
        if (here->ceiling)
            nmi += tr(" (ceiling %1)").arg(formatNumber(*here->ceiling));
        parts.append(nmi);
    }
    QString q;
    if (!here->tuned.community_E.empty())
        q = tr("Q %1, base %2")
                .arg(formatNumber(here->tuned.modularity), formatNumber(here->base.modularity));
    else
        q = tr("Q of the base %1").arg(formatNumber(here->base.modularity));
    if (here->nullModularity)
        q += tr(" (chance %1)").arg(formatNumber(*here->nullModularity));
    parts.append(q);
    parts.append(
        tr("rho %1, resolution %2, detector seed %3")
            .arg(formatNumber(communities()->rho, 2), formatNumber(communities()->resolution, 3))
            .arg(communities()->detectorSeed));
    parts.append(tr("probe, bias-free"));
    return parts.join(QStringLiteral(" \u00b7 "));
}

void CommunitiesView::updateFigures() {
    if (!m_figures)
        return;
    QString text = figures();
    if (communities()
        && (std::abs(communities()->rho - rho()) > 0.001
            || std::abs(communities()->resolution - resolution()) > 0.001))
        text += tr("  (finding those of rho %1, resolution %2 ...)")
                    .arg(rho(), 0, 'f', 2)
                    .arg(resolution(), 0, 'f', 2);
    text += QLatin1Char('\n')
        + tr("NMI tells how far two partitions agree. It is no objective: a router can keep it and "
             "lose the skill, and values at different rho cannot be compared.");
    m_figures->setText(text);
}

ReadOut CommunitiesView::readOutOfNode(int side, int node) const {
    if (node < 0 || node >= m_graph->nodes || side >= static_cast<int>(m_graph->sides.size()))
        return {};
    const auto at = static_cast<std::size_t>(node);
    ReadOut card;
    card.title = tr("layer %1 \u00b7 expert %2")
                     .arg(m_use.layers[static_cast<std::size_t>(shownLayer())])
                     .arg(node);
    const int base = m_graph->baseCommunity[at];
    const int tuned = m_graph->tunedCommunity[at];
    card.aside = m_graph->moved(node)
        ? tr("community %1 \u2192 %2").arg(communityLabel(base), communityLabel(tuned))
        : tr("community %1").arg(communityLabel(base));
    for (std::size_t i = 0; i < m_graph->sides.size(); ++i) {
        const GraphSide& data = m_graph->sides[i];
        card.lines.push_back({i == 0 ? tr("use, base") : tr("use, tuned"), percent(data.use[at])});
        int links = 0;
        const GraphEdge* best = nullptr;
        for (const GraphEdge& edge : data.edges)
            if (edge.first == node || edge.second == node) {
                ++links;
                best = !best || edge.weight > best->weight ? &edge : best;
            }
        QString text = links == 1 ? tr("1 edge") : tr("%1 edges").arg(links);
        if (best)
            text += tr(", most with %1: %2 of the tokens")
                        .arg(best->first == node ? best->second : best->first)
                        .arg(percent(best->weight));
        card.lines.push_back({i == 0 ? tr("graph, base") : tr("graph, tuned"), text});
    }
    return card;
}

// By base community, in each the most used first: blocks on the diagonal are communities.
std::vector<int> CommunitiesView::matrixOrder() const {
    if (!communities() || m_use.experts == 0)
        return {};
    const std::vector<int> all
        = expertOrder(m_use, communities().get(), ExpertOrder::BaseCommunity);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(m_use.at(shownLayer(), 0));
    return {first, first + m_use.experts};
}

std::vector<double> CommunitiesView::coactivation(const RoutingFrame* frame) const {
    if (!frame || frame->experts != m_use.experts)
        return {};
    const auto experts = static_cast<std::size_t>(m_use.experts);
    const std::size_t cells = experts * experts;
    std::vector<double> shares(cells, 0);
    std::int64_t tokens = 0;
    for (const DomainFrame& domain : frame->domains) {
        const std::size_t from = static_cast<std::size_t>(shownLayer()) * cells;
        if (domain.coactivation_LEE.size() < from + cells)
            return {};
        tokens += domain.tokens;
        for (std::size_t i = 0; i < cells; ++i)
            shares[i] += domain.coactivation_LEE[from + i];
    }
    if (tokens == 0)
        return {};
    for (double& share : shares)
        share /= static_cast<double>(tokens);
    return shares;
}

std::shared_ptr<const HeatMapData> CommunitiesView::makeMatrix(bool tuned) const {
    auto map = std::make_shared<HeatMapData>();
    std::vector<double> shares = coactivation(tuned ? tunedFrame().get() : baseFrame().get());
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
    map->valueTitle = tr("co-activation");
    map->unit = QStringLiteral("%");
    map->unitScale = 100;
    map->groups = {groups};
    map->groupTitle = tr("base communities");
    return map;
}

// Both sides by one range: the same colour is the same share.
void CommunitiesView::updateMatrices() {
    const auto base = makeMatrix(false);
    const auto tuned = makeMatrix(true);
    m_tunedMatrix->setVisible(tuned->rows > 0);
    m_baseMatrix->setData(base);
    m_tunedMatrix->setData(tuned);
    std::vector<double> all = base->values;
    all.insert(all.end(), tuned->values.begin(), tuned->values.end());
    const ColorRange range = robustRange(all, false);
    m_baseMatrix->setRange(range, tr("same for both"));
    m_tunedMatrix->setRange(range, tr("same for both"));
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
                {side ? tr("tuned") : tr("base"), percent(map->value(row, column))});
    }
    return card;
}

ValueRows CommunitiesView::tableRows() const {
    ValueRows rows;
    rows.columns = {tr("step"), tr("layer"), tr("expert"), tr("base community"),
        tr("tuned community"), tr("moved"), tr("base use"), tr("tuned use"), tr("base edges"),
        tr("tuned edges"), tr("rho"), tr("resolution"), tr("detector seed")};
    rows.rows = m_graph->nodes;
    std::vector<std::vector<int>> degrees;
    for (const GraphSide& side : m_graph->sides) {
        degrees.emplace_back(static_cast<std::size_t>(m_graph->nodes), 0);
        for (const GraphEdge& edge : side.edges) {
            ++degrees.back()[static_cast<std::size_t>(edge.first)];
            ++degrees.back()[static_cast<std::size_t>(edge.second)];
        }
    }
    const int layer
        = m_use.layers.empty() ? 0 : m_use.layers[static_cast<std::size_t>(shownLayer())];
    rows.cell = [graph = m_graph, degrees, layer, set = communities(), step = m_use.step](
                    int row, int column) -> QVariant {
        const auto at = static_cast<std::size_t>(row);
        const std::size_t side = column == 7 || column == 9 ? 1 : 0;
        const bool both = graph->sides.size() > 1;
        switch (column) {
        case 0:
            return static_cast<qlonglong>(step);
        case 1:
            return layer;
        case 2:
            return row;
        case 3:
            return graph->baseCommunity[at] + 1;
        case 4:
            return both && graph->tunedCommunity[at] >= 0 ? QVariant(graph->tunedCommunity[at] + 1)
                                                          : QVariant(QString());
        case 5:
            return both ? QVariant(graph->moved(row) ? 1 : 0) : QVariant(QString());
        case 6:
        case 7:
            return side < graph->sides.size() ? graph->sides[side].use[at] : kNone;
        case 8:
        case 9:
            return side < degrees.size() ? QVariant(degrees[side][at]) : QVariant(QString());
        case 10:
            return set->rho;
        case 11:
            return set->resolution;
        default:
            return set->detectorSeed;
        }
    };
    return rows;
}

QString CommunitiesView::pictureTitle() const {
    QStringList parts{title(), figures()};
    if (m_use.step > 0)
        parts.append(tr("step %1").arg(m_use.step));
    if (run())
        parts.append(QString::fromStdString(run()->info.name));
    return parts.join(QStringLiteral(" \u00b7 "));
}

void CommunitiesView::paint(QPainter& painter, const QRectF& area) const {
    if (isEmpty())
        return;
    const QRectF rest = paintPictureTitle(painter, area);
    if (isGraph()) {
        m_canvas->paintInto(painter, rest, colors());
        return;
    }
    const bool both = m_tunedMatrix->scene().data()->rows > 0;
    QRectF left = rest;
    if (both)
        left.setWidth(rest.width() / 2);
    m_baseMatrix->paintInto(painter, left, colors());
    if (both)
        m_tunedMatrix->paintInto(painter, left.translated(left.width(), 0), colors());
}

} // namespace mooring
