// SPDX-License-Identifier: GPL-3.0-or-later
// Everything around and on top of the cells: labels, communities, notes, marks.
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

// Every how many labels fit when each needs `needed` pixels and has `given`: 1, 2, 5, 10, 20 ...
int labelStep(double needed, double given) {
    int step = 1;
    for (int i = 0; step * given < needed && i < 30; ++i)
        step = (i % 3 == 1) ? step / 2 * 5 : step * 2;
    return step;
}

QColor faded(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
}

// A label in front of the others at the pointer's row or column.
void paintChip(QPainter& painter, const QRectF& area, const QString& text,
    const ThemeColors& colors, Qt::Alignment align) {
    const qreal width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 8;
    QRectF chip(area.center().x() - width / 2, area.top(), width, area.height());
    if (align & Qt::AlignRight)
        chip.moveRight(area.right() + 4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.raised);
    painter.drawRoundedRect(chip, 3, 3);
    painter.setPen(colors.text);
    painter.drawText(chip, kCentre, text);
}

} // namespace

void HeatMapScene::paintOverlay(QPainter& painter, const HeatMapMarks& marks) const {
    if (m_data->rows == 0 || m_data->columns == 0)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(m_font);
    paintGroups(painter, marks);
    paintHeader(painter, marks);
    paintRowLabels(painter, marks);
    paintNotes(painter, marks);
    paintMarks(painter, marks);
    paintLegend(painter, marks);
    if (marks.pointer && !marks.card.empty()) {
        const QRectF cell = cellRect(*marks.pointer);
        const QPointF corner(std::min(cell.right(), cell.left() + 24), cell.center().y());
        paintCard(painter, marks.card, corner, m_bounds, *m_colors, m_font);
    }
    painter.restore();
}

void HeatMapScene::paintRowLabels(QPainter& painter, const HeatMapMarks& marks) const {
    const QFontMetricsF metrics(m_font);
    const double height = m_geometry.rowHeight;
    const int step = labelStep(metrics.height() - 2, height);
    const bool full = step == 1 && height >= metrics.height() + 4;
    const auto area = [&](int row) {
        const QRectF cell = cellRect({row, 0});
        return QRectF(m_bounds.left(), cell.center().y() - metrics.height() / 2,
            m_map.left() - kMargin - m_bounds.left(), metrics.height());
    };
    const auto inside = [&](int row) {
        const double y = area(row).center().y();
        return y >= m_map.top() && y <= m_map.bottom();
    };
    const int marked = marks.pointer ? marks.pointer->row : -1;
    const int chosen = marks.selected ? marks.selected->row : -1;
    // Round layer indices, where there is not room for all.
    int first = 0;
    while (first < std::min(step, m_data->rows) - 1
        && m_data->rowLabels.value(first).toInt() % step != 0)
        ++first;
    for (int row = first; row < m_data->rows; row += step) {
        const bool covered
            = marked >= 0 && marked != row && std::abs(marked - row) * height < metrics.height();
        if (!inside(row) || covered)
            continue;
        painter.setPen(row == chosen ? m_colors->text : m_colors->mutedText);
        painter.drawText(
            area(row), kRight, full ? m_data->rowName(row) : m_data->rowLabels.value(row));
    }
    if (marked >= 0 && inside(marked))
        paintChip(painter, area(marked),
            full ? m_data->rowName(marked) : m_data->rowLabels.value(marked), *m_colors, kRight);
    if (!full) {
        painter.setPen(m_colors->mutedText);
        painter.drawText(QRectF(m_bounds.left(), m_map.top() - metrics.height() - 8,
                             m_map.left() - kMargin - m_bounds.left(), metrics.height()),
            kRight, m_data->rowTitle);
    }
}

void HeatMapScene::paintHeader(QPainter& painter, const HeatMapMarks& marks) const {
    const QFontMetricsF metrics(m_font);
    const QRectF titleLine(m_map.left(), m_bounds.top() + 6, m_map.width(), metrics.height());
    painter.setPen(m_colors->mutedText);
    painter.drawText(titleLine, kLeft, m_data->columnTitle);
    paintColumnLabels(painter, marks);
}

