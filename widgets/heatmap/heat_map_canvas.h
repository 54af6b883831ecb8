// SPDX-License-Identifier: GPL-3.0-or-later
// A heat map on the screen, its zoom, mouse, wheel and keys.
#pragma once
#include "widgets/base/scene_canvas.h"
#include "widgets/heatmap/heat_map.h"
#include "widgets/heatmap/heat_map_surface.h"
#include <QPointer>
#include <functional>

namespace mooring {

class HeatMapCanvas : public SceneCanvas {
    Q_OBJECT
public:
    explicit HeatMapCanvas(QWidget* parent = nullptr, Drawing drawing = Drawing::Auto);

    void setData(HeatMapPtr data);
    void setRange(const ColorRange& range, const QString& note);
    void setReadOut(std::function<ReadOut(int row, int column)> readOut);
    void setSelected(std::optional<HeatMapCell> cell);
    void setPointer(std::optional<HeatMapCell> cell); // as if the mouse were there
    const HeatMapScene& scene() const { return m_scene; }
    std::optional<HeatMapCell> pointer() const { return m_marks.pointer; }
    void resetZoom();
    // The map in another place and theme, for exports: the zoom and the selection stay.
    void paintInto(QPainter& painter, const QRectF& area, const ThemeColors& colors) const;
    QSize sizeHint() const override { return {720, 360}; }
    QSize minimumSizeHint() const override { return {320, 160}; }

Q_SIGNALS:
    void cellActivated(int row, int column); // a click or Enter
    void rowActivated(int row); // a click beside the map
    void zoomed(); // columns moved: aligned items follow
    void fitRequested();
    void lockRequested();

protected:
    void layOut(const QRectF& area) override;
    QRectF shapesArea() const override { return m_scene.mapRect(); }
    void paintShapes(QPainter& painter) override { m_scene.paintCells(painter); }
    void paintOverlay(QPainter& painter) override { m_scene.paintOverlay(painter, m_marks); }
    void themeChanged() override;
    bool keepsArrowKeys(Qt::KeyboardModifiers modifiers) const override {
        return modifiers == Qt::NoModifier;
    }
    void pointAt(const QPointF& at) override;
    void pointAway() override { setPointer({}); }
    void pressAt(const QPointF&) override { }
    void dragBy(const QPointF& from, const QPointF& to) override;
    void dropDrag() override { }
    void clickAt(const QPointF& at) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void movePointer(int rows, int columns);
    void zoomAtPointer(double factor);
    bool movementKey(int key, bool far);

    HeatMapScene m_scene;
    HeatMapMarks m_marks;
    std::function<ReadOut(int, int)> m_readOut;
    QPointer<HeatMapSurface> m_cells; // null: QPainter
};

} // namespace mooring
