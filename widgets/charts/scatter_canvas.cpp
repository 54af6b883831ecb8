// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/scatter_canvas.h"
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <cmath>

namespace mooring {
namespace {

constexpr double kReach = 14; // pixels from the pointer to a dot

} // namespace

ScatterCanvas::ScatterCanvas(QWidget* parent)
    : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumHeight(180);
    setAccessibleName(tr("Scatter plot of runs; arrow keys move between runs, Enter opens one"));
}

void ScatterCanvas::setTable(ComparedTablePtr table, const Axes& axes) {
    m_table = std::move(table);
    m_panels.clear();
    for (const auto& [x, y] : axes)
        m_panels.push_back(scatterPanel(*m_table, x, y));
    m_focus.reset();
    if (m_highlighted >= static_cast<int>(m_table->rows.size()))
        m_highlighted = -1;
    update();
}

void ScatterCanvas::setHighlighted(int row) {
    if (row == m_highlighted)
        return;
    m_highlighted = row;
    update();
}

QPointF ScatterCanvas::placeOf(int panel, double x, double y) const {
    const auto index = static_cast<std::size_t>(panel);
    return place(m_panels[index], panelRects(rect())[index], x, y);
}

QPointF ScatterCanvas::placeOf(const Focus& focus) const {
    const auto& panel = m_panels[static_cast<std::size_t>(focus.panel)];
    if (focus.dot < 0) {
        const auto& cross = panel.crosses[static_cast<std::size_t>(~focus.dot)];
        return placeOf(focus.panel, cross.x, cross.y);
    }
    const auto& dot = panel.dots[static_cast<std::size_t>(focus.dot)];
    return placeOf(focus.panel, dot.x, dot.y);
}

int ScatterCanvas::rowOf(const Focus& focus) const {
    const auto& panel = m_panels[static_cast<std::size_t>(focus.panel)];
    return focus.dot < 0 ? panel.crosses[static_cast<std::size_t>(~focus.dot)].row
                         : panel.dots[static_cast<std::size_t>(focus.dot)].row;
}

// Dots win over means: a single run's mean is on its dot.
std::optional<ScatterCanvas::Focus> ScatterCanvas::nearest(const QPointF& point) const {
    std::optional<Focus> best;
    double least = kReach;
    for (int p = 0; p < panels(); ++p) {
        const auto consider = [&](int dot) {
            const QPointF away = placeOf(Focus{p, dot}) - point;
            const double distance = std::hypot(away.x(), away.y());
            if (distance < least) {
                least = distance;
                best = Focus{p, dot};
            }
        };
        for (int i = 0; i < static_cast<int>(panel(p).dots.size()); ++i)
            consider(i);
        for (int i = 0; i < static_cast<int>(panel(p).crosses.size()); ++i)
            consider(~i);
    }
    return best;
}

void ScatterCanvas::setFocusDot(std::optional<Focus> focus) {
    if (focus == m_focus)
        return;
    m_focus = focus;
    Q_EMIT hovered(focus ? readOutAt(*focus).text() : QString());
    update();
}

// The nearest dot in a direction, this panel's first; past its edge, the neighbor's.
void ScatterCanvas::moveFocus(int dx, int dy) {
    if (!m_focus) {
        for (int p = 0; p < panels(); ++p)
            if (!panel(p).dots.empty())
                return setFocusDot(Focus{p, 0});
        return;
    }
    const QPointF from = placeOf(*m_focus);
    std::optional<Focus> best;
    double least = 1e18;
    for (int p = 0; p < panels(); ++p)
        for (int i = 0; i < static_cast<int>(panel(p).dots.size()); ++i) {
            const Focus other{p, i};
            const QPointF away = placeOf(other) - from;
            const double along = dx * away.x() + dy * away.y();
            const double aside = std::abs(dx * away.y()) + std::abs(dy * away.x());
            const double cost = along + 2 * aside + (p == m_focus->panel ? 0 : 1e6);
            if (other != *m_focus && along > 0.5 && cost < least) {
                least = cost;
                best = other;
            }
        }
    if (best)
        setFocusDot(best);
}

ReadOut ScatterCanvas::readOutAt(const Focus& focus) const {
    const auto& table = *m_table;
    const auto& row = table.rows[static_cast<std::size_t>(rowOf(focus))];
    ReadOut card;
    card.aside = QString::fromStdString(row.condition);
    if (focus.dot < 0) {
        card.title = row.base ? tr("the base model") : tr("mean of %n run(s)", "", row.counted);
        for (std::size_t i = 0; i < table.metrics.size(); ++i)
            if (row.cells[i].n > 0)
                card.lines.push_back(
                    {metricTitle(table.metrics[i]), cellText(table.metrics[i], row.cells[i])});
        return card;
    }
    const auto& dot
        = m_panels[static_cast<std::size_t>(focus.panel)].dots[static_cast<std::size_t>(focus.dot)];
    const auto& run = table.runs[static_cast<std::size_t>(dot.run)];
    card.title = tr("%1 \u00b7 step %2").arg(QString::fromStdString(run.name)).arg(dot.step);
    for (const auto& point : run.points)
        if (point.step == dot.step)
            for (const auto& metric : table.metrics)
                if (std::isfinite(point.value(metric.id)))
                    card.lines.push_back(
                        {metricName(metric), metricText(metric, point.value(metric.id))});
    return card;
}

void ScatterCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto& colors = themeColors(*this);
    painter.fillRect(rect(), colors.canvas);
    paintInto(painter, rect(), colors);
    if (!m_focus)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.cross, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(placeOf(*m_focus), 8, 8);
    paintCard(painter, readOutAt(*m_focus), placeOf(*m_focus), rect(), colors, font());
}

void ScatterCanvas::mouseMoveEvent(QMouseEvent* event) {
    setFocusDot(nearest(event->position()));
}

void ScatterCanvas::mousePressEvent(QMouseEvent* event) {
    const auto focus = nearest(event->position());
    setFocusDot(focus);
    if (event->button() == Qt::LeftButton)
        Q_EMIT rowChosen(focus ? rowOf(*focus) : -1);
}

void ScatterCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto focus = nearest(event->position());
    if (focus && focus->dot >= 0 && event->button() == Qt::LeftButton)
        Q_EMIT runActivated(panel(focus->panel).dots[static_cast<std::size_t>(focus->dot)].run);
}

void ScatterCanvas::leaveEvent(QEvent*) {
    setFocusDot({});
}

void ScatterCanvas::focusOutEvent(QFocusEvent* event) {
    setFocusDot({});
    QWidget::focusOutEvent(event);
}

void ScatterCanvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return moveFocus(-1, 0);
    case Qt::Key_Right:
        return moveFocus(1, 0);
    case Qt::Key_Up:
        return moveFocus(0, -1);
    case Qt::Key_Down:
        return moveFocus(0, 1);
    case Qt::Key_Escape:
        return setFocusDot({});
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_focus && m_focus->dot >= 0)
            Q_EMIT runActivated(
                panel(m_focus->panel).dots[static_cast<std::size_t>(m_focus->dot)].run);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace mooring
