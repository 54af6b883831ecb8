// SPDX-License-Identifier: GPL-3.0-or-later
// A heat map on the screen: cells by OpenGL, or by QPainter where no context comes up; labels,
// cross-hair and read-out by QPainter on top. Mouse, wheel and keys.
#pragma once
#include "widgets/heat_map.h"
#include <QPixmap>
#include <QWidget>
#include <functional>

namespace mooring {

class HeatMapSurface;

class HeatMapCanvas : public QWidget {
    Q_OBJECT
public:
    // Auto: OpenGL where a graphics card is behind it. Without one QPainter is several times
    // faster, because a window with a GL surface is put together by the processor anew for every
    // frame.
    enum class Drawing { Auto, OpenGl, Painter };
    explicit HeatMapCanvas(QWidget* parent = nullptr, Drawing drawing = Drawing::Auto);

    void setData(HeatMapPtr data);
    void setRange(const ColorRange& range, const QString& note);
    void setReadOut(std::function<ReadOut(int row, int column)> readOut);
    void setSelected(std::optional<HeatMapCell> cell);
    void setPointer(std::optional<HeatMapCell> cell); // as if the mouse stood there
    const HeatMapScene& scene() const { return m_scene; }
    std::optional<HeatMapCell> pointer() const { return m_marks.pointer; }
    bool usesOpenGl() const { return m_surface != nullptr; }
    void resetZoom();
    // The map in another place and theme, for exports: the zoom and the selection stay.
    void paintInto(QPainter& painter, const QRectF& area, const ThemeColors& colors) const;
    QSize sizeHint() const override { return {720, 360}; }
    QSize minimumSizeHint() const override { return {320, 160}; }

Q_SIGNALS:
    void pointerMoved(const QString& readOut); // empty: no cell under it
    void cellActivated(int row, int column); // a click or Enter
    void rowActivated(int row); // a click beside the map
    void zoomed(); // columns moved: what is aligned with them follows
    void fitRequested();
    void lockRequested();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    class Overlay;
    void useSurface(); // OpenGL
    void dropSurface(); // QPainter
    void relayout();
    void redraw(); // cells and overlay
    void paintCachedCells(QPainter& painter);
    void movePointer(int rows, int columns);
    void zoomAtPointer(double factor);
    bool movementKey(int key, bool far);
    void drag(const QPointF& to);

    HeatMapScene m_scene;
    HeatMapMarks m_marks;
    std::function<ReadOut(int, int)> m_readOut;
    HeatMapSurface* m_surface = nullptr;
    QWidget* m_overlay;
    QPointF m_pressed;
    QPointF m_last;
    QPixmap m_cells; // without OpenGL: as last drawn, so that a moving pointer costs little
    bool m_cellsStale = true;
    bool m_down = false;
    bool m_dragging = false;
};

} // namespace mooring
