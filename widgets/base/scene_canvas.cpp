// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/scene_canvas.h"
#include "widgets/base/open_gl.h"
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QOpenGLWidget>
#include <QPainter>

namespace mooring {

// A plain widget above the GL surface: the text is drawn as everywhere else in the window.
class SceneCanvas::Overlay : public QWidget {
public:
    explicit Overlay(SceneCanvas* canvas)
        : QWidget(canvas)
        , m_canvas(canvas) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        m_canvas->paintAbove(painter);
    }

private:
    SceneCanvas* m_canvas;
};

SceneCanvas::SceneCanvas(QWidget* parent)
    : QWidget(parent)
    , m_overlay(new Overlay(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

bool SceneCanvas::wantsOpenGl(Drawing drawing) {
    return (drawing == Drawing::Auto && openGlAccelerated())
        || (drawing == Drawing::OpenGl && openGlAvailable());
}

void SceneCanvas::adopt(QOpenGLWidget* surface) {
    m_surface = surface;
    m_surface->lower();
}

void SceneCanvas::dropSurface() {
    if (!m_surface)
        return;
    m_surface->hide();
    m_surface->deleteLater();
    m_surface = nullptr;
    redraw();
}

void SceneCanvas::relayout() {
    layOut(rect());
    m_overlay->setGeometry(rect());
    if (m_surface)
        m_surface->setGeometry(shapesArea().toRect());
    redraw();
}

void SceneCanvas::redraw() {
    m_shapesStale = true;
    if (m_surface)
        m_surface->update();
    m_overlay->update();
}

void SceneCanvas::updateOverlay() {
    m_overlay->update();
}

void SceneCanvas::announcePointer(const QString& readOut) {
    setAccessibleDescription(readOut);
    Q_EMIT pointerMoved(readOut);
}

void SceneCanvas::paintAbove(QPainter& painter) {
    if (!m_surface)
        paintCachedShapes(painter);
    paintOverlay(painter);
    if (hasFocus()) {
        painter.setPen(QPen(themeColors(*this).accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void SceneCanvas::paintCachedShapes(QPainter& painter) {
    const QRectF area = shapesArea();
    const qreal scale = devicePixelRatioF();
    const QSize size = (area.size() * scale).toSize();
    if (m_shapesStale || m_shapes.size() != size || m_shapes.devicePixelRatio() != scale) {
        m_shapes = QPixmap(size);
        m_shapes.setDevicePixelRatio(scale);
        m_shapes.fill(themeColors(*this).canvas);
        QPainter shapes(&m_shapes);
        shapes.translate(-area.topLeft());
        paintShapes(shapes);
        m_shapesStale = false;
    }
    painter.drawPixmap(area.topLeft(), m_shapes);
}

bool SceneCanvas::event(QEvent* event) {
    // The canvas handles arrow keys, even if the window uses them as shortcuts.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() >= Qt::Key_Home && key->key() <= Qt::Key_Down
            && keepsArrowKeys(key->modifiers())) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void SceneCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), themeColors(*this).canvas);
}

void SceneCanvas::resizeEvent(QResizeEvent*) {
    relayout();
}

void SceneCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)
        return;
    themeChanged();
    relayout();
}

void SceneCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (m_down && !m_dragging
        && (at - m_pressed).manhattanLength() >= QApplication::startDragDistance())
        m_dragging = true;
    if (!m_dragging) {
        pointAt(at);
        return;
    }
    setCursor(Qt::ClosedHandCursor);
    dragBy(m_last, at);
    m_last = at;
}

void SceneCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_down = true;
    m_pressed = m_last = event->position();
    pressAt(event->position());
}

void SceneCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_down)
        return;
    const bool wasDrag = m_dragging;
    m_down = m_dragging = false;
    unsetCursor();
    if (wasDrag)
        dropDrag();
    else
        clickAt(event->position());
}

void SceneCanvas::leaveEvent(QEvent*) {
    if (!hasFocus())
        pointAway();
}

void SceneCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    m_overlay->update();
}

void SceneCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    m_overlay->update();
    if (!underMouse())
        pointAway();
}

} // namespace mooring
