// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chart_sheet_panel.h"
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

// Category axes take any labels at any places, which value axes do not.
QCategoryAxis* makeAxis(const AxisScale& scale, const SheetLook& look) {
    auto* axis = new QCategoryAxis;
    const double room = (scale.high - scale.low) * 1e-6;
    axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    axis->setStartValue(scale.low - 1 - room);
    for (const AxisTick& tick : scale.ticks)
        axis->append(tick.label, tick.position);
    axis->setRange(scale.low, scale.high);
    axis->setGridLinePen(QPen(look.colors->grid, 1));
    axis->setLinePen(QPen(look.colors->grid, 1));
    axis->setLabelsBrush(look.colors->mutedText);
    axis->setLabelsFont(look.font);
    return axis;
}

std::int64_t lastDone(const ChartSet& charts) {
    std::int64_t last = 0;
    for (const ChartRun& run : charts.runs) {
        if (!run.record->metrics.empty())
            last = std::max(last, run.record->metrics.back().step);
        if (!run.record->retention.empty())
            last = std::max(last, run.record->retention.back().step);
    }
    return last;
}

} // namespace

std::pair<double, double> fullRange(const ChartSet& charts) {
    const auto done = static_cast<double>(lastDone(charts));
    auto end = static_cast<double>(charts.lastStep);
    if (done > 0 && done * 3 < end)
        end = std::min(end, linearScale(0, done * 3, 4, true, true).high);
    return {0.0, std::max(1.0, end)};
}

void ChartSheet::Panel::begin(QGraphicsScene& scene) {
    chart = std::make_unique<QChart>();
    scene.addItem(chart.get()); // a chart that goes leaves its scene by itself
    chart->setBackgroundVisible(false);
    chart->setPlotAreaBackgroundVisible(false);
    chart->setMargins({});
    chart->setBackgroundRoundness(0);
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->legend()->hide();
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setGeometry(rect);
    chart->setPlotArea(plot.translated(-rect.topLeft()));
}

void ChartSheet::Panel::setAxes(
    const AxisScale& timeScale, const AxisScale& valueScale, const SheetLook& look) {
    time = makeAxis(timeScale, look); // the chart owns them
    values = makeAxis(valueScale, look);
    time->setGridLineVisible(false);
    values->setLineVisible(false);
    chart->addAxis(time, Qt::AlignBottom);
    chart->addAxis(values, Qt::AlignLeft);
}

void ChartSheet::Panel::attach(QXYSeries* series) {
    chart->addSeries(series);
    series->attachAxis(time);
    series->attachAxis(values);
}

} // namespace mooring
