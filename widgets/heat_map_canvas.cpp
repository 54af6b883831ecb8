// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heat_map_canvas.h"
#include "widgets/heat_map_surface.h"
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <cmath>

namespace mooring {

// A plain widget above the GL surface: the text is drawn as everywhere else in the window.
class HeatMapCanvas::Overlay : public QWidget {
public:
    explicit Overlay(HeatMapCanvas* canvas)
        : QWidget(canvas)
        , m_canvas(canvas) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        if (!m_canvas->usesOpenGl())
            m_canvas->paintCachedCells(painter);
        m_canvas->m_scene.paintOverlay(painter, m_canvas->m_marks);
    }

private:
    HeatMapCanvas* m_canvas;
};

HeatMapCanvas::HeatMapCanvas(QWidget* parent, Drawing drawing)
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

void HeatMapCanvas::useSurface() {
    m_surface = new HeatMapSurface(&m_scene, this);
    m_surface->lower();
    // Queued: the surface is in the middle of its own start when it says so.
    connect(m_surface, &HeatMapSurface::failed, this, &HeatMapCanvas::dropSurface,
        Qt::QueuedConnection);
}

void HeatMapCanvas::dropSurface() {
    if (!m_surface)
        return;
    m_surface->hide();
    m_surface->deleteLater();
    m_surface = nullptr;
    redraw();
}

void HeatMapCanvas::setData(HeatMapPtr data) {
    m_scene.setData(std::move(data));
    if (m_surface) {
        m_surface->valuesChanged();
        m_surface->colorsChanged();
    }
    const HeatMapData& now = *m_scene.data();
    const auto inside
        = [&](const HeatMapCell& c) { return c.row < now.rows && c.column < now.columns; };
    if (m_marks.pointer && !inside(*m_marks.pointer))
        m_marks.pointer.reset();
    relayout();
    setPointer(m_marks.pointer); // the read-out shows the new numbers
}

void HeatMapCanvas::setRange(const ColorRange& range, const QString& note) {
    m_scene.setRange(range, note);
    redraw();
}

void HeatMapCanvas::setReadOut(std::function<ReadOut(int, int)> readOut) {
    m_readOut = std::move(readOut);
}

void HeatMapCanvas::setSelected(std::optional<HeatMapCell> cell) {
    m_marks.selected = cell;
    m_overlay->update();
}

void HeatMapCanvas::setPointer(std::optional<HeatMapCell> cell) {
    m_marks.pointer = cell;
    m_marks.card = cell && m_readOut ? m_readOut(cell->row, cell->column) : ReadOut{};
    m_overlay->update();
    const QString text = m_marks.card.empty() ? QString() : m_marks.card.text();
    setAccessibleDescription(text);
    Q_EMIT pointerMoved(text);
}

void HeatMapCanvas::resetZoom() {
    m_scene.resetZoom();
    redraw();
    Q_EMIT zoomed();
}

void HeatMapCanvas::paintInto(
    QPainter& painter, const QRectF& area, const ThemeColors& colors) const {
    HeatMapScene scene = m_scene;
    scene.setColors(colors);
    scene.layout(area, numberFont(font()));
    scene.paintCells(painter);
    HeatMapMarks marks;
    marks.selected = m_marks.selected;
    scene.paintOverlay(painter, marks);
}

void HeatMapCanvas::relayout() {
    m_scene.layout(rect(), numberFont(font()));
    m_overlay->setGeometry(rect());
    if (m_surface)
        m_surface->setGeometry(m_scene.mapRect().toRect());
    redraw();
    Q_EMIT zoomed();
}

void HeatMapCanvas::paintCachedCells(QPainter& painter) {
    const QRectF map = m_scene.mapRect();
    const qreal scale = devicePixelRatioF();
    const QSize size = (map.size() * scale).toSize();
    if (m_cellsStale || m_cells.size() != size || m_cells.devicePixelRatio() != scale) {
        m_cells = QPixmap(size);
        m_cells.setDevicePixelRatio(scale);
        m_cells.fill(m_scene.colors().canvas);
        QPainter cells(&m_cells);
        cells.translate(-map.topLeft());
        m_scene.paintCells(cells);
        m_cellsStale = false;
    }
    painter.drawPixmap(map.topLeft(), m_cells);
}

void HeatMapCanvas::redraw() {
    m_cellsStale = true;
    if (m_surface)
        m_surface->update();
    m_overlay->update();
}

