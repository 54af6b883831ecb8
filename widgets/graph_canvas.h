// SPDX-License-Identifier: GPL-3.0-or-later
// Two graphs on the screen: shapes by OpenGL, or by QPainter where no graphics card is behind it;
// numbers, labels and read-out by QPainter on top. Mouse, wheel and keys.
#pragma once
#include "widgets/graph_scene.h"
#include <QPixmap>
#include <QWidget>
#include <functional>
#include <optional>

namespace mooring {

class GraphSurface;

class GraphCanvas : public QWidget {
    Q_OBJECT
public:
    enum class Drawing { Auto, OpenGl, Painter };
    explicit GraphCanvas(QWidget* parent = nullptr, Drawing drawing = Drawing::Auto);

    void setData(GraphPtr data);
    // While nodes move the camera follows them, until somebody turns it.
    void setPositions(const std::vector<QPointF>& positions, bool moving);
    void setPins(const std::vector<bool>& pins);
    void setSelected(int node); // -1: none
    void setReadOut(std::function<ReadOut(int side, int node)> readOut);
    void setHovered(int side, int node); // as if the mouse stood there; -1: nothing
    int hovered() const { return m_marks.hovered; }
    const GraphScene& scene() const { return m_scene; }
    bool usesOpenGl() const { return m_surface != nullptr; }
    void resetCamera();
    // The graphs in another place and theme, for exports: camera and selection stay.
    void paintInto(QPainter& painter, const QRectF& area, const ThemeColors& colors) const;
    QSize sizeHint() const override { return {720, 420}; }
    QSize minimumSizeHint() const override { return {360, 200}; }

Q_SIGNALS:
    void pointerMoved(const QString& readOut); // empty: no node under it
    void nodeActivated(int node); // a click or Enter; -1: on the ground
    void nodeDragged(int node, const QPointF& to); // in units of the layout
    void nodeDropped(int node);
    void pinToggled(int node); // a double click or P
    void stepRequested(); // S: one step of the layout
    void runRequested(); // R: run it or stop it

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    class Overlay;
    void useSurface(); // OpenGL
    void dropSurface(); // QPainter
    void relayout();
    void redraw();
    void paintCachedShapes(QPainter& painter);
    bool arrowKey(int key, bool carry);
    void drag(const QPointF& to);

    GraphScene m_scene;
    GraphMarks m_marks;
    std::function<ReadOut(int, int)> m_readOut;
    GraphSurface* m_surface = nullptr;
    QWidget* m_overlay;
    QPixmap m_shapes; // without OpenGL: as last drawn
    bool m_shapesStale = true;
    bool m_follow = true;
    QPointF m_pressed;
    QPointF m_last;
    int m_dragged = -1;
    int m_dragSide = 0;
    bool m_down = false;
    bool m_dragging = false;
};

} // namespace mooring
