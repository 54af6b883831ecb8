// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/graph_canvas.h"
#include "widgets/graph_surface.h"
#include "widgets/heat_map_surface.h"
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <cmath>

namespace mooring {

// A plain widget above the GL surface: the text is drawn as everywhere else in the window.
class GraphCanvas::Overlay : public QWidget {
public:
    explicit Overlay(GraphCanvas* canvas)
        : QWidget(canvas)
        , m_canvas(canvas) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        if (!m_canvas->usesOpenGl())
            m_canvas->paintCachedShapes(painter);
        m_canvas->m_scene.paintOverlay(painter, m_canvas->m_marks);
        if (m_canvas->hasFocus()) {
            painter.setPen(QPen(m_canvas->m_scene.colors().accent, 1));
            painter.drawRect(rect().adjusted(0, 0, -1, -1));
        }
    }

private:
    GraphCanvas* m_canvas;
};

GraphCanvas::GraphCanvas(QWidget* parent, Drawing drawing)
    : QWidget(parent)
    , m_overlay(new Overlay(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_scene.setColors(themeColors(*this));
    if ((drawing == Drawing::Auto && HeatMapSurface::accelerated())
        || (drawing == Drawing::OpenGl && HeatMapSurface::available()))
        useSurface();
}

void GraphCanvas::useSurface() {
    m_surface = new GraphSurface(&m_scene, &m_marks, this);
    m_surface->lower();
    // Queued: the surface is in the middle of its own start when it says so.
    connect(
        m_surface, &GraphSurface::failed, this, &GraphCanvas::dropSurface, Qt::QueuedConnection);
}

void GraphCanvas::dropSurface() {
    if (!m_surface)
        return;
    m_surface->hide();
    m_surface->deleteLater();
    m_surface = nullptr;
    redraw();
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
    m_overlay->update();
}

void GraphCanvas::setSelected(int node) {
    m_marks.selected = node;
    m_overlay->update();
}

void GraphCanvas::setReadOut(std::function<ReadOut(int, int)> readOut) {
    m_readOut = std::move(readOut);
}

void GraphCanvas::setHovered(int side, int node) {
    m_marks.hovered = node;
    m_marks.hoveredSide = std::max(0, std::min(side, m_scene.sideCount() - 1));
    m_marks.card = node >= 0 && m_readOut ? m_readOut(m_marks.hoveredSide, node) : ReadOut{};
    redraw();
    const QString text = m_marks.card.empty() ? QString() : m_marks.card.text();
    setAccessibleDescription(text);
    Q_EMIT pointerMoved(text);
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

void GraphCanvas::relayout() {
    m_scene.layout(rect(), numberFont(font()));
    if (m_follow)
        m_scene.fit();
    m_overlay->setGeometry(rect());
    if (m_surface)
        m_surface->setGeometry(rect());
    redraw();
}

void GraphCanvas::redraw() {
    m_shapesStale = true;
    if (m_surface)
        m_surface->update();
    m_overlay->update();
}

void GraphCanvas::paintCachedShapes(QPainter& painter) {
    const qreal scale = devicePixelRatioF();
    const QSize size = (QSizeF(this->size()) * scale).toSize();
    if (m_shapesStale || m_shapes.size() != size) {
        m_shapes = QPixmap(size);
        m_shapes.setDevicePixelRatio(scale);
        m_shapes.fill(m_scene.colors().canvas);
        QPainter shapes(&m_shapes);
        m_scene.paintShapes(shapes, m_marks);
        m_shapesStale = false;
    }
    painter.drawPixmap(0, 0, m_shapes);
}

bool GraphCanvas::event(QEvent* event) {
    // Arrow keys are the graph's, whatever shortcuts a window may give them.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() >= Qt::Key_Home && key->key() <= Qt::Key_Down
            && !(key->modifiers() & Qt::AltModifier)) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void GraphCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_scene.colors().canvas);
}

void GraphCanvas::resizeEvent(QResizeEvent*) {
    relayout();
}

void GraphCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)
        return;
    m_scene.setColors(themeColors(*this));
    relayout();
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_down && !m_dragging
        && (event->position() - m_pressed).manhattanLength() >= QApplication::startDragDistance())
        m_dragging = true;
    if (m_dragging) {
        drag(event->position());
        return;
    }
    const int node = m_scene.nodeAt(event->position());
    const int side = std::max(0, m_scene.sideAt(event->position()));
    if (node != m_marks.hovered || (node >= 0 && side != m_marks.hoveredSide))
        setHovered(side, node);
}

void GraphCanvas::drag(const QPointF& to) {
    setCursor(Qt::ClosedHandCursor);
    if (m_dragged >= 0) {
        Q_EMIT nodeDragged(m_dragged, m_scene.unplace(m_dragSide, to));
        return;
    }
    m_follow = false;
    m_scene.pan(to - m_last);
    m_last = to;
    redraw();
}

void GraphCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_down = true;
    m_pressed = m_last = event->position();
    m_dragged = m_scene.nodeAt(event->position());
    m_dragSide = std::max(0, m_scene.sideAt(event->position()));
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_down)
        return;
    const bool wasDrag = m_dragging;
    const int node = m_dragged;
    m_down = m_dragging = false;
    m_dragged = -1;
    unsetCursor();
    if (!wasDrag)
        Q_EMIT nodeActivated(m_scene.nodeAt(event->position()));
    else if (node >= 0)
        Q_EMIT nodeDropped(node);
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const int node = m_scene.nodeAt(event->position());
    if (event->button() == Qt::LeftButton && node >= 0)
        Q_EMIT pinToggled(node);
}

void GraphCanvas::leaveEvent(QEvent*) {
    if (!hasFocus())
        setHovered(0, -1);
}

void GraphCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    m_overlay->update();
    if (!underMouse())
        setHovered(0, -1);
}

void GraphCanvas::wheelEvent(QWheelEvent* event) {
    m_follow = false;
    m_scene.zoom(event->position(), std::pow(1.0015, event->angleDelta().y()));
    event->accept();
    redraw();
}

// Arrows go from node to node; with Ctrl they carry the node, which is pinned where it is put.
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
