// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers, labels, legend and marks of the graphs.
#include "widgets/graph/graph_scene.h"
#include <QFontMetricsF>
#include <QObject>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

constexpr auto kLeft = Qt::AlignLeft | Qt::AlignVCenter;
constexpr double kNumbered = 6.5; // radius from which the number is in the node

} // namespace

void GraphScene::paintOverlay(QPainter& painter, const GraphMarks& marks) const {
    if (m_data->nodes == 0)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(m_font);
    paintTitles(painter);
    for (int side = 0; side < sideCount(); ++side) {
        painter.save();
        painter.setClipRect(sideRect(side));
        paintNumbers(painter, side, marks);
        paintMarks(painter, side, marks);
        paintLabels(painter, side, marks);
        painter.restore();
    }
    paintLegend(painter);
    if (marks.hovered >= 0 && marks.hovered < m_data->nodes && !marks.card.empty()) {
        const int side = std::clamp(marks.hoveredSide, 0, std::max(0, sideCount() - 1));
        const double out = radius(side, marks.hovered);
        paintCard(painter, marks.card, place(side, marks.hovered) + QPointF(out, out), m_bounds,
            *m_colors, m_font);
    }
    painter.restore();
}

void GraphScene::paintTitles(QPainter& painter) const {
    const QFontMetricsF metrics(m_font);
    for (int side = 0; side < sideCount(); ++side) {
        const QRectF rect = sideRect(side);
        const GraphSide& data = m_data->sides[static_cast<std::size_t>(side)];
        const QRectF line(
            rect.left() + 16, m_bounds.top() + 8, rect.width() - 32, metrics.height());
        painter.setFont(strongFont(m_font));
        painter.setPen(m_colors->text);
        painter.drawText(line, kLeft, data.title);
        const double used = QFontMetricsF(painter.font()).horizontalAdvance(data.title) + 10;
        painter.setFont(m_font);
        painter.setPen(m_colors->mutedText);
        painter.drawText(line.adjusted(used, 0, 0, 0), kLeft,
            QObject::tr("%1 edges").arg(formatCount(static_cast<qint64>(data.edges.size()))));
        if (side == 0)
            continue;
        painter.setPen(QPen(m_colors->grid, 1));
        const double x = std::round(rect.left() - 4) + 0.5;
        painter.drawLine(QPointF(x, m_bounds.top() + 8), QPointF(x, rect.bottom()));
    }
}

// In the node where it is large enough; else one number in the middle of each base community.
void GraphScene::paintNumbers(QPainter& painter, int side, const GraphMarks& marks) const {
    QFont font = strongFont(m_font);
    int small = 0;
    for (int node = 0; node < m_data->nodes; ++node) {
        const int community = m_data->baseCommunity[static_cast<std::size_t>(node)];
        const double size = radius(side, node);
        if (size < kNumbered || community < 0) {
            ++small;
            continue;
        }
        const QPointF at = place(side, node);
        font.setPixelSize(std::clamp(static_cast<int>(size * 1.05), 9, 15));
        painter.setFont(font);
        painter.setPen(textOn(communityColor(community)));
        painter.drawText(
            QRectF(at.x() - 20, at.y() - 12, 40, 24), Qt::AlignCenter, communityLabel(community));
    }
    if (small * 2 > m_data->nodes && marks.hovered < 0)
        paintCommunityNumbers(painter, side);
    painter.setFont(m_font);
}

// Communities of one are shown by the pointer only.
void GraphScene::paintCommunityNumbers(QPainter& painter, int side) const {
    std::vector<QPointF> middle(static_cast<std::size_t>(m_data->communities()));
    std::vector<int> members(middle.size(), 0);
    for (int node = 0; node < m_data->nodes; ++node) {
        const int community = m_data->baseCommunity[static_cast<std::size_t>(node)];
        if (community < 0)
            continue;
        middle[static_cast<std::size_t>(community)] += place(side, node);
        ++members[static_cast<std::size_t>(community)];
    }
    QFont font = strongFont(m_font);
    font.setPixelSize(13);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    for (std::size_t i = 0; i < middle.size(); ++i) {
        if (members[i] < 2)
            continue;
        const int community = static_cast<int>(i);
        const QPointF at = middle[i] / members[i];
        const double width
            = std::max(16.0, metrics.horizontalAdvance(communityLabel(community)) + 8);
        const QRectF chip(at.x() - width / 2, at.y() - 9, width, 18);
        painter.setPen(QPen(m_colors->canvas, 1.5));
        painter.setBrush(communityColor(community));
        painter.drawRoundedRect(chip, 9, 9);
        painter.setPen(textOn(communityColor(community)));
        painter.drawText(chip, Qt::AlignCenter, communityLabel(community));
    }
}

QString GraphScene::labelOf(int side, int node) const {
    const QString name = QString::number(node);
    if (side == 0 || !m_data->moved(node))
        return name;
    const auto at = static_cast<std::size_t>(node);
    return QStringLiteral("%1: %2\u2192%3")
        .arg(name, communityLabel(m_data->baseCommunity[at]),
            communityLabel(m_data->tunedCommunity[at]));
}

