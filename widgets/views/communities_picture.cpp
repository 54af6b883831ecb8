// SPDX-License-Identifier: GPL-3.0-or-later
// What the communities view shows: graphs, list, figures, read-out and picture.
#include "widgets/graph/graph_canvas.h"
#include "widgets/heatmap/heat_map_canvas.h"
#include "widgets/views/communities_view.h"
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

// Exact: with the counts that the share was made of.
QString shareText(double share, std::int64_t count, const QString& what) {
    if (std::isnan(share))
        return QObject::tr("no data");
    return QObject::tr("%1 %  (%2 %3)").arg(formatNumber(share * 100, 4), formatCount(count), what);
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

} // namespace

std::vector<double> CommunitiesView::useOf(bool tuned) const {
    const std::vector<double>& all = tuned ? m_use.tuned_LE : m_use.base_LE;
    std::vector<double> use(static_cast<std::size_t>(m_use.experts), kNone);
    for (int expert = 0; expert < m_use.experts; ++expert)
        if (const std::size_t at = m_use.at(shownLayer(), expert); at < all.size())
            use[static_cast<std::size_t>(expert)] = all[at];
    return use;
}

// "8 edges, most with 37: 5.65 %  (226 tokens)", or "... lift 3.1"
QString CommunitiesView::edgesText(const GraphSide& side, int node, const FramePtr& frame) const {
    int links = 0;
    const GraphEdge* best = nullptr;
    for (const GraphEdge& edge : side.edges)
        if (edge.first == node || edge.second == node) {
            ++links;
            best = !best || edge.weight > best->weight ? &edge : best;
        }
    const QString count = links == 1 ? tr("1 edge") : tr("%1 edges").arg(links);
    if (!best)
        return count;
    std::int64_t tokens = 0;
    if (frame)
        for (const DomainFrame& domain : frame->domains)
            tokens += domain.tokens;
    return tr("%1, most with %2: %3")
        .arg(count)
        .arg(best->first == node ? best->second : best->first)
        .arg(byLift() ? tr("lift %1").arg(formatNumber(best->weight, 4))
                      : shareText(
                          best->weight, std::llround(best->weight * double(tokens)), tr("tokens")));
}

void CommunitiesView::updateGraph() {
    const LayerCommunities& here = *layerCommunities();
    auto graph = std::make_shared<GraphData>();
    graph->nodes = m_use.experts;
    graph->baseCommunity = here.base.community_E;
    graph->tunedCommunity = here.tuned.community_E;
    graph->tunedCommunity.resize(static_cast<std::size_t>(graph->nodes), -1);
    graph->sides.push_back({tr("base"), useOf(false), inside(edges(false), graph->nodes)});
    if (tunedFrame() && !here.tuned.community_E.empty())
        graph->sides.push_back({tr("tuned, step %1").arg(tunedFrame()->step), useOf(true),
            inside(edges(true), graph->nodes)});
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
    const ValidityValues& v = here->validity;
    QStringList parts;
    parts.append(
        tr("layer %1")
            .arg(m_use.layers.empty() ? 0 : m_use.layers[static_cast<std::size_t>(shownLayer())]));
    if (here->nmi) {
        QString nmi = tr("NMI %1").arg(formatNumber(*here->nmi));
        if (!std::isnan(v.nmiSpread))
            nmi += QStringLiteral(" \u00b1 ") + formatNumber(v.nmiSpread, 2);
        if (!std::isnan(v.ceiling))
            nmi += tr(" (ceiling %1, null %2)")
                       .arg(formatNumber(v.ceiling), formatNumber(v.nullNmi, 2));
        parts.append(nmi);
    }
    QString q;
    if (!here->tuned.community_E.empty())
        q = tr("Q %1, base %2")
                .arg(formatNumber(here->tuned.modularity), formatNumber(here->base.modularity));
    else
        q = tr("Q of the base %1").arg(formatNumber(here->base.modularity));
    if (!std::isnan(v.nullQ))
        q += tr(" (null %1 \u00b1 %2, base margin %3)")
                 .arg(formatNumber(v.nullQ), formatNumber(v.nullSd, 2),
                     formatNumber(v.margin, 3, true));
    parts.append(q);
    parts.append(
        tr("rho %1, resolution %2, detector seed %3")
            .arg(formatNumber(communities()->rho, 2), formatNumber(communities()->resolution, 3))
            .arg(communities()->detectorSeed));
    if (byLift())
        parts.append(tr("edges by lift, communities by co-activation"));
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
        + tr("NMI measures how far two partitions agree. It is not an objective: a router can keep "
             "it and still lose the skill. Values at different rho cannot be compared.");
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
        const auto& counts = i == 0 ? m_use.baseCounts_LE : m_use.tunedCounts_LE;
        const std::size_t cell = m_use.at(shownLayer(), node);
        card.lines.push_back({i == 0 ? tr("use, base") : tr("use, tuned"),
            shareText(data.use[at], cell < counts.size() ? counts[cell] : 0, tr("slots")), {}});
        const QString text = edgesText(data, node, i == 0 ? baseFrame() : tunedFrame());
        card.lines.push_back({i == 0 ? tr("graph, base") : tr("graph, tuned"), text, {}});
    }
    return card;
}

QString CommunitiesView::pictureTitle() const {
    QStringList parts{title()};
    if (!m_use.layers.empty())
        parts.append(tr("layer %1").arg(m_use.layers[static_cast<std::size_t>(shownLayer())]));
    parts.append(tr("probe, bias-free"));
    if (m_use.step > 0)
        parts.append(tr("step %1").arg(m_use.step));
    if (run())
        parts.append(QString::fromStdString(run()->info.name));
    return parts.join(QStringLiteral(" \u00b7 "));
}

void CommunitiesView::paint(QPainter& painter, const QRectF& area) const {
    if (isEmpty())
        return;
    QRectF rest = paintPictureTitle(painter, area);
    const QFontMetricsF metrics(painter.font());
    const QRectF line(rest.left() + 16, rest.top() - 2, rest.width() - 32, metrics.height());
    painter.setPen(colors().mutedText);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(figures(), Qt::ElideRight, line.width()));
    rest.setTop(line.bottom());
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