bool HeatMapCanvas::event(QEvent* event) {
    // Arrow keys are the map's, whatever shortcuts a window may give them.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() >= Qt::Key_Home && key->key() <= Qt::Key_Down
            && key->modifiers() == Qt::NoModifier) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void HeatMapCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_scene.colors().canvas);
    if (hasFocus()) {
        painter.setPen(QPen(m_scene.colors().accent, 1));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void HeatMapCanvas::resizeEvent(QResizeEvent*) {
    relayout();
}

void HeatMapCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)
        return;
    m_scene.setColors(themeColors(*this));
    if (m_surface)
        m_surface->colorsChanged();
    relayout();
}

void HeatMapCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_down && !m_dragging
        && (event->position() - m_pressed).manhattanLength() >= QApplication::startDragDistance())
        m_dragging = true;
    if (m_dragging) {
        drag(event->position());
        return;
    }
    const auto cell = m_scene.cellAt(event->position());
    if (cell != m_marks.pointer)
        setPointer(cell);
}

void HeatMapCanvas::drag(const QPointF& to) {
    m_scene.pan(to - m_last);
    m_last = to;
    setCursor(Qt::ClosedHandCursor);
    redraw();
    Q_EMIT zoomed();
}

void HeatMapCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_down = true;
    m_pressed = m_last = event->position();
}

void HeatMapCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_down)
        return;
    const bool wasDrag = m_dragging;
    m_down = m_dragging = false;
    unsetCursor();
    if (wasDrag)
        return;
    if (m_scene.legendRect().contains(event->position()))
        Q_EMIT lockRequested();
    else if (const auto cell = m_scene.cellAt(event->position()))
        Q_EMIT cellActivated(cell->row, cell->column);
    else if (const auto row = m_scene.rowAt(event->position()))
        Q_EMIT rowActivated(*row);
}

void HeatMapCanvas::leaveEvent(QEvent*) {
    if (!hasFocus())
        setPointer({});
}

void HeatMapCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
    if (!underMouse())
        setPointer({});
}

// Both ways about the pointer; with Shift along the columns only. Sideways wheels pan.
void HeatMapCanvas::wheelEvent(QWheelEvent* event) {
    const QPoint turn = event->angleDelta();
    if (turn.y() == 0) {
        m_scene.pan(QPointF(turn.x() / 2.0, 0));
    } else {
        const double factor = std::pow(1.0015, turn.y());
        const bool columnsOnly = event->modifiers() & Qt::ShiftModifier;
        m_scene.zoom(event->position(), factor, columnsOnly ? 1 : factor);
    }
    event->accept();
    redraw();
    setPointer(m_scene.cellAt(event->position()));
    Q_EMIT zoomed();
}

void HeatMapCanvas::movePointer(int rows, int columns) {
    const HeatMapData& data = *m_scene.data();
    if (data.rows == 0 || data.columns == 0)
        return;
    HeatMapCell cell{0, 0};
    if (m_marks.pointer || m_marks.selected) {
        const HeatMapCell from = m_marks.pointer ? *m_marks.pointer : *m_marks.selected;
        cell = {std::clamp(from.row + rows, 0, data.rows - 1),
            std::clamp(from.column + columns, 0, data.columns - 1)};
    }
    m_scene.reveal(cell);
    redraw();
    setPointer(cell);
    Q_EMIT zoomed();
}

void HeatMapCanvas::zoomAtPointer(double factor) {
    const QPointF about = m_marks.pointer ? m_scene.cellRect(*m_marks.pointer).center()
                                          : m_scene.mapRect().center();
    m_scene.zoom(about, factor, factor);
    redraw();
    Q_EMIT zoomed();
}

bool HeatMapCanvas::movementKey(int key, bool far) {
    const int step = far ? 10 : 1;
    switch (key) {
    case Qt::Key_Left:
        movePointer(0, -step);
        return true;
    case Qt::Key_Right:
        movePointer(0, step);
        return true;
    case Qt::Key_Up:
        movePointer(-step, 0);
        return true;
    case Qt::Key_Down:
        movePointer(step, 0);
        return true;
    default:
        return false;
    }
}

void HeatMapCanvas::keyPressEvent(QKeyEvent* event) {
    if (movementKey(event->key(), event->modifiers() & Qt::ControlModifier))
        return;
    switch (event->key()) {
    case Qt::Key_Home:
        resetZoom();
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomAtPointer(1.25);
        break;
    case Qt::Key_Minus:
        zoomAtPointer(0.8);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_marks.pointer)
            Q_EMIT cellActivated(m_marks.pointer->row, m_marks.pointer->column);
        break;
    case Qt::Key_F:
        Q_EMIT fitRequested();
        break;
    case Qt::Key_L:
        Q_EMIT lockRequested();
        break;
    default:
        QWidget::keyPressEvent(event); // Space pauses the run, [ and ] step: the window's keys
    }
}

} // namespace mooring