// Moved experts, or the hovered node's neighborhood; the chosen one always.
std::vector<int> GraphScene::labelled(int side, const GraphMarks& marks) const {
    std::vector<int> nodes;
    if (marks.hovered >= 0 && marks.hovered < m_data->nodes) {
        nodes.push_back(marks.hovered);
        for (const int node : neighbours(side, marks.hovered))
            nodes.push_back(node);
    }
    const auto has = [&](int node) { return std::count(nodes.begin(), nodes.end(), node) > 0; };
    if (marks.selected >= 0 && marks.selected < m_data->nodes && !has(marks.selected))
        nodes.push_back(marks.selected);
    if (marks.hovered < 0)
        for (int node = 0; node < m_data->nodes; ++node)
            if (m_data->moved(node) && !has(node))
                nodes.push_back(node);
    return nodes;
}

// A label that would cover another goes to another side of its node, or away.
void GraphScene::paintLabels(QPainter& painter, int side, const GraphMarks& marks) const {
    painter.setFont(smallFont(m_font));
    const QFontMetricsF metrics(painter.font());
    const double height = metrics.height();
    std::vector<QRectF> taken;
    for (const int node : labelled(side, marks)) {
        const QString text = labelOf(side, node);
        const double width = metrics.horizontalAdvance(text) + 6;
        double out = radius(side, node) + 3;
        if (m_data->moved(node))
            out += std::max(2.0, radius(side, node) * 0.3) + 1.5;
        const QPointF at = place(side, node);
        const QRectF places[] = {{at.x() + out, at.y() - height / 2, width, height},
            {at.x() - out - width, at.y() - height / 2, width, height},
            {at.x() - width / 2, at.y() - out - height, width, height},
            {at.x() - width / 2, at.y() + out, width, height}};
        const auto* box = std::find_if(std::begin(places), std::end(places), [&](const QRectF& b) {
            return sideRect(side).contains(b)
                && std::none_of(taken.begin(), taken.end(),
                    [&](const QRectF& other) { return other.intersects(b); });
        });
        if (box == std::end(places))
            continue;
        taken.push_back(*box);
        QColor back = m_colors->canvas;
        back.setAlpha(205);
        painter.setPen(Qt::NoPen);
        painter.setBrush(back);
        painter.drawRoundedRect(*box, 3, 3);
        const bool front = m_data->moved(node) || node == marks.hovered;
        painter.setPen(front ? m_colors->text : m_colors->mutedText);
        painter.drawText(*box, Qt::AlignCenter, text);
    }
    painter.setFont(m_font);
}

void GraphScene::paintMarks(QPainter& painter, int side, const GraphMarks& marks) const {
    painter.setBrush(Qt::NoBrush);
    const auto ring = [&](int node, const QColor& color, double width) {
        const double out = radius(side, node) * (m_data->moved(node) ? 1.3 : 1) + 4;
        painter.setPen(QPen(color, width));
        painter.drawEllipse(place(side, node), out + 1, out + 1);
    };
    if (marks.selected >= 0 && marks.selected < m_data->nodes)
        ring(marks.selected, m_colors->accent, 2);
    if (marks.hovered >= 0 && marks.hovered < m_data->nodes)
        ring(marks.hovered, m_colors->cross, 1.5);
    for (std::size_t node = 0; node < marks.pinned.size(); ++node) {
        if (!marks.pinned[node])
            continue;
        // A pin: a dot above the node.
        const QPointF at = place(side, static_cast<int>(node));
        painter.setPen(QPen(m_colors->canvas, 1));
        painter.setBrush(m_colors->text);
        painter.drawEllipse(at - QPointF(0, radius(side, static_cast<int>(node)) + 4), 2.5, 2.5);
        painter.setBrush(Qt::NoBrush);
    }
}

// What fill, ring, size and edges mean, and the color of every community with its number.
void GraphScene::paintLegend(QPainter& painter) const {
    painter.setFont(smallFont(m_font));
    const QFontMetricsF metrics(painter.font());
    const double y = m_bounds.bottom() - 16;
    double x = m_bounds.left() + 16;
    const auto write = [&](const QString& text) {
        const double width = metrics.horizontalAdvance(text);
        if (x + width > m_bounds.right() - 12)
            return;
        painter.setPen(m_colors->mutedText);
        painter.drawText(QRectF(x, y - 10, width + 4, 20), kLeft, text);
        x += width + 16;
    };
    write(QObject::tr("base community"));
    x -= 8;
    paintLegendChips(painter, x, y);
    if (sideCount() > 1) {
        painter.setBrush(m_colors->base);
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(QPointF(x + 8, y), 4, 4);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_colors->text, 2));
        painter.drawEllipse(QPointF(x + 8, y), 7, 7);
        x += 22;
        write(QObject::tr("ring: tuned community, if moved"));
    }
    write(QObject::tr("size: utilization"));
    write(QObject::tr("line: tokens routed to both"));
    painter.setFont(m_font);
}

void GraphScene::paintLegendChips(QPainter& painter, double& x, double y) const {
    const QFontMetricsF metrics(painter.font());
    const int shown = std::min(m_data->communities(), 24);
    for (int community = 0; community < shown; ++community) {
        const QString text = communityLabel(community);
        const double width = std::max(17.0, metrics.horizontalAdvance(text) + 8);
        painter.setPen(Qt::NoPen);
        painter.setBrush(communityColor(community));
        painter.drawRoundedRect(QRectF(x, y - 8, width, 16), 8, 8);
        painter.setPen(textOn(communityColor(community)));
        painter.drawText(QRectF(x, y - 8, width, 16), Qt::AlignCenter, text);
        x += width + 3;
    }
    x += 12;
}

} // namespace mooring
