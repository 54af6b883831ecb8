// SPDX-License-Identifier: GPL-3.0-or-later
// How a scatter is drawn; the same on the screen and in exports.
#include "widgets/charts/scatter_canvas.h"
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <optional>

namespace mooring {
namespace {

constexpr double kLeft = 56, kRight = 16, kTop = 12, kBottom = 40, kGap = 8;
constexpr double kDot = 9, kTrailDot = 4;

// A place for a text of this size next to `at`, inside the plot and free of overlap.
std::optional<QRectF> freePlace(
    const QPointF& at, const QSizeF& size, const QRectF& plot, const std::vector<QRectF>& taken) {
    const double w = size.width(), h = size.height();
    for (const QPointF& corner :
        {QPointF(8, -h - 2), QPointF(8, 3), QPointF(-w - 8, -h - 2), QPointF(-w - 8, 3),
            QPointF(-w / 2, -h - 10), QPointF(-w / 2, 10), QPointF(16, -24), QPointF(16, 14)}) {
        const QRectF box(at + corner, size);
        if (plot.adjusted(-4, -4, 12, 4).contains(box)
            && std::none_of(taken.begin(), taken.end(),
                [&](const QRectF& other) { return other.intersects(box); }))
            return box;
    }
    return {};
}

} // namespace

std::vector<QRectF> ScatterCanvas::panelRects(const QRectF& area) const {
    std::vector<QRectF> rects;
    const double count = std::max<double>(static_cast<double>(m_panels.size()), 1);
    const double width = (area.width() - (count - 1) * kGap) / count;
    for (std::size_t i = 0; i < m_panels.size(); ++i)
        rects.push_back(QRectF(
            area.left() + static_cast<double>(i) * (width + kGap), area.top(), width, area.height())
                            .adjusted(kLeft, kTop, -kRight, -kBottom));
    return rects;
}

QPointF ScatterCanvas::place(const ScatterPanel& panel, const QRectF& plot, double x, double y) {
    const double u = (x - panel.x.low) / (panel.x.high - panel.x.low);
    const double v = (y - panel.y.low) / (panel.y.high - panel.y.low);
    return {plot.left() + u * plot.width(), plot.bottom() - v * plot.height()};
}

QColor ScatterCanvas::faded(QColor color, int row) const {
    if (m_highlighted >= 0 && row != m_highlighted)
        color.setAlphaF(0.25F * color.alphaF());
    return color;
}

void ScatterCanvas::paintInto(
    QPainter& painter, const QRectF& area, const ThemeColors& colors) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const auto rects = panelRects(area);
    for (std::size_t i = 0; i < rects.size(); ++i)
        paintPanel(painter, m_panels[i], rects[i], colors);
    painter.restore();
}

void ScatterCanvas::paintPanel(QPainter& painter, const ScatterPanel& panel, const QRectF& plot,
    const ThemeColors& colors) const {
    paintAxes(painter, panel, plot, colors);
    if (panel.dots.empty() && panel.crosses.empty()) {
        painter.setPen(colors.mutedText);
        painter.drawText(plot, Qt::AlignCenter, tr("no run has both values"));
        return;
    }
    paintDots(painter, panel, plot, colors);
    paintCrosses(painter, panel, plot, colors);
    paintLabels(painter, panel, plot, colors);
}

