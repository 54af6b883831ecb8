// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_board.h"
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace mooring {

ChartBoard::ChartBoard(QWidget* parent)
    : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Charts over steps"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChartBoard::setCharts(std::shared_ptr<const ChartSet> charts, std::vector<ChartId> shown) {
    m_charts = std::move(charts);
    m_shown = std::move(shown);
    m_panel = std::clamp(m_panel, 0, std::max(0, static_cast<int>(m_shown.size()) - 1));
    updateGeometry();
    sheetChanged();
}

void ChartBoard::setSmoothing(double weight) {
    m_look.smoothing = weight;
    sheetChanged();
}

void ChartBoard::setLogAxis(bool on) {
    m_look.logAxis = on;
    sheetChanged();
}

void ChartBoard::setChosenStep(std::optional<std::int64_t> step) {
    if (step == m_chosen)
        return;
    m_chosen = step;
    update();
}

int ChartBoard::heightForWidth(int width) const {
    return static_cast<int>(ChartSheet::wantedHeight(static_cast<int>(m_shown.size()), width));
}

void ChartBoard::sheetChanged() {
    m_stale = true;
    update();
}

// Many changes between two frames of the screen cost one drawing.
void ChartBoard::bringUpToDate() {
    const double ratio = devicePixelRatioF();
    const QSize wanted = (QSizeF(size()) * ratio).toSize();
    if (!m_stale && m_picture.size() == wanted)
        return;
    m_look.colors = &themeColors(*this);
    m_look.font = numberFont(font());
    m_sheet.set(m_charts, m_shown, m_look, rect());
    m_picture = QPixmap(wanted);
    m_picture.setDevicePixelRatio(ratio);
    m_picture.fill(m_look.colors->canvas);
    QPainter painter(&m_picture);
    m_sheet.paint(painter);
    m_stale = false;
}

const ChartSheet& ChartBoard::sheet() {
    bringUpToDate();
    return m_sheet;
}

void ChartBoard::paintInto(QPainter& painter, const QRectF& area, const ThemeColors& colors) const {
    ChartSheet sheet;
    SheetLook look = m_look;
    look.colors = &colors;
    look.font = numberFont(font());
    sheet.set(m_charts, m_shown, look, area);
    sheet.paint(painter);
    for (int panel = 0; panel < sheet.panels(); ++panel)
        sheet.paintHead(painter, panel, {});
}

void ChartBoard::paintEvent(QPaintEvent*) {
    bringUpToDate();
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int panel = 0; panel < m_sheet.panels(); ++panel)
        m_sheet.paintHead(painter, panel, m_step);
    paintChosen(painter);
    paintCross(painter);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_look.colors->accent, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void ChartBoard::paintChosen(QPainter& painter) const {
    const auto [from, to] = m_sheet.steps();
    if (!m_chosen || double(*m_chosen) < from || double(*m_chosen) > to)
        return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_look.colors->text);
    for (int panel = 0; panel < m_sheet.panels(); ++panel) {
        const QPointF tip(m_sheet.xOf(panel, double(*m_chosen)), m_sheet.plotRect(panel).bottom());
        painter.drawPolygon(QPolygonF({tip, tip + QPointF(-4, 6), tip + QPointF(4, 6)}));
    }
}

void ChartBoard::paintCross(QPainter& painter) const {
    if (!m_step)
        return;
    QColor line = m_look.colors->cross;
    line.setAlpha(110);
    for (int panel = 0; panel < m_sheet.panels(); ++panel) {
        const QRectF plot = m_sheet.plotRect(panel);
        const double x = std::round(m_sheet.xOf(panel, double(*m_step))) + 0.5;
        if (x < plot.left() || x > plot.right() + 1)
            continue;
        painter.setPen(QPen(line, 1));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        paintDots(painter, panel);
    }
    if (m_panel >= m_sheet.panels())
        return;
    const QRectF plot = m_sheet.plotRect(m_panel);
    const QPointF corner(m_sheet.xOf(m_panel, double(*m_step)), plot.top() + plot.height() * 0.3);
    paintCard(painter, readOutAt(m_panel, *m_step), corner, rect(), *m_look.colors, m_look.font);
}

void ChartBoard::paintDots(QPainter& painter, int panel) const {
    for (const ChartSeries& series : m_sheet.chart(panel).series) {
        const double value = series.at(*m_step);
        const auto y = std::isnan(value) ? std::nullopt : m_sheet.yOf(panel, value);
        if (!y)
            continue;
        painter.setPen(QPen(m_look.colors->canvas, 1.5));
        painter.setBrush(ChartSheet::colorOf(*m_charts, series, *m_look.colors));
        painter.drawEllipse(QPointF(m_sheet.xOf(panel, double(*m_step)), *y), 4, 4);
    }
}

ReadOut ChartBoard::readOutAt(int panel, std::int64_t step) const {
    if (panel < 0 || panel >= static_cast<int>(m_shown.size()) || m_charts->charts.empty())
        return {};
    const Chart& chart = m_charts->chart(m_shown[static_cast<std::size_t>(panel)]);
    ReadOut card;
    card.title = chart.title;
    card.aside = tr("step %1").arg(step);
    for (const ChartSeries& series : chart.series) {
        QStringList name;
        if (m_charts->runs.size() > 1)
            name.append(m_charts->runs[static_cast<std::size_t>(series.run)].name);
        if (!series.name.isEmpty())
            name.append(series.name);
        double value = series.at(step);
        if (std::isnan(value) && series.sparse) {
            const auto after = std::upper_bound(
                series.steps.begin(), series.steps.end(), static_cast<double>(step));
            if (after == series.steps.begin())
                continue;
            const auto at = static_cast<std::size_t>(after - series.steps.begin() - 1);
            value = series.values[at];
            name.append(tr("measured at %1").arg(qint64(series.steps[at])));
        }
        if (std::isnan(value))
            continue;
        const QString label = name.isEmpty() ? tr("value") : name.join(QStringLiteral(" \u00b7 "));
        card.lines.push_back({label, formatExact(value),
            ChartSheet::colorOf(*m_charts, series, themeColors(ThemeKind::Dark))});
    }
    for (const ChartRun& run : m_charts->runs)
        for (const ChangeMark& mark : run.changes)
            if (mark.step == step)
                card.lines.push_back({m_charts->runs.size() > 1 ? run.name : tr("change"),
                    mark.detail, themeColors(ThemeKind::Dark).change});
    return card;
}

void ChartBoard::setHover(int panel, std::optional<std::int64_t> step) {
    m_panel = std::clamp(panel, 0, std::max(0, static_cast<int>(m_shown.size()) - 1));
    m_step = step;
    update();
    const ReadOut card = step ? readOutAt(m_panel, *step) : ReadOut{};
    const QString text = card.empty() ? QString() : card.text();
    setAccessibleDescription(text);
    Q_EMIT hovered(text);
}

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
    // Arrow keys are the chart's, whatever shortcuts a window may give them.
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

void ChartBoard::resizeEvent(QResizeEvent*) {
    sheetChanged();
}

void ChartBoard::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        sheetChanged();
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
