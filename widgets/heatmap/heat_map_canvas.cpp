// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heat_map_canvas.h"
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <cmath>

namespace mooring {

HeatMapCanvas::HeatMapCanvas(QWidget* parent, Drawing drawing)
    : SceneCanvas(parent) {
    m_scene.setColors(themeColors(*this));
    if (!wantsOpenGl(drawing))
        return;
    m_cells = new HeatMapSurface(&m_scene, this);
    useSurface(m_cells.data());
}

void HeatMapCanvas::setData(HeatMapPtr data) {
    m_scene.setData(std::move(data));
    if (m_cells) {
        m_cells->valuesChanged();
        m_cells->colorsChanged();
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
    updateOverlay();
}

void HeatMapCanvas::setPointer(std::optional<HeatMapCell> cell) {
    m_marks.pointer = cell;
    m_marks.card = cell && m_readOut ? m_readOut(cell->row, cell->column) : ReadOut{};
    updateOverlay();
    announcePointer(m_marks.card.empty() ? QString() : m_marks.card.text());
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

void HeatMapCanvas::layOut(const QRectF& area) {
    m_scene.layout(area, numberFont(font()));
    Q_EMIT zoomed();
}

void HeatMapCanvas::themeChanged() {
    m_scene.setColors(themeColors(*this));
    if (m_cells)
        m_cells->colorsChanged();
}

void HeatMapCanvas::pointAt(const QPointF& at) {
    const auto cell = m_scene.cellAt(at);
    if (cell != m_marks.pointer)
        setPointer(cell);
}

void HeatMapCanvas::dragBy(const QPointF& from, const QPointF& to) {
    m_scene.pan(to - from);
    redraw();
    Q_EMIT zoomed();
}

void HeatMapCanvas::clickAt(const QPointF& at) {
    if (m_scene.legendRect().contains(at))
        Q_EMIT lockRequested();
    else if (const auto cell = m_scene.cellAt(at))
        Q_EMIT cellActivated(cell->row, cell->column);
    else if (const auto row = m_scene.rowAt(at))
        Q_EMIT rowActivated(*row);
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
