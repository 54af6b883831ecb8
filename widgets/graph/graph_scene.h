// SPDX-License-Identifier: GPL-3.0-or-later
// Two graphs on the same nodes with one camera, as values, geometry and drawing without a widget,
// shared by screen, exports and tests.
#pragma once
#include "core/view/routing_frame.h"
#include "widgets/base/read_out.h"
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <memory>
#include <vector>

namespace mooring {

// One side: the base or the tuned model.
struct GraphSide {
    QString title; // "base"
    std::vector<double> use; // of nodes: sizes; NaN: no data
    std::vector<GraphEdge> edges;
};

struct GraphData {
    int nodes = 0;
    std::vector<int> baseCommunity; // -1: unknown
    std::vector<int> tunedCommunity;
    std::vector<GraphSide> sides; // base, tuned; only base where there is no tuned frame
    double largestWeight = 0; // of both sides: the same alpha means the same weight
    double largestUse = 0;

    bool moved(int node) const {
        const auto at = static_cast<std::size_t>(node);
        return sides.size() > 1 && baseCommunity[at] >= 0 && tunedCommunity[at] >= 0
            && baseCommunity[at] != tunedCommunity[at];
    }
    int communities() const; // largest label plus one
};

using GraphPtr = std::shared_ptr<const GraphData>;

struct GraphMarks {
    int hovered = -1; // node
    int hoveredSide = 0;
    int selected = -1;
    std::vector<bool> pinned; // empty: none
    ReadOut card; // beside the hovered node
};

// What is drawn of an edge and of a node, in pixels: by OpenGL and by QPainter alike.
struct GraphLine {
    QPointF from;
    QPointF to;
    QColor color;
    double width = 1;
};
struct GraphDot {
    QPointF center;
    double radius = 0;
    QColor fill;
    QColor ring; // invalid: none
    double ringRadius = 0; // of the middle of the ring
    double ringWidth = 0;
};

class GraphScene {
public:
    void setData(GraphPtr data);
    const GraphPtr& data() const { return m_data; }
    void setPositions(std::vector<QPointF> positions); // of the layout, the same for both sides
    const std::vector<QPointF>& positions() const { return m_positions; }
    void setColors(const ThemeColors& colors) { m_colors = &colors; }
    const ThemeColors& colors() const { return *m_colors; }
    void layout(const QRectF& bounds, const QFont& font);

    int sideCount() const { return static_cast<int>(m_data->sides.size()); }
    QRectF sideRect(int side) const; // where it is drawn
    QPointF place(int side, int node) const; // in pixels
    QPointF unplace(int side, const QPointF& point) const; // in units of the layout
    double radius(int side, int node) const;
    int sideAt(const QPointF& point) const; // -1: none
    int nodeAt(const QPointF& point) const; // -1: none
    std::vector<int> neighbours(int side, int node) const; // by index
    // The nearest node in a direction from a node; the node itself if there is none.
    int nodeTowards(int node, const QPointF& direction) const;

    void zoom(const QPointF& about, double factor);
    void pan(const QPointF& delta);
    void fit(); // the home camera shows all positions
    bool atHome() const { return m_zoom == 1 && m_center == m_home; }

    std::vector<GraphLine> lines(int side, const GraphMarks& marks) const;
    std::vector<GraphDot> dots(int side, const GraphMarks& marks) const;
    void paintShapes(QPainter& painter, const GraphMarks& marks) const; // what OpenGL draws too
    void paintOverlay(QPainter& painter, const GraphMarks& marks) const; // numbers, labels, card

private:
    double scale() const; // pixels in a unit of the layout
    double nodeScale() const;
    std::vector<bool> lit(const GraphMarks& marks) const; // hovered and its neighbors
    void paintTitles(QPainter& painter) const;
    void paintNumbers(QPainter& painter, int side, const GraphMarks& marks) const;
    void paintCommunityNumbers(QPainter& painter, int side) const;
    std::vector<int> labelled(int side, const GraphMarks& marks) const;
    void paintLabels(QPainter& painter, int side, const GraphMarks& marks) const;
    void paintMarks(QPainter& painter, int side, const GraphMarks& marks) const;
    void paintLegend(QPainter& painter) const;
    void paintLegendChips(QPainter& painter, double& x, double y) const;
    QString labelOf(int side, int node) const;

    GraphPtr m_data = std::make_shared<const GraphData>();
    std::vector<QPointF> m_positions;
    const ThemeColors* m_colors = &themeColors(ThemeKind::Light);
    QFont m_font;
    QRectF m_bounds;
    QPointF m_home; // center of the home camera, in units of the layout
    QPointF m_center; // of the camera
    double m_extent = 1; // half of what the home camera shows
    double m_zoom = 1;
};

} // namespace mooring
