// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/graph/graph_canvas.h"
#include "widgets/graph/graph_surface.h"
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <cmath>
#include <utility>

namespace mooring {

GraphCanvas::GraphCanvas(QWidget* parent, Drawing drawing)
    : SceneCanvas(parent) {
    m_scene.setColors(themeColors(*this));
    if (wantsOpenGl(drawing))
        useSurface(new GraphSurface(&m_scene, &m_marks, this));
}

void GraphCanvas::setData(GraphPtr data) {
    m_scene.setData(std::move(data));
    if (m_marks.hovered >= m_scene.data()->nodes)
        m_marks.hovered = -1;
    if (m_marks.selected >= m_scene.data()->nodes)
        m_marks.selected = -1;
    setHovered(m_marks.hoveredSide, m_marks.hovered); // the read-out shows the new numbers
}

void GraphCanvas::setPositions(const std::vector<QPointF>& positions, bool moving) {
    m_scene.setPositions(positions);
    if (m_follow && m_dragged < 0)
        m_scene.fit();
    if (!moving)
        setHovered(m_marks.hoveredSide, m_marks.hovered);
    redraw();
}

void GraphCanvas::setPins(const std::vector<bool>& pins) {
    m_marks.pinned = pins;
    updateOverlay();
}

void GraphCanvas::setSelected(int node) {
    m_marks.selected = node;
    updateOverlay();
}

void GraphCanvas::setReadOut(std::function<ReadOut(int, int)> readOut) {
    m_readOut = std::move(readOut);
}

void GraphCanvas::setHovered(int side, int node) {
    m_marks.hovered = node;
    m_marks.hoveredSide = std::max(0, std::min(side, m_scene.sideCount() - 1));
    m_marks.card = node >= 0 && m_readOut ? m_readOut(m_marks.hoveredSide, node) : ReadOut{};
    redraw();
    announcePointer(m_marks.card.empty() ? QString() : m_marks.card.text());
}

void GraphCanvas::resetCamera() {
    m_follow = true;
    m_scene.fit();
    redraw();
}

void GraphCanvas::paintInto(
    QPainter& painter, const QRectF& area, const ThemeColors& colors) const {
    GraphScene scene = m_scene;
    scene.setColors(colors);
    scene.layout(area, numberFont(font()));
    if (m_scene.atHome())
        scene.fit();
    GraphMarks marks;
    marks.selected = m_marks.selected;
    scene.paintShapes(painter, marks);
    scene.paintOverlay(painter, marks);
}

void GraphCanvas::layOut(const QRectF& area) {
    m_scene.layout(area, numberFont(font()));
    if (m_follow)
        m_scene.fit();
}

void GraphCanvas::pointAt(const QPointF& at) {
    const int node = m_scene.nodeAt(at);
    const int side = std::max(0, m_scene.sideAt(at));
    if (node != m_marks.hovered || (node >= 0 && side != m_marks.hoveredSide))
        setHovered(side, node);
}

void GraphCanvas::pressAt(const QPointF& at) {
    m_dragged = m_scene.nodeAt(at);
    m_dragSide = std::max(0, m_scene.sideAt(at));
}

void GraphCanvas::dragBy(const QPointF& from, const QPointF& to) {
    if (m_dragged >= 0) {
        Q_EMIT nodeDragged(m_dragged, m_scene.unplace(m_dragSide, to));
        return;
    }
    m_follow = false;
    m_scene.pan(to - from);
    redraw();
}

void GraphCanvas::dropDrag() {
    if (const int node = std::exchange(m_dragged, -1); node >= 0)
        Q_EMIT nodeDropped(node);
}

void GraphCanvas::clickAt(const QPointF& at) {
    m_dragged = -1;
    Q_EMIT nodeActivated(m_scene.nodeAt(at));
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const int node = m_scene.nodeAt(event->position());
    if (event->button() == Qt::LeftButton && node >= 0)
        Q_EMIT pinToggled(node);
}

void GraphCanvas::wheelEvent(QWheelEvent* event) {
    m_follow = false;
    m_scene.zoom(event->position(), std::pow(1.0015, event->angleDelta().y()));
    event->accept();
    redraw();
}

// Arrows move between nodes; with Ctrl they move the node, which is then pinned.
bool GraphCanvas::arrowKey(int key, bool carry) {
    const QPointF direction = key == Qt::Key_Left ? QPointF(-1, 0)
        : key == Qt::Key_Right                    ? QPointF(1, 0)
        : key == Qt::Key_Up                       ? QPointF(0, -1)
        : key == Qt::Key_Down                     ? QPointF(0, 1)
                                                  : QPointF();
    if (direction.isNull())
        return false;
    const int node = m_marks.hovered >= 0 ? m_marks.hovered : m_marks.selected;
    if (carry && node >= 0) {
        const QPointF at = m_scene.positions()[static_cast<std::size_t>(node)];
        Q_EMIT nodeDragged(node, at + direction * 0.04);
        Q_EMIT nodeDropped(node);
    } else {
        setHovered(m_marks.hoveredSide,
            node < 0 ? m_scene.nodeTowards(-1, direction) : m_scene.nodeTowards(node, direction));
    }
    return true;
}

void GraphCanvas::keyPressEvent(QKeyEvent* event) {
    if (arrowKey(event->key(), event->modifiers() & Qt::ControlModifier))
        return;
    const int node = m_marks.hovered >= 0 ? m_marks.hovered : m_marks.selected;
    switch (event->key()) {
    case Qt::Key_Home:
        resetCamera();
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Minus: {
        m_follow = false;
        const QPointF about
            = node >= 0 ? m_scene.place(m_marks.hoveredSide, node) : m_scene.sideRect(0).center();
        m_scene.zoom(about, event->key() == Qt::Key_Minus ? 0.8 : 1.25);
        redraw();
        break;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
        Q_EMIT nodeActivated(node);
        break;
    case Qt::Key_P:
        if (node >= 0)
            Q_EMIT pinToggled(node);
        break;
    case Qt::Key_S:
        Q_EMIT stepRequested();
        break;
    case Qt::Key_R:
        Q_EMIT runRequested();
        break;
    case Qt::Key_Escape:
        setHovered(0, -1);
        break;
    default:
        QWidget::keyPressEvent(event); // Space pauses the run, [ and ] step: the window's keys
    }
}

} // namespace mooring
