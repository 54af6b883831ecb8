// SPDX-License-Identifier: GPL-3.0-or-later
// The cells by QPainter: exports, and screens without OpenGL. The shader of heat_map_surface.cpp
// draws the same pixels.
#include "widgets/heatmap/heat_map.h"
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

namespace mooring {
namespace {

constexpr int kNoData = -1;

// Edges on whole device pixels where there are pixels, exact where the picture is vectors. A pixel
// whose center is on an edge (but for rounding) belongs to the later cell, as in the shader.
double snapped(double position, double scale, bool raster) {
    return raster ? std::ceil(position * scale - 0.501) / scale : position;
}

double meanOf(const HeatMapData& data, int row, int first, int last) {
    double sum = 0;
    int count = 0;
    for (int column = first; column <= last; ++column) {
        const double value = data.value(row, column);
        if (!std::isnan(value)) {
            sum += value;
            ++count;
        }
    }
    return count > 0 ? sum / count : std::nan("");
}

bool isRaster(const QPainter& painter) {
    const QPaintEngine* engine = painter.paintEngine();
    return !engine || (engine->type() != QPaintEngine::SVG && engine->type() != QPaintEngine::Pdf);
}

} // namespace

// Cells by color: one change of brush a color makes vector files a third as large.
struct HeatMapScene::CellPainting {
    bool raster = true;
    double scale = 1;
    std::array<QList<QRectF>, 256> cells;
    QList<QRectF> noData;
};

void HeatMapScene::paintCells(QPainter& painter) const {
    if (m_data->rows == 0 || m_data->columns == 0)
        return;
    CellPainting painting;
    painting.raster = isRaster(painter);
    painting.scale = painting.raster ? painter.deviceTransform().m11() : 1;
    const double shown = m_map.height() / m_geometry.rowHeight;
    const int last
        = std::min(m_data->rows - 1, static_cast<int>(std::ceil(m_geometry.firstRow + shown)) - 1);
    for (int row = static_cast<int>(m_geometry.firstRow); row <= last; ++row)
        collectRow(painting, row);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    for (int index = 0; index < 256; ++index) {
        if (painting.cells[index].isEmpty())
            continue;
        painter.setBrush(QColor(table()[index]));
        painter.drawRects(painting.cells[index]);
    }
    for (const QRectF& area : painting.noData)
        paintHatch(painter, area, *m_colors);
    painter.restore();
}

// Neighbors of one color become one rectangle where no gap parts them.
void HeatMapScene::collectRow(CellPainting& painting, int row) const {
    const HeatMapGeometry& g = m_geometry;
    const auto [raster, scale] = std::pair(painting.raster, painting.scale);
    const QRectF whole = cellRect({row, 0});
    const double top = std::max(snapped(whole.top(), scale, raster), m_map.top());
    const double bottom = std::min(snapped(whole.bottom(), scale, raster), m_map.bottom());
    if (bottom <= top)
        return;
    const int step = columnsPerPixel(scale);
    const double shown = m_map.width() / g.columnWidth;
    const int last
        = std::min(m_data->columns - 1, static_cast<int>(std::ceil(g.firstColumn + shown)) - 1);
    const double gap = g.gaps ? 1 / scale : 0;
    const auto edge = [&](int column) {
        const double x = m_map.left() + (column - g.firstColumn) * g.columnWidth;
        return std::clamp(snapped(x, scale, raster), m_map.left(), m_map.right());
    };
    const auto colorAt = [&](int column) {
        const double value
            = meanOf(*m_data, row, column, std::min(column + step - 1, m_data->columns - 1));
        return std::isnan(value) ? kNoData : m_range.index(value);
    };
    int column = static_cast<int>(g.firstColumn) / step * step;
    int color = colorAt(column);
    while (column <= last) {
        int next = column + step;
        int nextColor = next <= last ? colorAt(next) : kNoData;
        while (next <= last && nextColor == color && (gap == 0 || color == kNoData)) {
            next += step;
            nextColor = next <= last ? colorAt(next) : kNoData;
        }
        const int end = std::min(next, m_data->columns);
        QRectF cell(QPointF(edge(column), top), QPointF(edge(end) - gap, bottom));
        // Vector viewers antialias edges; a tiny overlap hides the seams.
        if (!raster && gap == 0)
            cell.setRight(std::min(cell.right() + 0.3, m_map.right()));
        if (cell.width() > 0)
            (color == kNoData ? painting.noData : painting.cells[color]).append(cell);
        column = next;
        color = nextColor;
    }
}

} // namespace mooring
