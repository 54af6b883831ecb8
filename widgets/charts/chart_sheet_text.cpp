// SPDX-License-Identifier: GPL-3.0-or-later
// Headers, marks of live changes and names of runs on a sheet of charts.
#include "widgets/charts/chart_sheet_panel.h"
#include "widgets/live/live_state.h"
#include <QFontMetricsF>
#include <QObject>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

constexpr auto kLeft = Qt::AlignLeft | Qt::AlignVCenter;
constexpr int kMarkRows = 4;

// The value at a step; of curves measured now and then the newest before it.
QString valueText(const ChartSeries& series, std::optional<std::int64_t> step) {
    if (series.values.empty())
        return {};
    double value = step ? series.at(*step) : series.values.back();
    if (step && std::isnan(value) && series.sparse) {
        const auto after = std::upper_bound(
            series.steps.begin(), series.steps.end(), static_cast<double>(*step));
        if (after != series.steps.begin())
            value = series.values[static_cast<std::size_t>(after - series.steps.begin() - 1)];
    }
    if (std::isnan(value))
        return {};
    return series.exact ? liveNumber(value) : formatNumber(value, 4);
}

// A curve's sample, name and number.
struct KeyEntry {
    const ChartSeries* series;
    QString name;
    QString value;

    double width(const QFontMetricsF& metrics, bool number) const {
        return 22 + metrics.horizontalAdvance(name)
            + (number ? metrics.horizontalAdvance(value) : 0) + 12;
    }
};

} // namespace

void ChartSheet::paint(QPainter& painter) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    m_scene.render(&painter, m_area, m_area, Qt::IgnoreAspectRatio);
    painter.setFont(m_look.font);
    paintRuns(painter);
    for (int panel = 0; panel < panels(); ++panel) {
        if (m_panels[static_cast<std::size_t>(panel)]->empty)
            paintNothing(painter, panel);
        paintChanges(painter, panel);
    }
    painter.restore();
}

void ChartSheet::paintRuns(QPainter& painter) const {
    if (m_runs.isEmpty())
        return;
    const QFontMetricsF metrics(m_look.font);
    double left = m_runs.left();
    for (const ChartRun& run : m_charts->runs) {
        const double width = metrics.horizontalAdvance(run.name);
        if (left + width + 16 > m_runs.right())
            break;
        painter.setPen(Qt::NoPen);
        painter.setBrush(run.color);
        painter.drawEllipse(QPointF(left + 4, m_runs.center().y()), 4, 4);
        painter.setPen(m_look.colors->text);
        painter.drawText(
            QRectF(left + 14, m_runs.top(), width + 2, m_runs.height()), kLeft, run.name);
        left += width + 34;
    }
}

// First line: what it is. Second line: each curve's sample, name and number.
void ChartSheet::paintHead(QPainter& painter, int index, std::optional<std::int64_t> step) const {
    const Chart& chart = this->chart(index);
    const ThemeColors& c = *m_look.colors;
    const QRectF rect = panelRect(index);
    const QRectF plot = plotRect(index);
    const QFontMetricsF metrics(m_look.font);
    const QFont strong = strongFont(m_look.font);
    const QFontMetricsF strongMetrics(strong);
    QRectF line(plot.left(), rect.top() + 4, plot.width(), metrics.height());
    painter.setFont(strong);
    painter.setPen(c.text);
    painter.drawText(
        line, kLeft, strongMetrics.elidedText(chart.title, Qt::ElideRight, line.width()));
    painter.setFont(m_look.font);
    painter.setPen(c.mutedText);
    QStringList aside;
    for (const QString& text : {chart.unit, chart.note})
        if (!text.isEmpty())
            aside.append(text);
    const double used = strongMetrics.horizontalAdvance(chart.title) + 8;
    painter.drawText(line.adjusted(used, 0, 0, 0), kLeft,
        metrics.elidedText(aside.join(QStringLiteral(" \u00b7 ")), Qt::ElideRight,
            std::max(0.0, line.width() - used)));
    line.moveTop(line.bottom() + 2);
    paintKey(painter, chart, line, step);
}

