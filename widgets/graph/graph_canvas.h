// SPDX-License-Identifier: GPL-3.0-or-later
// Two graphs on the screen, their camera, mouse, wheel and keys.
#pragma once
#include "widgets/base/scene_canvas.h"
#include "widgets/graph/graph_scene.h"
#include <functional>
#include <optional>

namespace mooring {

class GraphCanvas : public SceneCanvas {
    Q_OBJECT
public:
    explicit GraphCanvas(QWidget* parent = nullptr, Drawing drawing = Drawing::Auto);

    void setData(GraphPtr data);
    // While nodes move the camera follows them, until the user moves it.
    void setPositions(const std::vector<QPointF>& positions, bool moving);
    void setPins(const std::vector<bool>& pins);
    void setSelected(int node); // -1: none
    void setReadOut(std::function<ReadOut(int side, int node)> readOut);
    void setHovered(int side, int node); // as if the mouse were there; -1: nothing
    int hovered() const { return m_marks.hovered; }
    const GraphScene& scene() const { return m_scene; }
    void resetCamera();
    // The graphs in another place and theme, for exports: camera and selection stay.
    void paintInto(QPainter& painter, const QRectF& area, const ThemeColors& colors) const;
    QSize sizeHint() const override { return {720, 420}; }
    QSize minimumSizeHint() const override { return {360, 200}; }

Q_SIGNALS:
    void nodeActivated(int node); // a click or Enter; -1: on the background
    void nodeDragged(int node, const QPointF& to); // in units of the layout
    void nodeDropped(int node);
    void pinToggled(int node); // a double click or P
    void stepRequested(); // S: one step of the layout
    void runRequested(); // R: run it or stop it

protected:
    void layOut(const QRectF& area) override;
    QRectF shapesArea() const override { return rect(); }
    void paintShapes(QPainter& painter) override { m_scene.paintShapes(painter, m_marks); }
    void paintOverlay(QPainter& painter) override { m_scene.paintOverlay(painter, m_marks); }
    void themeChanged() override { m_scene.setColors(themeColors(*this)); }
    bool keepsArrowKeys(Qt::KeyboardModifiers modifiers) const override {
        return !(modifiers & Qt::AltModifier);
    }
    void pointAt(const QPointF& at) override;
    void pointAway() override { setHovered(0, -1); }
    void pressAt(const QPointF& at) override;
    void dragBy(const QPointF& from, const QPointF& to) override;
    void dropDrag() override;
    void clickAt(const QPointF& at) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool arrowKey(int key, bool carry);

    GraphScene m_scene;
    GraphMarks m_marks;
    std::function<ReadOut(int, int)> m_readOut;
    bool m_follow = true;
    int m_dragged = -1;
    int m_dragSide = 0;
};

} // namespace mooring
