// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry and shapes; text is in graph_scene_text.cpp.
#include "widgets/graph/graph_scene.h"
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

constexpr double kGap = 8; // between the sides
constexpr double kMargin = 26; // round the home camera: labels are there
constexpr double kLegend = 34;

QColor faded(QColor color, double alpha) {
    color.setAlphaF(float(std::clamp(alpha, 0.0, 1.0)));
    return color;
}

} // namespace

int GraphData::communities() const {
    int largest = -1;
    for (const auto* labels : {&baseCommunity, &tunedCommunity})
        for (const int label : *labels)
            largest = std::max(largest, label);
    return largest + 1;
}

void GraphScene::setData(GraphPtr data) {
    m_data = std::move(data);
    m_positions.resize(static_cast<std::size_t>(m_data->nodes));
}

void GraphScene::setPositions(std::vector<QPointF> positions) {
    positions.resize(static_cast<std::size_t>(m_data->nodes));
    m_positions = std::move(positions);
}

void GraphScene::layout(const QRectF& bounds, const QFont& font) {
    m_bounds = bounds;
    m_font = font;
}

QRectF GraphScene::sideRect(int side) const {
    const int count = std::max(1, sideCount());
    const double top = QFontMetricsF(m_font).height() + 14;
    const double width = (m_bounds.width() - (count - 1) * kGap) / count;
    return QRectF(m_bounds.left() + side * (width + kGap), m_bounds.top() + top, width,
        std::max(10.0, m_bounds.height() - top - kLegend));
}

double GraphScene::scale() const {
    const QRectF rect = sideRect(0);
    return std::max(1.0, std::min(rect.width(), rect.height()) / 2 - kMargin) / m_extent * m_zoom;
}

QPointF GraphScene::place(int side, int node) const {
    const QPointF at = m_positions[static_cast<std::size_t>(node)];
    return sideRect(side).center() + (at - m_center) * scale();
}

QPointF GraphScene::unplace(int side, const QPointF& point) const {
    return (point - sideRect(side).center()) / scale() + m_center;
}

void GraphScene::fit() {
    m_zoom = 1;
    if (m_positions.empty())
        return;
    QPointF low = m_positions.front();
    QPointF high = low;
    for (const QPointF& p : m_positions) {
        low = {std::min(low.x(), p.x()), std::min(low.y(), p.y())};
        high = {std::max(high.x(), p.x()), std::max(high.y(), p.y())};
    }
    m_home = m_center = (low + high) / 2;
    // The sides are rarely square; the tighter direction limits.
    const QRectF rect = sideRect(0);
    const double shorter = std::max(1.0, std::min(rect.width(), rect.height()));
    const QPointF half = (high - low) / 2;
    m_extent = std::max({half.x() * shorter / std::max(1.0, rect.width()),
        half.y() * shorter / std::max(1.0, rect.height()), 0.05});
}

void GraphScene::zoom(const QPointF& about, double factor) {
    const int side = std::max(0, sideAt(about));
    const QPointF fixed = unplace(side, about);
    m_zoom = std::clamp(m_zoom * factor, 0.5, 20.0);
    m_center += fixed - unplace(side, about);
}

void GraphScene::pan(const QPointF& delta) {
    m_center -= delta / scale();
}

// The area of all nodes together is a fixed share of the side's.
double GraphScene::nodeScale() const {
    const QRectF rect = sideRect(0);
    const double room = std::sqrt(rect.width() * rect.height() / std::max(1, m_data->nodes));
    return std::clamp(room * 0.2, 2.5, 15.0) * std::pow(m_zoom, 0.6);
}

double GraphScene::radius(int side, int node) const {
    const double use
        = m_data->sides[static_cast<std::size_t>(side)].use[static_cast<std::size_t>(node)];
    const double share = m_data->largestUse > 0 && use > 0 ? use / m_data->largestUse : 0;
    return nodeScale() * (0.35 + 0.65 * std::sqrt(share));
}

int GraphScene::sideAt(const QPointF& point) const {
    for (int side = 0; side < sideCount(); ++side)
        if (sideRect(side).contains(point))
            return side;
    return -1;
}

int GraphScene::nodeAt(const QPointF& point) const {
    const int side = sideAt(point);
    if (side < 0)
        return -1;
    int found = -1;
    double nearest = 1e300;
    for (int node = 0; node < m_data->nodes; ++node) {
        const QPointF way = place(side, node) - point;
        const double distance = std::hypot(way.x(), way.y());
        if (distance <= std::max(7.0, radius(side, node) + 3) && distance < nearest) {
            nearest = distance;
            found = node;
        }
    }
    return found;
}

std::vector<int> GraphScene::neighbours(int side, int node) const {
    std::vector<int> found;
    for (const GraphEdge& edge : m_data->sides[static_cast<std::size_t>(side)].edges)
        if (edge.first == node || edge.second == node)
            found.push_back(edge.first == node ? edge.second : edge.first);
    std::sort(found.begin(), found.end());
    return found;
}