// If there is not enough room for both, names win; the pointer shows the numbers.
void ChartSheet::paintKey(QPainter& painter, const Chart& chart, const QRectF& line,
    std::optional<std::int64_t> step) const {
    const QFontMetricsF metrics(m_look.font);
    std::vector<KeyEntry> entries;
    double all = 0;
    for (const ChartSeries& series : chart.series) {
        if (series.run != 0)
            continue; // the runs' names are above all charts
        const QString name = series.name.isEmpty() ? QString() : series.name + QLatin1Char(' ');
        entries.push_back({&series, name, valueText(series, step)});
        all += entries.back().width(metrics, true);
    }
    const bool numbers = all <= line.width() + 20;
    QRectF place = line;
    for (const KeyEntry& entry : entries) {
        const double width = entry.width(metrics, numbers);
        if (place.left() + width > line.right() + 20)
            break;
        const QPointF start(place.left(), line.center().y());
        painter.setPen(QPen(colorOf(*m_charts, *entry.series, *m_look.colors), 1.8,
            penStyleOf(*entry.series), Qt::FlatCap));
        painter.drawLine(start, start + QPointF(17, 0));
        QRectF words = place.adjusted(22, 0, 40, 0);
        painter.setPen(m_look.colors->mutedText);
        painter.drawText(words, kLeft, entry.name);
        words.setLeft(words.left() + metrics.horizontalAdvance(entry.name));
        painter.setPen(m_look.colors->text);
        if (numbers)
            painter.drawText(words, kLeft, entry.value);
        place.setLeft(place.left() + width);
    }
}

void ChartSheet::paintNothing(QPainter& painter, int panel) const {
    const Chart& chart = this->chart(panel);
    QString why = QObject::tr("not measured yet");
    if (chart.series.empty() && chart.id == ChartId::Beta)
        why = QObject::tr("this method has no bias");
    else if (chart.series.empty()
        && (chart.id == ChartId::Penalties || chart.id == ChartId::Strengths))
        why = QObject::tr("no penalty in this run");
    else if (!chart.series.empty())
        why = QObject::tr("no values in these steps");
    painter.setPen(m_look.colors->mutedText);
    painter.drawText(plotRect(panel), Qt::AlignCenter, why);
}

void ChartSheet::paintChanges(QPainter& painter, int panel) const {
    const QRectF plot = plotRect(panel);
    QColor change = m_look.colors->change;
    change.setAlpha(170);
    for (std::size_t run = 0; run < m_charts->runs.size(); ++run)
        for (const ChangeMark& mark : m_charts->runs[run].changes) {
            const auto at = static_cast<double>(mark.step);
            if (at < m_steps.first || at > m_steps.second)
                continue;
            const double x = std::round(xOf(panel, at)) + 0.5;
            // Of the other runs a foot in their color.
            painter.setPen(run == 0 ? QPen(change, 1) : QPen(m_charts->runs[run].color, 1.5));
            painter.drawLine(
                QPointF(x, run == 0 ? plot.top() : plot.bottom() - 8), QPointF(x, plot.bottom()));
        }
    if (!m_charts->runs.empty())
        paintChangeTexts(painter, panel);
}

// Texts use as many rows as needed to avoid overlap; the pointer shows what does not fit.
void ChartSheet::paintChangeTexts(QPainter& painter, int panel) const {
    const ThemeColors& c = *m_look.colors;
    const QRectF plot = plotRect(panel);
    painter.setFont(smallFont(m_look.font));
    const QFontMetricsF metrics(painter.font());
    double ends[kMarkRows];
    std::fill(std::begin(ends), std::end(ends), plot.left() - 100);
    for (const ChangeMark& mark : m_charts->runs.front().changes) {
        const auto at = static_cast<double>(mark.step);
        if (at < m_steps.first || at > m_steps.second)
            continue;
        const double x = std::round(xOf(panel, at)) + 0.5;
        const QString text
            = metrics.elidedText(mark.text, Qt::ElideRight, std::min(180.0, plot.width() / 2));
        const double width = metrics.horizontalAdvance(text) + 6;
        const double left = x + width > plot.right() + 8 ? x - width - 1 : x + 1;
        for (int row = 0; row < kMarkRows; ++row) {
            if (left < ends[row] + 2)
                continue;
            ends[row] = left + width;
            const QRectF box(
                left, plot.top() + row * (metrics.height() + 1), width, metrics.height());
            QColor back = c.canvas;
            back.setAlpha(150);
            painter.fillRect(box, back);
            painter.setPen(c.change);
            painter.drawText(box.adjusted(3, 0, 0, 0), kLeft, text);
            break;
        }
    }
    painter.setFont(m_look.font);
}

} // namespace mooring
