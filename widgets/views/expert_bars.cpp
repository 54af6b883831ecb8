// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/expert_bars.h"
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

constexpr double kNarrow = 5; // below this width columns become one outline

// The next of 1, 2, 5 times a power of ten: an axis that does not jump from frame to frame.
double niceCeiling(double value) {
    if (!(value > 0))
        return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double step : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 8.0, 10.0})
        if (value <= step * power * (1 + 1e-9))
            return step * power;
    return 10 * power;
}

class Bars {
public:
    Bars(QPainter& painter, const QRectF& area, const ExpertBarsData& data, const QRectF& map,
        const HeatMapGeometry& geometry, const ThemeColors& colors, const QFont& font)
        : m_painter(painter)
        , m_area(area)
        , m_data(data)
        , m_geometry(geometry)
        , m_colors(colors)
        , m_metrics(font) {
        m_plot = QRectF(map.left(), area.top() + m_metrics.height() + 16, map.width(),
            std::max(10.0, area.height() - m_metrics.height() - 28));
        double largest = 0;
        for (const auto* values : {&data.base, &data.tuned})
            for (const double value : *values)
                largest = std::isnan(value) ? largest : std::max(largest, value);
        m_top = niceCeiling(largest);
    }

    void paint(int marked) {
        paintAxis();
        paintTitle();
        m_painter.save();
        m_painter.setClipRect(m_plot.adjusted(-1, -2, 1, 2));
        if (m_geometry.columnWidth >= kNarrow)
            paintColumns(marked);
        else
            paintOutlines();
        m_painter.restore();
    }

private:
    double x(double column) const {
        return m_plot.left() + (column - m_geometry.firstColumn) * m_geometry.columnWidth;
    }
    double y(double value) const {
        return m_plot.bottom() - (std::isnan(value) ? 0 : value / m_top * m_plot.height());
    }

    void paintAxis() {
        for (const double share : {0.0, 0.5, 1.0}) {
            const double line = std::round(y(share * m_top)) - 0.5;
            m_painter.setPen(QPen(m_colors.grid, 1));
            m_painter.drawLine(QPointF(m_plot.left(), line), QPointF(m_plot.right(), line));
            m_painter.setPen(m_colors.mutedText);
            const QRectF box(m_area.left(), line - m_metrics.height() / 2,
                m_plot.left() - 12 - m_area.left(), m_metrics.height());
            m_painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter,
                formatNumber(share * m_top * 100, 2) + QStringLiteral(" %"));
        }
    }

    void paintTitle() {
        const QRectF line(m_plot.left(), m_area.top() + 4, m_plot.width(), m_metrics.height());
        m_painter.setPen(m_colors.text);
        m_painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, m_data.title);
        double right = line.right();
        right = paintKey(line, right, m_data.tunedName, m_colors.accent);
        paintKey(line, right - 18, m_data.baseName, wide(m_colors.base));
    }

    double paintKey(const QRectF& line, double right, const QString& name, const QColor& color) {
        if (name.isEmpty())
            return right;
        const double width = m_metrics.horizontalAdvance(name);
        m_painter.setPen(m_colors.mutedText);
        m_painter.drawText(QRectF(right - width, line.top(), width, line.height()),
            Qt::AlignLeft | Qt::AlignVCenter, name);
        const QRectF swatch(right - width - 16, line.center().y() - 4, 10, 8);
        m_painter.fillRect(swatch, color);
        return swatch.left();
    }

    static QColor wide(QColor color) {
        color.setAlpha(130);
        return color;
    }

    void paintColumns(int marked) {
        const double width = m_geometry.columnWidth - (m_geometry.gaps ? 1 : 0);
        const double inner = std::max(2.0, std::floor(width * 0.5));
        const int columns = static_cast<int>(m_data.base.size());
        for (int column = 0; column < columns; ++column) {
            const double left = x(column);
            if (left + width < m_plot.left() || left > m_plot.right())
                continue;
            if (column == marked)
                m_painter.fillRect(
                    QRectF(left, m_plot.top(), width, m_plot.height()), m_colors.grid);
            const double base = y(m_data.base[column]);
            m_painter.fillRect(
                QRectF(left, base, width, m_plot.bottom() - base), wide(m_colors.base));
            const double tuned = y(m_data.tuned[column]);
            m_painter.fillRect(
                QRectF(left + (width - inner) / 2, tuned, inner, m_plot.bottom() - tuned),
                m_colors.accent);
        }
    }

    QPolygonF outline(const std::vector<double>& values) const {
        QPolygonF line;
        for (std::size_t column = 0; column < values.size(); ++column)
            line << QPointF(x(double(column)), y(values[column]))
                 << QPointF(x(double(column) + 1), y(values[column]));
        return line;
    }

    void paintOutlines() {
        QPolygonF filled = outline(m_data.base);
        if (!filled.isEmpty()) {
            filled << QPointF(filled.last().x(), m_plot.bottom());
            filled << QPointF(filled.first().x(), m_plot.bottom());
        }
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(wide(m_colors.base));
        m_painter.drawPolygon(filled);
        if (m_data.tunedName.isEmpty())
            return;
        // Level and upright pieces only: rectangles, where a stroked line of this length is slow.
        double before = m_plot.bottom();
        for (std::size_t column = 0; column < m_data.tuned.size(); ++column) {
            const double left = x(double(column));
            const double right = x(double(column) + 1);
            const double level = y(m_data.tuned[column]);
            if (right >= m_plot.left() && left <= m_plot.right()) {
                const double top = std::min(before, level);
                m_painter.fillRect(QRectF(left - 0.5, top - 0.5, 1, std::abs(before - level) + 1),
                    m_colors.accent);
                m_painter.fillRect(QRectF(left, level - 0.5, right - left, 1), m_colors.accent);
            }
            before = level;
        }
    }

    QPainter& m_painter;
    QRectF m_area;
    const ExpertBarsData& m_data;
    const HeatMapGeometry& m_geometry;
    const ThemeColors& m_colors;
    QFontMetricsF m_metrics;
    QRectF m_plot;
    double m_top = 1;
};

} // namespace

void paintExpertBars(QPainter& painter, const QRectF& area, const ExpertBarsData& data,
    const QRectF& map, const HeatMapGeometry& geometry, int markedColumn, const ThemeColors& colors,
    const QFont& font) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font);
    Bars(painter, area, data, map, geometry, colors, font).paint(markedColumn);
    painter.restore();
}

ExpertBars::ExpertBars(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ExpertBars::setData(ExpertBarsData data) {
    m_data = std::move(data);
    setAccessibleName(m_data.title);
    update();
}

void ExpertBars::align(const QRectF& map, const HeatMapGeometry& geometry) {
    m_map = map;
    m_geometry = geometry;
    update();
}

void ExpertBars::setMarkedColumn(int column) {
    if (column == m_marked)
        return;
    m_marked = column;
    update();
}

void ExpertBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = themeColors(*this);
    painter.fillRect(rect(), colors.canvas);
    if (!m_data.base.empty())
        paintExpertBars(
            painter, rect(), m_data, m_map, m_geometry, m_marked, colors, numberFont(font()));
}

} // namespace mooring