int GraphScene::nodeTowards(int node, const QPointF& direction) const {
    if (node < 0 || node >= m_data->nodes)
        return m_data->nodes > 0 ? 0 : -1;
    const QPointF here = m_positions[static_cast<std::size_t>(node)];
    int found = node;
    double best = 1e300;
    for (int other = 0; other < m_data->nodes; ++other) {
        const QPointF way = m_positions[static_cast<std::size_t>(other)] - here;
        const double along = QPointF::dotProduct(way, direction);
        const double across = std::abs(way.x() * direction.y() - way.y() * direction.x());
        if (other == node || along <= 1e-9)
            continue;
        if (const double cost = along + 2.5 * across; cost < best) {
            best = cost;
            found = other;
        }
    }
    return found;
}

// The hovered node with its neighbors on either side; empty: nothing is hovered.
std::vector<bool> GraphScene::lit(const GraphMarks& marks) const {
    if (marks.hovered < 0 || marks.hovered >= m_data->nodes)
        return {};
    std::vector<bool> lit(static_cast<std::size_t>(m_data->nodes), false);
    lit[static_cast<std::size_t>(marks.hovered)] = true;
    for (int side = 0; side < sideCount(); ++side)
        for (const int node : neighbours(side, marks.hovered))
            lit[static_cast<std::size_t>(node)] = true;
    return lit;
}

std::vector<GraphLine> GraphScene::lines(int side, const GraphMarks& marks) const {
    const bool dark = m_colors->kind == ThemeKind::Dark;
    const QColor plain = dark ? QColor(0xc8, 0xd2, 0xdf) : QColor(0x3c, 0x46, 0x52);
    const auto& edges = m_data->sides[static_cast<std::size_t>(side)].edges;
    // Many edges overlap, so each is fainter.
    const double strength
        = std::clamp(std::sqrt(260.0 / std::max<std::size_t>(1, edges.size())), 0.12, 1.0)
        * (dark ? 0.75 : 0.85);
    const double largest = m_data->largestWeight > 0 ? m_data->largestWeight : 1;
    std::vector<GraphLine> lines;
    std::vector<GraphLine> front;
    lines.reserve(edges.size());
    for (const GraphEdge& edge : edges) {
        const double share = edge.weight / largest;
        const bool own = edge.first == marks.hovered || edge.second == marks.hovered;
        GraphLine line{place(side, edge.first), place(side, edge.second), {}, 1};
        if (own) {
            line.color = faded(m_colors->accent, 0.35 + 0.65 * share);
            line.width = 1.6;
            front.push_back(line);
        } else {
            const double back = marks.hovered >= 0 ? 0.35 : 1;
            line.color = faded(plain, (0.06 + 0.94 * share) * strength * back);
            lines.push_back(line);
        }
    }
    lines.insert(lines.end(), front.begin(), front.end());
    return lines;
}

std::vector<GraphDot> GraphScene::dots(int side, const GraphMarks& marks) const {
    const std::vector<bool> lit = this->lit(marks);
    std::vector<GraphDot> dots;
    dots.reserve(static_cast<std::size_t>(m_data->nodes));
    for (int node = 0; node < m_data->nodes; ++node) {
        const auto at = static_cast<std::size_t>(node);
        GraphDot dot;
        dot.center = place(side, node);
        dot.radius = radius(side, node);
        const int community = m_data->baseCommunity[at];
        dot.fill = community < 0 ? m_colors->base : communityColor(community);
        const bool quiet = !lit.empty() && !lit[at];
        if (quiet)
            dot.fill = faded(dot.fill, 0.3);
        if (m_data->moved(node)) {
            dot.ring = communityColor(m_data->tunedCommunity[at]);
            if (quiet)
                dot.ring = faded(dot.ring, 0.4);
            dot.ringWidth = std::max(2.0, dot.radius * 0.3);
            dot.ringRadius = dot.radius + 1.5 + dot.ringWidth / 2;
        }
        dots.push_back(dot);
    }
    return dots;
}

void GraphScene::paintShapes(QPainter& painter, const GraphMarks& marks) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (int side = 0; side < sideCount(); ++side) {
        painter.setClipRect(sideRect(side));
        for (const GraphLine& line : lines(side, marks)) {
            painter.setPen(QPen(line.color, line.width));
            painter.drawLine(line.from, line.to);
        }
        for (const GraphDot& dot : dots(side, marks)) {
            // Edges end at the node, and a ring stands free of it.
            painter.setPen(Qt::NoPen);
            painter.setBrush(m_colors->canvas);
            const double free
                = dot.ring.isValid() ? dot.ringRadius + dot.ringWidth / 2 : dot.radius;
            painter.drawEllipse(dot.center, free + 1, free + 1);
            painter.setBrush(dot.fill);
            painter.drawEllipse(dot.center, dot.radius, dot.radius);
            if (!dot.ring.isValid())
                continue;
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(dot.ring, dot.ringWidth));
            painter.drawEllipse(dot.center, dot.ringRadius, dot.ringRadius);
        }
    }
    painter.restore();
}

} // namespace mooring
