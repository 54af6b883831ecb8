// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel and keys over the charts.
#include "widgets/charts/chart_board.h"
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace mooring {

// The step that something was measured at, nearest to the pointer.
std::int64_t ChartBoard::nearestStep(int panel, double x) const {
    const double wanted = m_sheet.stepAt(panel, x);
    double best = std::round(wanted);
    double distance = 1e300;
    for (const ChartSeries& series : m_sheet.chart(panel).series) {
        auto at = std::lower_bound(series.steps.begin(), series.steps.end(), wanted);
        for (int back = 0; back < 2; ++back) {
            if (at != series.steps.end() && std::abs(*at - wanted) < distance) {
                distance = std::abs(*at - wanted);
                best = *at;
            }
            if (at == series.steps.begin())
                break;
            --at;
        }
    }
    const auto [from, to] = m_sheet.steps();
    return static_cast<std::int64_t>(std::clamp(best, from, to));
}

bool ChartBoard::event(QEvent* event) {
    // The chart handles arrow keys, even if the window uses them as shortcuts.
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

void ChartBoard::mouseMoveEvent(QMouseEvent* event) {
    bringUpToDate();
    const QPointF at = event->position();
    if (m_down && !m_dragging
        && (at - m_pressed).manhattanLength() >= QApplication::startDragDistance())
        m_dragging = m_look.range.has_value();
    if (m_dragging) {
        pan(m_dragStep - m_sheet.stepAt(m_panel, at.x()));
        return;
    }
    const int panel = m_sheet.panelAt(at);
    const bool inside = panel >= 0 && m_sheet.plotRect(panel).adjusted(-6, -30, 6, 6).contains(at);
    if (inside)
        setHover(panel, nearestStep(panel, at.x()));
    else if (m_step)
        setHover(m_panel, {});
}

void ChartBoard::mousePressEvent(QMouseEvent* event) {
    bringUpToDate();
    const int panel = m_sheet.panelAt(event->position());
    if (event->button() != Qt::LeftButton || panel < 0)
        return;
    m_down = true;
    m_panel = panel;
    m_pressed = event->position();
    m_dragStep = m_sheet.stepAt(panel, m_pressed.x());
}

void ChartBoard::mouseReleaseEvent(QMouseEvent* event) {
    const bool click = m_down && !m_dragging && event->button() == Qt::LeftButton;
    m_down = m_dragging = false;
    if (click && m_step)
        Q_EMIT stepActivated(*m_step);
}

void ChartBoard::leaveEvent(QEvent*) {
    if (!hasFocus())
        setHover(m_panel, {});
}

void ChartBoard::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
    if (!underMouse())
        setHover(m_panel, {});
}

void ChartBoard::setRange(double from, double to) {
    m_look.range.reset();
    m_stale = true;
    bringUpToDate(); // the full range
    const auto [first, last] = m_sheet.steps();
    const double span = std::clamp(to - from, 4.0, last - first);
    if (span < last - first) {
        from = std::clamp(from, first, last - span);
        m_look.range = {from, from + span};
    }
    sheetChanged();
}

void ChartBoard::zoom(double about, double factor) {
    bringUpToDate();
    const auto [from, to] = m_sheet.steps();
    setRange(about - (about - from) / factor, about + (to - about) / factor);
}

void ChartBoard::pan(double steps) {
    const auto [from, to] = m_sheet.steps();
    setRange(from + steps, to + steps);
}

// With Ctrl or over a board without a scroll bar the wheel zooms in time; else it scrolls.
void ChartBoard::wheelEvent(QWheelEvent* event) {
    const int panel = m_sheet.panelAt(event->position());
    const bool scrolls = parentWidget() && parentWidget()->height() < height();
    if (panel < 0 || (scrolls && !(event->modifiers() & Qt::ControlModifier))) {
        event->ignore();
        return;
    }
    const QPoint turn = event->angleDelta();
    if (turn.y() != 0)
        zoom(m_sheet.stepAt(panel, event->position().x()), std::pow(1.0015, turn.y()));
    else
        pan(-turn.x() / 1200.0 * (m_sheet.steps().second - m_sheet.steps().first));
    event->accept();
}

void ChartBoard::moveHover(int panels, std::int64_t steps) {
    bringUpToDate();
    const auto [from, to] = m_sheet.steps();
    const std::int64_t start = m_step.value_or(m_chosen.value_or(static_cast<std::int64_t>(to)));
    const std::int64_t step = std::clamp(m_step ? start + steps : start,
        static_cast<std::int64_t>(std::ceil(from)), static_cast<std::int64_t>(to));
    setHover(m_panel + panels, step);
}

void ChartBoard::keyPressEvent(QKeyEvent* event) {
    const int far = event->modifiers() & Qt::ControlModifier ? 10 : 1;
    const double about = m_step ? double(*m_step) : m_sheet.steps().second;
    switch (event->key()) {
    case Qt::Key_Left:
        moveHover(0, -far);
        break;
    case Qt::Key_Right:
        moveHover(0, far);
        break;
    case Qt::Key_Up:
        moveHover(-1, 0);
        break;
    case Qt::Key_Down:
        moveHover(1, 0);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(about, 1.5);
        break;
    case Qt::Key_Minus:
        zoom(about, 1 / 1.5);
        break;
    case Qt::Key_Home:
        m_look.range.reset();
        sheetChanged();
        break;
    case Qt::Key_Escape:
        setHover(m_panel, {});
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_step)
            Q_EMIT stepActivated(*m_step);
        break;
    default:
        QWidget::keyPressEvent(event); // Space pauses the run, [ and ] step: the window's keys
    }
}

} // namespace mooring
