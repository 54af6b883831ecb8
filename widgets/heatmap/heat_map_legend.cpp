// SPDX-License-Identifier: GPL-3.0-or-later
// Communities of a heat map and the legend of its colors.
#include "widgets/heatmap/heat_map_metrics.h"
#include <QObject>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

constexpr auto kLeft = Qt::AlignLeft | Qt::AlignVCenter;
constexpr auto kRight = Qt::AlignRight | Qt::AlignVCenter;
constexpr auto kCentre = Qt::AlignCenter;

} // namespace

// High rows carry their own bar; low ones are notched where communities meet, and the bar above the
// map is that of the row at the pointer (else the selected, else the first).
void HeatMapScene::paintGroups(QPainter& painter, const HeatMapMarks& marks) const {
    if (m_data->groups.empty())
        return;
    const double height = barHeight(m_geometry.rowHeight);
    const int rows = std::min(m_data->rows, static_cast<int>(m_data->groups.size()));
    painter.save();
    painter.setClipRect(m_map.adjusted(0, -8, 0, 0));
    for (int row = 0; row < rows && !sharedGroups(); ++row) {
        const QRectF cell = cellRect({row, 0});
        const double top = cell.bottom() + (height >= 4 ? 2 : 0);
        if (cell.top() >= m_map.bottom() || top + height <= m_map.top())
            continue;
        if (height > 0)
            paintGroupBar(painter, m_data->groups[row], top, height);
        else
            paintGroupNotches(painter, row);
    }
    painter.restore();
    if (m_geometry.rowHeight >= kNumberedRowHeight && !sharedGroups())
        return;
    int row = marks.selected && marks.selected->row >= 0 ? marks.selected->row : 0;
    if (marks.pointer)
        row = marks.pointer->row;
    row = sharedGroups() ? 0 : std::min(row, rows - 1);
    paintGroupBar(painter, m_data->groups[row], m_map.top() - 6, 4);
    if (m_data->columnLabels.isEmpty())
        paintGroupNumbers(painter, row);
}

void HeatMapScene::paintGroupNotches(QPainter& painter, int row) const {
    const QRectF cell = cellRect({row, 0});
    for (const HeatMapGroup& group : m_data->groups[row]) {
        const double x = std::round(cellRect({row, group.first}).left());
        if (group.first > 0)
            painter.fillRect(QRectF(x - 1, cell.top(), 2, cell.height()), m_colors->canvas);
    }
}

void HeatMapScene::paintGroupNumbers(QPainter& painter, int row) const {
    const QFontMetricsF metrics(m_font);
    painter.setPen(m_colors->mutedText);
    for (const HeatMapGroup& group : m_data->groups[row]) {
        const double left = std::max(cellRect({row, group.first}).left(), m_map.left());
        const double right = std::min(cellRect({row, group.last}).right(), m_map.right());
        const QRectF box(left, m_map.top() - metrics.height() - 8, right - left, metrics.height());
        if (box.width() >= metrics.horizontalAdvance(group.label) + 2)
            painter.drawText(box, kCentre, group.label);
    }
}

void HeatMapScene::paintGroupBar(
    QPainter& painter, const std::vector<HeatMapGroup>& groups, double top, double height) const {
    const QFont small = smallFont(m_font);
    const QFontMetricsF metrics(small);
    painter.setFont(small);
    int index = 0;
    for (const HeatMapGroup& group : groups) {
        const double left = std::round(cellRect({0, group.first}).left());
        const double right = std::round(cellRect({0, group.last}).right());
        const double gap = right - left > 4 ? 1 : 0;
        const QRectF bar(left, std::round(top), right - left - gap, std::round(height));
        const QColor quiet = ++index % 2 ? m_colors->hatch : m_colors->mutedText;
        const QColor color = group.community < 0 ? quiet : communityColor(group.community);
        const QRectF shown(std::max(bar.left(), m_map.left()), bar.top(),
            std::min(bar.right(), m_map.right()) - std::max(bar.left(), m_map.left()),
            bar.height());
        if (shown.width() <= 0)
            continue;
        painter.fillRect(shown, color);
        if (height < metrics.height() - 1
            || shown.width() < metrics.horizontalAdvance(group.label) + 2)
            continue;
        painter.setPen(textOn(color));
        painter.drawText(shown, kCentre, group.label);
    }
    painter.setFont(m_font);
}

void HeatMapScene::paintLegend(QPainter& painter, const HeatMapMarks& marks) const {
    constexpr int kSteps = 128;
    const double width = std::min(300.0, std::max(120.0, m_map.width() * 0.36));
    const QRectF bar(m_legend.left(), m_legend.top() + 2, std::floor(width), kLegendBar);
    const ColorTable& colors = table();
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (int i = 0; i < kSteps; ++i) {
        const double left = std::round(bar.width() * i / kSteps);
        const double right = std::round(bar.width() * (i + 1) / kSteps);
        painter.fillRect(QRectF(bar.left() + left, bar.top(), right - left, bar.height()),
            QColor(colors[i * 256 / kSteps]));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    paintLegendText(painter, bar);
    const auto marked = marks.pointer ? marks.pointer : marks.selected;
    if (!marked || marked->row < 0 || marked->column < 0)
        return;
    const double value = m_data->value(marked->row, marked->column);
    if (std::isnan(value))
        return;
    const double x = std::round(bar.left() + m_range.position(value) * bar.width());
    painter.fillRect(QRectF(x - 1.5, bar.top() - 4, 3, bar.height() + 8), m_colors->canvas);
    painter.fillRect(QRectF(x - 0.5, bar.top() - 4, 1.5, bar.height() + 8), m_colors->text);
}

void HeatMapScene::paintLegendText(QPainter& painter, const QRectF& bar) const {
    const QFontMetricsF metrics(m_font);
    const QRectF line(bar.left(), bar.bottom() + 5, bar.width(), metrics.height());
    painter.setPen(m_colors->mutedText);
    painter.drawText(line, kLeft, m_data->format(m_range.low));
    painter.drawText(line, kRight, m_data->formatWithUnit(m_range.high));
    if (m_data->diverging)
        painter.drawText(line, kCentre, QStringLiteral("0"));
    double left = bar.right() + 24;
    int beyond = 0;
    int missing = 0;
    for (const double value : m_data->values) {
        missing += std::isnan(value);
        beyond += value < m_range.low || value > m_range.high;
    }
    const double middle = bar.center().y() - metrics.height() / 2;
    if (missing > 0) {
        const QString text = QObject::tr("no data");
        paintHatch(painter, QRectF(left, bar.top(), 18, bar.height()), *m_colors);
        painter.setPen(m_colors->mutedText);
        painter.drawText(QRectF(left + 24, middle, 80, metrics.height()), kLeft, text);
        left += 24 + metrics.horizontalAdvance(text) + 20;
    }
    painter.setPen(m_colors->text);
    const QRectF text(left, middle, std::max(0.0, m_bounds.right() - left - 4), metrics.height());
    painter.drawText(
        text, kLeft, metrics.elidedText(m_data->valueTitle, Qt::ElideRight, text.width()));
    QString note = m_rangeNote;
    if (beyond > 0)
        note += (note.isEmpty() ? QString() : QStringLiteral(" \u00b7 "))
            + (beyond == 1 ? QObject::tr("1 cell out of range")
                           : QObject::tr("%1 cells out of range").arg(formatCount(beyond)));
    painter.setPen(m_colors->mutedText);
    painter.drawText(text.translated(0, metrics.height() + 3), kLeft,
        metrics.elidedText(note, Qt::ElideRight, text.width()));
}

} // namespace mooring
