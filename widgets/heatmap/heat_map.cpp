// SPDX-License-Identifier: GPL-3.0-or-later
// Values, geometry and zoom of heat maps; the drawing is in heat_map_cells and heat_map_overlay.
#include "widgets/heatmap/heat_map.h"
#include "widgets/heatmap/heat_map_metrics.h"
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace mooring {

int HeatMapData::columnOfId(int row, int id) const {
    if (columnIds.empty())
        return id >= 0 && id < columns ? id : -1;
    for (int column = 0; column < columns; ++column)
        if (columnId(row, column) == id)
            return column;
    return -1;
}

QString HeatMapData::rowName(int row) const {
    return rowTitle + QLatin1Char(' ') + rowLabels.value(row);
}

QString HeatMapData::format(double value, int digits) const {
    return formatNumber(value * unitScale, digits, diverging);
}

QString HeatMapData::formatWithUnit(double value, int digits) const {
    return std::isnan(value) || unit.isEmpty() ? format(value, digits)
                                               : format(value, digits) + QLatin1Char(' ') + unit;
}

void HeatMapScene::setData(HeatMapPtr data) {
    const bool sameShape = data->rows == m_data->rows && data->columns == m_data->columns;
    m_data = std::move(data);
    if (!sameShape) {
        m_zoomX = m_zoomY = 1;
        m_geometry.firstColumn = m_geometry.firstRow = 0;
    }
    layout(m_bounds, m_font);
}

void HeatMapScene::setRange(const ColorRange& range, const QString& note) {
    m_range = range;
    m_rangeNote = note;
}

const ColorTable& HeatMapScene::table() const {
    return colorTable(m_data->map, m_colors->kind);
}

int HeatMapScene::leftMargin(const QFontMetricsF& metrics) const {
    double width = metrics.horizontalAdvance(m_data->rowTitle);
    const double longest = metrics.horizontalAdvance(
        m_data->rows > 0 ? m_data->rowName(m_data->rows - 1) : QString());
    width = std::max(width, longest);
    return static_cast<int>(std::ceil(width)) + 2 * kMargin;
}

int HeatMapScene::rightMargin(const QFontMetricsF& metrics) const {
    double width = kMargin;
    for (const HeatMapNote& note : m_data->notes)
        width += noteWidth(note, metrics);
    return static_cast<int>(std::ceil(width));
}

double HeatMapScene::idealHeight(const QFont& font) const {
    const QFontMetricsF metrics(font);
    return headerHeight(metrics) + legendHeight(metrics) + m_data->rows * kMaxRowHeight;
}

void HeatMapScene::layout(const QRectF& bounds, const QFont& font) {
    m_bounds = bounds;
    m_font = font;
    const QFontMetricsF metrics(font);
    const double left = bounds.left() + leftMargin(metrics);
    const double top = bounds.top() + headerHeight(metrics);
    const double width = std::max(40.0, bounds.right() - rightMargin(metrics) - left);
    double height = std::max(40.0, bounds.bottom() - legendHeight(metrics) - top);
    height = std::min(height, std::max(1, m_data->rows) * kMaxRowHeight);
    // Whole pixels, so that cells are crisp and the GL surface covers exactly this.
    m_map = QRectF(std::round(left), std::round(top), std::floor(width), std::floor(height));
    m_legend = QRectF(
        m_map.left(), m_map.bottom() + kMargin, m_map.width(), legendHeight(metrics) - kMargin);
    place();
}

double HeatMapScene::barHeight(double rowHeight) const {
    if (m_data->groups.empty() || sharedGroups())
        return 0;
    if (rowHeight >= kNumberedRowHeight)
        return std::ceil(QFontMetricsF(smallFont(m_font)).height());
    return rowHeight >= kBarRowHeight ? 3 : 0;
}

void HeatMapScene::place() {
    HeatMapGeometry& g = m_geometry;
    const int columns = std::max(1, m_data->columns);
    const int rows = std::max(1, m_data->rows);
    m_zoomX = std::clamp(m_zoomX, 1.0, std::max(1.0, columns / 4.0));
    m_zoomY = std::clamp(m_zoomY, 1.0, std::max(1.0, rows / 3.0));
    g.columnWidth = m_map.width() / columns * m_zoomX;
    g.rowHeight = m_map.height() / rows * m_zoomY;
    g.firstColumn = std::clamp(g.firstColumn, 0.0, columns - columns / m_zoomX);
    g.firstRow = std::clamp(g.firstRow, 0.0, rows - rows / m_zoomY);
    const double bar = barHeight(g.rowHeight);
    const double gap
        = g.rowHeight >= 14 ? std::round(2 + g.rowHeight * 0.05) : (g.rowHeight >= 10 ? 1.0 : 0.0);
    g.cellHeight = std::max(1.0, g.rowHeight - gap - bar - (bar >= 4 ? 2 : 0));
    g.gaps = g.columnWidth >= 6 && gap > 0;
}

int HeatMapScene::columnsPerPixel(double scale) const {
    const double width = m_geometry.columnWidth * scale;
    return width >= 1 || width <= 0 ? 1 : static_cast<int>(std::ceil(1 / width - 1e-9));
}

std::optional<int> HeatMapScene::rowAt(const QPointF& point) const {
    if (point.y() < m_map.top() || point.y() >= m_map.bottom() || m_data->rows == 0)
        return {};
    const double row = m_geometry.firstRow + (point.y() - m_map.top()) / m_geometry.rowHeight;
    return std::min(m_data->rows - 1, static_cast<int>(row));
}

std::optional<HeatMapCell> HeatMapScene::cellAt(const QPointF& point) const {
    const auto row = rowAt(point);
    if (!row || point.x() < m_map.left() || point.x() >= m_map.right() || m_data->columns == 0)
        return {};
    const double column
        = m_geometry.firstColumn + (point.x() - m_map.left()) / m_geometry.columnWidth;
    return HeatMapCell{*row, std::min(m_data->columns - 1, static_cast<int>(column))};
}

QRectF HeatMapScene::cellRect(const HeatMapCell& cell) const {
    const HeatMapGeometry& g = m_geometry;
    return {m_map.left() + (cell.column - g.firstColumn) * g.columnWidth,
        m_map.top() + (cell.row - g.firstRow) * g.rowHeight, g.columnWidth, g.cellHeight};
}

void HeatMapScene::zoom(const QPointF& about, double factorX, double factorY) {
    HeatMapGeometry& g = m_geometry;
    const double x = about.x() - m_map.left();
    const double y = about.y() - m_map.top();
    const double column = g.firstColumn + x / g.columnWidth;
    const double row = g.firstRow + y / g.rowHeight;
    m_zoomX *= factorX;
    m_zoomY *= factorY;
    place(); // clamps the zoom, so that the offsets below use what was reached
    g.firstColumn = column - x / g.columnWidth;
    g.firstRow = row - y / g.rowHeight;
    place();
}

void HeatMapScene::pan(const QPointF& delta) {
    m_geometry.firstColumn -= delta.x() / m_geometry.columnWidth;
    m_geometry.firstRow -= delta.y() / m_geometry.rowHeight;
    place();
}

void HeatMapScene::resetZoom() {
    m_zoomX = m_zoomY = 1;
    place();
}

void HeatMapScene::reveal(const HeatMapCell& cell) {
    HeatMapGeometry& g = m_geometry;
    const double columnsShown = m_data->columns / m_zoomX;
    const double rowsShown = m_data->rows / m_zoomY;
    g.firstColumn = std::clamp(g.firstColumn, cell.column + 1 - columnsShown, double(cell.column));
    g.firstRow = std::clamp(g.firstRow, cell.row + 1 - rowsShown, double(cell.row));
    place();
}

RangeKeeper::Entry* RangeKeeper::find(const QString& kind, const QString& run) {
    for (Entry& entry : m_entries)
        if (entry.kind == kind && entry.run == run)
            return &entry;
    return nullptr;
}

ColorRange RangeKeeper::range(
    const QString& kind, const QString& run, std::span<const double> values, bool diverging) {
    if (m_locked)
        for (auto entry = m_entries.rbegin(); entry != m_entries.rend(); ++entry)
            if (entry->kind == kind)
                return entry->range;
    if (const Entry* entry = find(kind, run))
        return entry->range;
    const ColorRange range = robustRange(values, diverging);
    // Without values nothing is fixed: the first frame with numbers decides.
    if (std::any_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
        preset(kind, run, range);
    return range;
}

void RangeKeeper::fit(const QString& kind, const QString& run, std::span<const double> values,
    bool diverging, bool fromZero) {
    if (!m_locked)
        preset(
            kind, run, fromZero || diverging ? robustRange(values, diverging) : tightRange(values));
}

void RangeKeeper::preset(const QString& kind, const QString& run, const ColorRange& range) {
    std::erase_if(m_entries, [&](const Entry& e) { return e.kind == kind && e.run == run; });
    m_entries.push_back({kind, run, range});
}

} // namespace mooring
