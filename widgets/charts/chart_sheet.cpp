// SPDX-License-Identifier: GPL-3.0-or-later
// Layout, axes and curves; what is written on top is in chart_sheet_text.cpp.
#include "widgets/base/controls.h"
#include "widgets/charts/chart_sheet_panel.h"
#include <QFontMetricsF>
#include <QLineSeries>
#include <QPainter>
#include <QScatterSeries>
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

constexpr double kMargin = 12;
constexpr double kPanelGap = 12;
constexpr double kWantedWidth = 300;
constexpr double kWantedHeight = 190;
constexpr double kRaw = 1.0; // pen widths
constexpr double kCurve = 1.8;

int columnsFor(int count, double width) {
    int columns = count <= 1 ? 1 : count <= 4 ? 2 : count <= 9 ? 3 : 4;
    if (count == 3)
        columns = 3;
    return std::clamp(columns, 1, std::max(1, static_cast<int>(width / kWantedWidth)));
}

QColor mixed(const QColor& a, const QColor& b, double share) {
    return QColor::fromRgbF(float(a.redF() + (b.redF() - a.redF()) * share),
        float(a.greenF() + (b.greenF() - a.greenF()) * share),
        float(a.blueF() + (b.blueF() - a.blueF()) * share));
}

} // namespace

ChartSheet::ChartSheet() = default;
ChartSheet::~ChartSheet() = default;

double ChartSheet::wantedHeight(int count, double width) {
    const int columns = columnsFor(count, width);
    return ((count + columns - 1) / columns) * kWantedHeight;
}

QColor ChartSheet::colorOf(
    const ChartSet& charts, const ChartSeries& series, const ThemeColors& c) {
    const QColor run = charts.runs[static_cast<std::size_t>(series.run)].color;
    // Beside other runs the color is the run's alone, and dashes tell its curves apart.
    constexpr double kTint[] = {0, 0.45, 0.2, 0.65};
    if (charts.runs.size() > 1)
        return run;
    return mixed(run, c.text, kTint[series.style % 4]);
}

Qt::PenStyle penStyleOf(const ChartSeries& series) {
    constexpr Qt::PenStyle kStyles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    return kStyles[series.style % 4];
}

const Chart& ChartSheet::chart(int panel) const {
    return m_charts->chart(m_panels[static_cast<std::size_t>(panel)]->id);
}

QRectF ChartSheet::panelRect(int panel) const {
    return m_panels[static_cast<std::size_t>(panel)]->rect;
}

QRectF ChartSheet::plotRect(int panel) const {
    return m_panels[static_cast<std::size_t>(panel)]->plot;
}

int ChartSheet::panelAt(const QPointF& point) const {
    for (int i = 0; i < panels(); ++i)
        if (panelRect(i).contains(point))
            return i;
    return -1;
}

double ChartSheet::xOf(int panel, double step) const {
    const QRectF plot = plotRect(panel);
    return plot.left() + plot.width() * (step - m_steps.first) / (m_steps.second - m_steps.first);
}

double ChartSheet::stepAt(int panel, double x) const {
    const QRectF plot = plotRect(panel);
    return m_steps.first
        + (m_steps.second - m_steps.first) * (x - plot.left()) / std::max(1.0, plot.width());
}

std::optional<double> ChartSheet::yOf(int index, double value) const {
    const Panel& panel = *m_panels[static_cast<std::size_t>(index)];
    if (isLog(chart(index))) {
        if (!(value > 0))
            return {};
        value = std::log10(value);
    }
    const double along = (value - panel.scale.low) / (panel.scale.high - panel.scale.low);
    if (!(along >= -1e-6 && along <= 1 + 1e-6))
        return {};
    return panel.plot.bottom() - along * panel.plot.height();
}

void ChartSheet::set(std::shared_ptr<const ChartSet> charts, std::vector<ChartId> shown,
    SheetLook look, const QRectF& area) {
    m_charts = std::move(charts);
    m_look = std::move(look);
    m_steps = m_look.range.value_or(fullRange(*m_charts));
    if (m_charts->charts.empty())
        shown.clear();
    while (m_panels.size() > shown.size())
        m_panels.pop_back();
    while (m_panels.size() < shown.size())
        m_panels.push_back(std::make_unique<Panel>());
    for (std::size_t i = 0; i < shown.size(); ++i)
        m_panels[i]->id = shown[i];
    place(area);
    m_scene.setSceneRect(area);
    for (const auto& panel : m_panels)
        fill(*panel);
}

void ChartSheet::place(const QRectF& area) {
    m_area = area;
    const QFontMetricsF metrics(m_look.font);
    QRectF rest = area.adjusted(kMargin, 4, -kMargin, -4);
    m_runs = {};
    if (m_charts->runs.size() > 1) {
        m_runs = QRectF(rest.left() + 4, rest.top(), rest.width() - 4, metrics.height() + 4);
        rest.setTop(m_runs.bottom() + 2);
    }
    const int count = panels();
    if (count == 0)
        return;
    const int columns = columnsFor(count, rest.width());
    const int rows = (count + columns - 1) / columns;
    const double width = (rest.width() - (columns - 1) * kPanelGap) / columns;
    const double height = rest.height() / rows;
    const double axis = metrics.horizontalAdvance(QStringLiteral("0.0000")) + 8;
    for (int i = 0; i < count; ++i) {
        Panel& panel = *m_panels[static_cast<std::size_t>(i)];
        panel.rect = QRectF(rest.left() + (i % columns) * (width + kPanelGap),
            rest.top() + (i / columns) * height, width, height);
        panel.plot
            = panel.rect.adjusted(axis, 2 * metrics.height() + 14, -10, -metrics.height() - 12);
        panel.plot = QRectF(panel.plot.toAlignedRect());
    }
}

