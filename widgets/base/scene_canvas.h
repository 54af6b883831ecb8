// SPDX-License-Identifier: GPL-3.0-or-later What canvases share: shapes drawn
// with OpenGL, or with QPainter if there is no GPU; labels, marks and readout
// with QPainter on top; pointer, drag, focus and theme. Lives in the GUI
// thread.
#pragma once
#include "widgets/style/theme.h"
#include <QPixmap>
#include <QWidget>

class QOpenGLWidget;

namespace mooring {

class SceneCanvas : public QWidget {
    Q_OBJECT
public:
    // Auto: OpenGL if there is a GPU. Without one QPainter is several times
    // faster, because a window with a GL surface is composed by the CPU for every
    // frame.
    enum class Drawing { Auto, OpenGl, Painter };
    explicit SceneCanvas(QWidget* parent);
    bool usesOpenGl() const { return m_surface != nullptr; }

Q_SIGNALS:
    void pointerMoved(const QString& readOut); // empty: nothing under it

protected:
    // Takes the surface, which emits `failed()` if its context cannot be created.
    template <class Surface>
    void useSurface(Surface* surface) {
        adopt(surface);
        // Queued, because the surface emits it during its own initialization.
        connect(surface, &Surface::failed, this, &SceneCanvas::dropSurface, Qt::QueuedConnection);
    }
    static bool wantsOpenGl(Drawing drawing);
    void relayout();
    void redraw(); // shapes and overlay
    void updateOverlay();
    void announcePointer(const QString& readOut); // to screen readers and listeners

    virtual void layOut(const QRectF& area) = 0;
    virtual QRectF shapesArea() const = 0; // where the surface is, once laid out
    virtual void paintShapes(QPainter& painter) = 0;
    virtual void paintOverlay(QPainter& painter) = 0;
    virtual void themeChanged() = 0;
    virtual bool keepsArrowKeys(Qt::KeyboardModifiers modifiers) const = 0;
    virtual void pointAt(const QPointF& at) = 0;
    virtual void pointAway() = 0;
    virtual void pressAt(const QPointF& at) = 0;
    virtual void dragBy(const QPointF& from, const QPointF& to) = 0;
    virtual void dropDrag() = 0;
    virtual void clickAt(const QPointF& at) = 0;

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    class Overlay;
    void adopt(QOpenGLWidget* surface);
    void dropSurface(); // QPainter from now on
    void paintAbove(QPainter& painter);
    void paintCachedShapes(QPainter& painter);

    QOpenGLWidget* m_surface = nullptr;
    QWidget* m_overlay;
    QPixmap m_shapes; // without OpenGL: cached drawing, so that a moving pointer costs little
    bool m_shapesStale = true;
    QPointF m_pressed;
    QPointF m_last;
    bool m_down = false;
    bool m_dragging = false;
};

} // namespace mooring
