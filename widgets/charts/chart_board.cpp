// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chart_board.h"
#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

constexpr int kLeastBetween = 120; // milliseconds between drawings of a live run

} // namespace

ChartBoard::ChartBoard(QWidget* parent)
    : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Charts over steps"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    m_later.setSingleShot(true);
    connect(&m_later, &QTimer::timeout, this, [this] { update(); });
}

void ChartBoard::setCharts(std::shared_ptr<const ChartSet> charts, std::vector<ChartId> shown) {
    m_charts = std::move(charts);
    m_shown = std::move(shown);
    m_panel = std::clamp(m_panel, 0, std::max(0, static_cast<int>(m_shown.size()) - 1));
    updateGeometry();
    m_stale = true;
    const qint64 since = m_drawn.isValid() ? m_drawn.elapsed() : kLeastBetween;
    if (since >= kLeastBetween)
        update();
    else if (!m_later.isActive())
        m_later.start(static_cast<int>(kLeastBetween - since));
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
    m_later.stop();
    m_stale = true;
    update();
}

// Many changes between two frames of the screen cost one drawing.
void ChartBoard::bringUpToDate() {
    const double ratio = devicePixelRatioF();
    const QSize wanted = (QSizeF(size()) * ratio).toSize();
    if (m_picture.size() == wanted && (!m_stale || m_later.isActive()))
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
    m_drawn.start();
}

const ChartSheet& ChartBoard::sheet() {
    m_later.stop();
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
        painter.setBrush(ChartSheet::colorOf(m_sheet.charts(), series, *m_look.colors));
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

void ChartBoard::resizeEvent(QResizeEvent*) {
    sheetChanged();
}

void ChartBoard::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        sheetChanged();
}

} // namespace mooring