// The curve of smoothed values hides single peaks, so the axis holds the raw ones too.
void ChartSheet::findRange(Panel& panel) const {
    const Chart& chart = m_charts->chart(panel.id);
    const bool log = isLog(chart);
    double low = 1e300;
    double high = -1e300;
    for (const ChartSeries& series : chart.series)
        for (std::size_t i = 0; i < series.values.size(); ++i) {
            const double value = series.values[i];
            if (series.steps[i] < m_steps.first || series.steps[i] > m_steps.second
                || (log && value <= 0))
                continue;
            low = std::min(low, value);
            high = std::max(high, value);
        }
    panel.empty = low > high;
    if (panel.empty) {
        low = log ? 0.1 : 0;
        high = 1;
    }
    const double room = (high - low) * 0.04; // curves keep off the edges
    low = log ? low * 0.93 : low - room;
    high = log ? high * 1.07 : high + room;
    const bool fromZero = chart.id == ChartId::Beta || chart.id == ChartId::ClipFactor;
    if (fromZero && !log)
        low = 0;
    const int most = std::max(2, static_cast<int>(panel.plot.height() / 34));
    panel.scale = log ? logScale(low, high, most) : linearScale(low, high, most, true);
}

void ChartSheet::makeAxes(Panel& panel) {
    const QFontMetricsF metrics(m_look.font);
    const double each = metrics.horizontalAdvance(QString::number(qint64(m_steps.second))) + 28;
    const int most = std::max(2, static_cast<int>(panel.plot.width() / each));
    const AxisScale time = linearScale(m_steps.first, m_steps.second, most, false, true);
    panel.setAxes(time, panel.scale, m_look);
}

void ChartSheet::fill(Panel& panel) {
    panel.begin(m_scene);
    findRange(panel);
    makeAxes(panel);
    for (const ChartSeries& series : m_charts->chart(panel.id).series)
        addCurves(panel, series);
    panel.chart->layout()->activate();
}

std::vector<QPointF> ChartSheet::pointsOf(
    const Panel& panel, const ChartSeries& series, const std::vector<double>& values) const {
    const bool log = isLog(m_charts->chart(panel.id));
    std::vector<QPointF> points;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double step = series.steps[i];
        if (step < m_steps.first || step > m_steps.second || (log && values[i] <= 0))
            continue;
        const double y = log ? std::log10(values[i]) : values[i];
        if (series.stepped && !points.empty() && points.back().y() != y)
            points.emplace_back(step, points.back().y());
        points.emplace_back(step, y);
    }
    return points;
}

void ChartSheet::addCurves(Panel& panel, const ChartSeries& series) {
    const ThemeColors& c = *m_look.colors;
    const QColor color = colorOf(*m_charts, series, c);
    const std::vector<QPointF> raw = pointsOf(panel, series, series.values);
    QPen curve(color, kCurve, penStyleOf(series), Qt::RoundCap, Qt::RoundJoin);
    if (curve.style() != Qt::SolidLine)
        curve.setCapStyle(Qt::FlatCap);
    if (series.sparse) {
        curve.setWidthF(1.4);
        addLine(panel, raw, curve);
        if (raw.size() <= 200)
            addPoints(panel, raw, color);
        return;
    }
    const bool smooth = m_look.smoothing > 0 && raw.size() > 2 && !series.exact;
    if (series.exact)
        return addLine(panel, raw, curve);
    QColor thin = color;
    thin.setAlpha(smooth ? 95 : 255);
    addLine(panel, raw, QPen(thin, smooth ? kRaw : 1.3, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin));
    if (smooth)
        addLine(panel, pointsOf(panel, series, smoothed(series.values, m_look.smoothing)), curve);
}

void ChartSheet::addLine(Panel& panel, std::vector<QPointF> points, const QPen& pen) {
    if (points.size() < 2)
        return addPoints(panel, points, pen.color());
    auto* line = new QLineSeries; // the chart owns it
    line->setPen(pen);
    // Two points a pixel look like all of them, and round joins of so many cost the most.
    const auto visible = static_cast<std::size_t>(std::max(200.0, panel.plot.width()) * 2);
    const bool many = points.size() > visible;
    const std::vector<QPointF> kept
        = decimated(std::move(points), many ? std::min(visible, kMostPoints) : kMostPoints);
    if (many) {
        QPen plain = pen;
        plain.setJoinStyle(Qt::BevelJoin);
        plain.setCapStyle(Qt::FlatCap);
        line->setPen(plain);
    }
    line->replace(QList<QPointF>(kept.begin(), kept.end()));
    panel.attach(line);
}

void ChartSheet::addPoints(Panel& panel, const std::vector<QPointF>& points, const QColor& color) {
    if (points.empty())
        return;
    auto* dots = new QScatterSeries; // the chart owns it
    dots->setMarkerSize(5);
    dots->setPen(Qt::NoPen);
    dots->setBrush(color);
    dots->replace(QList<QPointF>(points.begin(), points.end()));
    panel.attach(dots);
}

} // namespace mooring