void ScatterCanvas::paintAxes(QPainter& painter, const ScatterPanel& panel, const QRectF& plot,
    const ThemeColors& colors) const {
    painter.setFont(numberFont(smallFont(font())));
    const double high = painter.fontMetrics().height();
    for (const auto& tick : panel.x.ticks) {
        const double x = place(panel, plot, tick.position, panel.y.low).x();
        painter.setPen(colors.grid);
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter.setPen(colors.mutedText);
        painter.drawText(QRectF(x - 40, plot.bottom() + 3, 80, high), Qt::AlignHCenter, tick.label);
    }
    for (const auto& tick : panel.y.ticks) {
        const double y = place(panel, plot, panel.x.low, tick.position).y();
        painter.setPen(colors.grid);
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(colors.mutedText);
        painter.drawText(QRectF(plot.left() - kLeft + 18, y - high / 2, kLeft - 24, high),
            Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    painter.setFont(smallFont(font()));
    painter.setPen(colors.text);
    painter.drawText(QRectF(plot.left(), plot.bottom() + 4 + high, plot.width(), high),
        Qt::AlignHCenter, panel.xTitle);
    painter.save();
    painter.translate(plot.left() - kLeft + 2, plot.center().y());
    painter.rotate(-90);
    painter.drawText(
        QRectF(-plot.height() / 2, 0, plot.height(), high), Qt::AlignHCenter, panel.yTitle);
    painter.restore();
}

// Trails first, so that no line crosses a run's dot.
void ScatterCanvas::paintDots(QPainter& painter, const ScatterPanel& panel, const QRectF& plot,
    const ThemeColors& colors) const {
    const ScatterDot* before = nullptr;
    for (const auto& dot : panel.dots) {
        const QPointF at = place(panel, plot, dot.x, dot.y);
        const auto marker = markerOf(*m_table, dot.row, colors);
        QColor line = faded(marker.color, dot.row);
        line.setAlphaF(0.45F * line.alphaF());
        painter.setPen(QPen(line, 1.2));
        if (before && before->run == dot.run)
            painter.drawLine(place(panel, plot, before->x, before->y), at);
        if (!dot.last) {
            painter.setPen(Qt::NoPen);
            paintMarker(painter, {faded(marker.color, dot.row), marker.shape}, at, kTrailDot);
        }
        before = &dot;
    }
    for (const auto& dot : panel.dots) {
        if (!dot.last)
            continue;
        auto marker = markerOf(*m_table, dot.row, colors);
        marker.color = faded(marker.color, dot.row);
        painter.setPen(QPen(faded(colors.canvas, dot.row), 1));
        paintMarker(painter, marker, place(panel, plot, dot.x, dot.y), kDot);
    }
}

void ScatterCanvas::paintCrosses(QPainter& painter, const ScatterPanel& panel, const QRectF& plot,
    const ThemeColors& colors) const {
    for (const auto& cross : panel.crosses) {
        const auto marker = markerOf(*m_table, cross.row, colors);
        painter.setPen(QPen(faded(marker.color, cross.row), 1.4));
        if (m_table->rows[static_cast<std::size_t>(cross.row)].base) {
            paintMarker(painter, marker, place(panel, plot, cross.x, cross.y), kDot);
            continue;
        }
        const QPointF at = place(panel, plot, cross.x, cross.y);
        const auto reach = [&](double dx, double dy) {
            const QPointF end = place(panel, plot, cross.x + dx, cross.y + dy) - at;
            const double least = 5; // zero deviation still draws a cross
            return QPointF(std::max(std::abs(end.x()), dx != 0 ? least : 0.0),
                std::max(std::abs(end.y()), dy != 0 ? least : 0.0));
        };
        const double wide = std::max(reach(std::max(cross.sdX, 1e-12), 0).x(), 5.0);
        const double tall = std::max(reach(0, std::max(cross.sdY, 1e-12)).y(), 5.0);
        painter.drawLine(at - QPointF(wide, 0), at + QPointF(wide, 0));
        painter.drawLine(at - QPointF(0, tall), at + QPointF(0, tall));
    }
}

// Names next to the means if there is room, else their numbers; overlapping ones are left to the
// table and the readout.
void ScatterCanvas::paintLabels(QPainter& painter, const ScatterPanel& panel, const QRectF& plot,
    const ThemeColors& colors) const {
    painter.setFont(smallFont(font()));
    const QFontMetricsF metrics(painter.font());
    std::vector<QRectF> taken;
    for (const auto& dot : panel.dots)
        if (dot.last)
            taken.push_back(QRectF(place(panel, plot, dot.x, dot.y) - QPointF(4, 4), QSizeF(8, 8)));
    auto crosses = panel.crosses;
    std::stable_sort(crosses.begin(), crosses.end(), [&](const auto& a, const auto& b) {
        return (a.row == m_highlighted) > (b.row == m_highlighted);
    });
    for (const auto& cross : crosses)
        for (const QString& text :
            {rowLabel(*m_table, cross.row), rowNumber(*m_table, cross.row)}) {
            const QSizeF size(metrics.horizontalAdvance(text) + 2, metrics.height());
            const auto box = freePlace(place(panel, plot, cross.x, cross.y), size, plot, taken);
            if (!box || text.isEmpty())
                continue;
            taken.push_back(*box);
            painter.setPen(faded(colors.text, cross.row));
            painter.drawText(*box, Qt::AlignCenter, text);
            break;
        }
}

} // namespace mooring
