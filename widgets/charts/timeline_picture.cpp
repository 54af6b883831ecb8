// SPDX-License-Identifier: GPL-3.0-or-later
// The drawing of the timeline.
#include "widgets/charts/axis_ticks.h"
#include "widgets/charts/timeline.h"
#include "widgets/style/theme.h"
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

constexpr double kLeft = 72; // beside the views' own left margin, after the play button
constexpr double kRight = 40;
constexpr double kTick = 7;

double crisp(double x) {
    return std::round(x) + 0.5;
}

} // namespace

QRectF TimelineWidget::line() const {
    return QRectF(kLeft, height() / 2.0 - 1, std::max(1.0, width() - kLeft - kRight), 3);
}

void TimelineWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(smallFont(numberFont(font())));
    paintLine(painter);
    if (m_run) {
        paintTicks(painter);
        paintChanges(painter);
        paintScrubber(painter);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(themeColors(*this).accent, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void TimelineWidget::paintLine(QPainter& painter) const {
    const ThemeColors& c = themeColors(*this);
    const QRectF whole = line();
    painter.setPen(Qt::NoPen);
    painter.setBrush(c.kind == ThemeKind::Dark ? c.raised : c.border);
    painter.drawRoundedRect(whole, 1.5, 1.5);
    if (!m_run)
        return;
    QRectF done = whole;
    done.setRight(positionOf(lastStep()));
    painter.setBrush(c.accent);
    painter.drawRoundedRect(done, 1.5, 1.5);
}

// Frames as ticks, thinned where they would touch; numbers where there is room.
void TimelineWidget::paintTicks(QPainter& painter) const {
    const ThemeColors& c = themeColors(*this);
    const QRectF whole = line();
    const double middle = whole.center().y();
    double last = -100;
    for (const std::int64_t frame : m_frames) {
        const double x = crisp(positionOf(frame));
        if (x - last < 3 && frame != m_frames.back())
            continue;
        last = x;
        painter.setPen(QPen(m_hover == frame ? c.text : c.mutedText, 1.5));
        painter.drawLine(QPointF(x, middle - kTick), QPointF(x, middle + kTick));
    }
    const QFontMetricsF metrics(painter.font());
    const double each = metrics.horizontalAdvance(QString::number(steps())) + 40;
    const int most = std::max(1, static_cast<int>(whole.width() / each));
    const AxisScale scale = linearScale(0, static_cast<double>(steps()), most, false, true);
    painter.setPen(c.mutedText);
    for (const AxisTick& tick : scale.ticks) {
        const double x = positionOf(static_cast<std::int64_t>(tick.position));
        painter.drawText(
            QRectF(x - 40, middle + kTick + 3, 80, metrics.height()), Qt::AlignCenter, tick.label);
    }
}

void TimelineWidget::paintChanges(QPainter& painter) const {
    const ThemeColors& c = themeColors(*this);
    const QFontMetricsF metrics(painter.font());
    const double middle = line().center().y();
    double taken = 0;
    for (std::size_t i = 0; i < m_changes.size(); ++i) {
        const ChangeMark& change = m_changes[i];
        const double x = crisp(positionOf(change.step));
        if (change.rampSteps > 0) {
            const double end = positionOf(std::min(steps(), change.step + change.rampSteps - 1));
            QColor band = c.change;
            band.setAlpha(90);
            painter.fillRect(QRectF(x, middle - 5, std::max(1.0, end - x), 2), band);
        }
        painter.setPen(QPen(c.change, 2));
        painter.drawLine(QPointF(x, middle - kTick - 8), QPointF(x, middle + kTick));
        const double next = i + 1 < m_changes.size() ? positionOf(m_changes[i + 1].step) : width();
        const double room = std::min(next, double(width())) - x - 10;
        const bool leftward = room < 40 && x - taken > 80 && i + 1 == m_changes.size();
        const QString text = metrics.elidedText(
            change.text, Qt::ElideRight, leftward ? x - taken - 12 : std::max(0.0, room));
        if (text.size() < 3)
            continue; // shown in the tooltip
        const double textWidth = metrics.horizontalAdvance(text);
        const double left = leftward ? x - textWidth - 6 : x + 5;
        painter.setPen(c.change);
        painter.drawText(
            QRectF(left, middle - kTick - metrics.height() - 3, textWidth + 2, metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter, text);
        taken = left + textWidth;
    }
}

void TimelineWidget::paintScrubber(QPainter& painter) const {
    const ThemeColors& c = themeColors(*this);
    const QPointF at(positionOf(step()), line().center().y());
    painter.setPen(QPen(c.window, 1.5));
    painter.setBrush(c.kind == ThemeKind::Dark ? QColor(Qt::white) : c.text);
    painter.drawEllipse(at, 6.5, 6.5);
    if (m_selection->value().step < 0) { // follows the run
        painter.setPen(Qt::NoPen);
        painter.setBrush(c.accent);
        painter.drawEllipse(at, 3, 3);
    }
}

} // namespace mooring
