// SPDX-License-Identifier: GPL-3.0-or-later
// Two graphs on the same nodes in one camera, as values, geometry and drawing without a widget:
// what the screen, the exports and the tests share.
#pragma once
#include "core/view/routing_frame.h"
#include "widgets/read_out.h"
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
    std::vector<double> size; // of nodes: share of use; not-a-number: no data
    std::vector<GraphEdge> edges;
};

struct GraphData {
    int nodes = 0;
    std::vector<int> baseCommunity; // -1: not known
    std::vector<int> tunedCommunity;
    std::vector<GraphSide> sides; // base, tuned; only base where there is no tuned frame
    double largestWeight = 0; // of both sides: the same alpha means the same weight

    bool moved(int node) const {
        const auto at = static_cast<std::size_t>(node);
        return sides.size() > 1 && baseCommunity[at] >= 0 && tunedCommunity[at] >= 0
            && baseCommunity[at] != tunedCommunity[at];
    }
};

using GraphPtr = std::shared_ptr<const GraphData>;

struct GraphMarks {
    int hovered = -1;
    int hoveredSide = 0;
    int selected = -1;
    std::vector<bool> pinned; // empty: none
    ReadOut card; // beside the hovered node
};

// What is drawn of an edge or a node, in pixels: filled in by the scene, drawn by GL or QPainter.
struct GraphLine {
    QPointF from;
    QPointF to;
    QColor color;
};
struct GraphDot {
    QPointF center;
    double radius = 0;
    QColor fill;
    QColor ring; // invalid: none
};

class GraphScene {
public:
    void setData(GraphPtr data);
    const GraphPtr& data() const { return m_data; }
    void setPositions(const std::vector<QPointF>& positions); // of layout, about -1 to 1
    void setColors(const ThemeColors& colors) { m_colors = &colors; }
    const ThemeColors& colors() const { return *m_colors; }
    void layout(const QRectF& bounds, const QFont& font);

    int sideCount() const { return m_data ? static_cast<int>(m_data->sides.size()) : 0; }
    QRectF sideRect(int side) const; // in which it is drawn
    QPointF place(int side, int node) const; // in pixels
    QPointF unplace(int side, const QPointF& point) const; // in layout units
    double radius(int side, int node) const;
    int sideAt(const QPointF& point) const; // -1: none
    int nodeAt(const QPointF& point) const; // -1: none
    std::vector<int> neighbours(int side, int node) const;

    void zoom(const QPointF& about, double factor);
    void pan(const QPointF& delta);
    void resetCamera();
    void fit(); // the camera's home shows all positions

    std::vector<GraphLine> lines(int side, const GraphMarks& marks) const;
    std::vector<GraphDot> dots(int side, const GraphMarks& marks) const;
    void paintShapes(
        QPainter& painter, const GraphMarks& marks) const; // what a GL surface draws too
    void paintOverlay(QPainter& painter, const GraphMarks& marks) const; // text, numbers, card

private:
    double scale() const;
    QColor edgeColor(const GraphEdge& edge, const GraphMarks& marks, bool lit) const;
    void paintTitles(QPainter& painter) const;
    void paintNumbers(QPainter& painter, int side, const GraphMarks& marks) const;
    void paintLabels(QPainter& painter, int side, const GraphMarks& marks) const;
    void paintMarks(QPainter& painter, int side, const GraphMarks& marks) const;
    void paintLegend(QPainter& painter) const;

    GraphPtr m_data;
    std::vector<QPointF> m_positions;
    const ThemeColors* m_colors = &themeColors(ThemeKind::Light);
    QFont m_font;
    QRectF m_bounds;
    QPointF m_center; // of the camera, in layout units
    double m_extent = 1; // half the side of what the home camera shows, in layout units
    double m_zoom = 1;
};

} // namespace mooring