// Numbers of the columns; where columns mean something else in every row, only the pointer's.
void HeatMapScene::paintColumnLabels(QPainter& painter, const HeatMapMarks& marks) const {
    const QFontMetricsF metrics(m_font);
    const QRectF line(
        m_map.left(), m_map.top() - metrics.height() - 8, m_map.width(), metrics.height());
    const auto centre = [&](int column) { return cellRect({0, column}).center().x(); };
    const auto inside = [&](double x) { return x >= m_map.left() && x <= m_map.right(); };
    const auto box = [&](double x) { return QRectF(x - 60, line.top(), 120, line.height()); };
    const QString longest
        = m_data->columnLabels.isEmpty() ? QString() : m_data->columnLabels.last();
    const double needed = metrics.horizontalAdvance(longest) + 12;
    const int marked = marks.pointer ? marks.pointer->column : -1;
    if (!m_data->columnLabels.isEmpty()) {
        const int step = labelStep(needed, m_geometry.columnWidth);
        painter.setPen(m_colors->mutedText);
        const int first = (step - m_data->labelOrigin % step) % step;
        for (int column = first; column < m_data->columns; column += step) {
            const double x = centre(column);
            const bool covered = marked >= 0 && std::abs(x - centre(marked)) < needed;
            if (inside(x) && !covered)
                painter.drawText(box(x), kCentre, m_data->columnLabels[column]);
        }
    }
    if (marked >= 0 && inside(centre(marked))) {
        const int id = m_data->columnId(marks.pointer->row, marked);
        const QString text
            = m_data->columnIds.empty() ? m_data->columnLabels.value(marked) : QString::number(id);
        paintChip(painter, box(centre(marked)), text, *m_colors, kCentre);
    }
}

// A number beside every row; where rows are too low, a bar with the pointer's number only.
void HeatMapScene::paintNotes(QPainter& painter, const HeatMapMarks& marks) const {
    const QFontMetricsF metrics(m_font);
    double left = m_map.right() + 10;
    const bool numbers = m_geometry.rowHeight >= metrics.height() - 1;
    const int marked
        = marks.pointer ? marks.pointer->row : (marks.selected ? marks.selected->row : -1);
    for (const HeatMapNote& note : m_data->notes) {
        const double width = noteWidth(note, metrics) - 14;
        painter.setPen(m_colors->mutedText);
        painter.drawText(QRectF(left, m_map.top() - metrics.height() - 8, width, metrics.height()),
            kRight, note.title);
        double largest = 0;
        for (const double value : note.values)
            largest = std::isnan(value) ? largest : std::max(largest, value);
        for (int row = 0; row < m_data->rows && row < static_cast<int>(note.values.size()); ++row) {
            const QRectF cell = cellRect({row, 0});
            const double y = cell.center().y();
            const double value = note.values[row];
            if (y < m_map.top() || y > m_map.bottom() || std::isnan(value))
                continue;
            const bool covered = !numbers && marked >= 0
                && std::abs(marked - row) * m_geometry.rowHeight < metrics.height() * 0.75;
            const QRectF line(left, y - metrics.height() / 2, width, metrics.height());
            painter.setPen(row == marked ? m_colors->text : m_colors->mutedText);
            if (numbers || row == marked)
                painter.drawText(line, kRight, formatNumber(value));
            else if (!covered && largest > 0)
                painter.fillRect(QRectF(left, cell.top(), width * value / largest,
                                     std::max(1.0, cell.height() - 1)),
                    faded(m_colors->mutedText, 110));
        }
        left += noteWidth(note, metrics);
    }
}

void HeatMapScene::paintMarks(QPainter& painter, const HeatMapMarks& marks) const {
    painter.save();
    painter.setClipRect(m_map.adjusted(-2, -2, 2, 2));
    painter.setBrush(Qt::NoBrush);
    if (marks.selected) {
        const QRectF cell = cellRect({marks.selected->row, marks.selected->column});
        QRectF shape = cell;
        if (marks.selected->column < 0)
            shape = QRectF(m_map.left(), cell.top(), m_map.width(), cell.height());
        if (marks.selected->row < 0)
            shape = QRectF(cell.left(), m_map.top(), cell.width(), m_map.height());
        painter.setPen(QPen(m_colors->cross, 1.5));
        painter.drawRect(shape.adjusted(-1, -1, m_geometry.gaps ? 0 : 1, 1));
    }
    if (marks.pointer) {
        const QRectF cell = cellRect(*marks.pointer);
        painter.setPen(QPen(faded(m_colors->cross, 90), 1));
        const double right = cell.right() - (m_geometry.gaps ? 1 : 0);
        for (const double x : {std::round(cell.left()) - 0.5, std::round(right) + 0.5}) {
            painter.drawLine(QPointF(x, m_map.top()), QPointF(x, cell.top()));
            painter.drawLine(QPointF(x, cell.bottom()), QPointF(x, m_map.bottom()));
        }
        for (const double y : {std::round(cell.top()) - 0.5, std::round(cell.bottom()) + 0.5}) {
            painter.drawLine(QPointF(m_map.left(), y), QPointF(cell.left(), y));
            painter.drawLine(QPointF(cell.right(), y), QPointF(m_map.right(), y));
        }
        painter.setPen(QPen(m_colors->cross, 1.5));
        painter.drawRect(QRectF(
            QPointF(cell.left() - 1, cell.top() - 1), QPointF(right + 1, cell.bottom() + 1)));
    }
    painter.restore();
}

} // namespace mooring
