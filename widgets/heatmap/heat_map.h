// SPDX-License-Identifier: GPL-3.0-or-later A heat map as values,
// geometry and drawing without a widget, shared by screen, exports and
// tests.
#pragma once
#include "widgets/base/read_out.h"
#include "widgets/style/color_map.h"
#include <QFont>
#include <QFontMetricsF>
#include <QRectF>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

namespace mooring {

// Neighboring columns that belong together, first and last included.
struct HeatMapGroup {
    int first = 0;
    int last = 0;
    int community = 0; // its color; -1: quiet, neighbors alternate
    QString label;
};

// A number beside every row.
struct HeatMapNote {
    QString title;
    std::vector<double> values; // NaN: none
};

struct HeatMapData {
    int rows = 0;
    int columns = 0;
    std::vector<double> values; // row-major, as shown; NaN: no data
    QString rowTitle; // "layer"
    QStringList rowLabels;
    QString columnTitle; // "expert", or how the columns are ordered
    QStringList columnLabels; // empty: columns mean something else in every row
    int labelOrigin = 0; // labels are drawn where column + this is divisible by 2, 5, 10 ...
    std::vector<int> columnIds; // rows x columns: what a column is in that row; may be empty
    QString valueTitle; // "use of the expert, tuned minus base"
    QString unit; // "%", "points"
    double unitScale = 1; // values times this are in that unit
    bool diverging = false;
    ColorMapId map = ColorMapId::Viridis;
    std::vector<std::vector<HeatMapGroup>> groups; // one list per row, or one list for all rows
    QString groupTitle; // "base communities"
    std::vector<HeatMapNote> notes;

    double value(int row, int column) const {
        return values[static_cast<std::size_t>(row) * columns + column];
    }
    int columnId(int row, int column) const {
        return columnIds.empty() ? column
                                 : columnIds[static_cast<std::size_t>(row) * columns + column];
    }
    int columnOfId(int row, int id) const; // -1: none
    QString rowName(int row) const; // "layer 3"
    QString format(double value, int digits = 3) const; // with sign for a difference, without unit
    QString formatWithUnit(double value, int digits = 3) const;
};

using HeatMapPtr = std::shared_ptr<const HeatMapData>;

struct HeatMapCell {
    int row = 0;
    int column = 0;
    bool operator==(const HeatMapCell&) const = default;
};

// What is marked on top of the cells.
struct HeatMapMarks {
    std::optional<HeatMapCell> pointer; // under the mouse, or moved by the keyboard
    std::optional<HeatMapCell> selected; // column -1: the row only; row -1: the column only
    ReadOut card; // drawn beside the pointer when not empty
};

// Where cells are in the map rectangle, in logical pixels from its corner. The shader and the
// painter both use these numbers.
struct HeatMapGeometry {
    double firstColumn = 0; // at the left edge; fractions of a cell
    double firstRow = 0; // at the top edge
    double columnWidth = 1;
    double rowHeight = 1; // from row to row
    double cellHeight = 1; // the part of it that cells take
    bool gaps = false; // one device pixel between columns
};

class HeatMapScene {
public:
    void setData(HeatMapPtr data); // keeps the zoom if the shape stays the same
    const HeatMapPtr& data() const { return m_data; }
    void setRange(const ColorRange& range, const QString& note);
    const ColorRange& range() const { return m_range; }
    void setColors(const ThemeColors& colors) { m_colors = &colors; }
    const ThemeColors& colors() const { return *m_colors; }
    const ColorTable& table() const;

    void layout(const QRectF& bounds, const QFont& font);
    double idealHeight(const QFont& font) const; // rows do not grow beyond this
    const QRectF& mapRect() const { return m_map; }
    const QRectF& legendRect() const { return m_legend; }
    const HeatMapGeometry& geometry() const { return m_geometry; }
    // How many neighboring columns share a device pixel and are drawn as their mean.
    int columnsPerPixel(double scale) const;

    std::optional<HeatMapCell> cellAt(const QPointF& point) const;
    std::optional<int> rowAt(const QPointF& point) const; // also beside the map
    QRectF cellRect(const HeatMapCell& cell) const; // may reach out of the map when zoomed
    bool zoomed() const { return m_zoomX > 1 || m_zoomY > 1; }
    void zoom(const QPointF& about, double factorX, double factorY);
    void pan(const QPointF& delta);
    void resetZoom();
    void reveal(const HeatMapCell& cell); // pans as little as needed

    void paintCells(QPainter& painter) const; // only what a GL surface draws as well
    void paintOverlay(QPainter& painter, const HeatMapMarks& marks) const;

private:
    void place(); // geometry from zoom and offsets
    double barHeight(double rowHeight) const;
    int leftMargin(const QFontMetricsF& metrics) const;
    int rightMargin(const QFontMetricsF& metrics) const;
    bool sharedGroups() const { return m_data->groups.size() == 1 && m_data->rows != 1; }
    struct CellPainting;
    void collectRow(CellPainting& painting, int row) const;
    void paintRowLabels(QPainter& painter, const HeatMapMarks& marks) const;
    void paintColumnLabels(QPainter& painter, const HeatMapMarks& marks) const;
    void paintHeader(QPainter& painter, const HeatMapMarks& marks) const;
    void paintGroups(QPainter& painter, const HeatMapMarks& marks) const;
    void paintGroupNotches(QPainter& painter, int row) const;
    void paintGroupNumbers(QPainter& painter, int row) const;
    void paintGroupBar(QPainter& painter, const std::vector<HeatMapGroup>& groups, double top,
        double height) const;
    void paintNotes(QPainter& painter, const HeatMapMarks& marks) const;
    void paintMarks(QPainter& painter, const HeatMapMarks& marks) const;
    void paintLegend(QPainter& painter, const HeatMapMarks& marks) const;
    void paintLegendText(QPainter& painter, const QRectF& bar) const;

    HeatMapPtr m_data = std::make_shared<const HeatMapData>();
    ColorRange m_range;
    QString m_rangeNote;
    const ThemeColors* m_colors = &themeColors(ThemeKind::Light);
    QFont m_font;
    QRectF m_bounds;
    QRectF m_map;
    QRectF m_legend;
    HeatMapGeometry m_geometry;
    double m_zoomX = 1;
    double m_zoomY = 1;
};

// Ranges stay fixed until a new fit is requested: one per kind of values and run.
class RangeKeeper {
public:
    // The kept range of the key; the first call with values fixes it.
    ColorRange range(
        const QString& kind, const QString& run, std::span<const double> values, bool diverging);
    void fit(const QString& kind, const QString& run, std::span<const double> values,
        bool diverging, bool fromZero);
    bool has(const QString& kind, const QString& run) { return find(kind, run) != nullptr; }
    void preset(const QString& kind, const QString& run, const ColorRange& range);
    // While locked a kind keeps its range for every run, and fit() does nothing.
    void setLocked(bool locked) { m_locked = locked; }
    bool locked() const { return m_locked; }

private:
    struct Entry {
        QString kind;
        QString run;
        ColorRange range;
    };
    Entry* find(const QString& kind, const QString& run);
    std::vector<Entry> m_entries; // the last one of a kind is the one in force
    bool m_locked = false;
};

} // namespace mooring
