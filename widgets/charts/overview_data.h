// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of one or more runs over steps, as plain values.
#pragma once
#include "widgets/base/change_marks.h"
#include "widgets/base/view.h"
#include <QColor>
#include <QPointF>

namespace mooring {

enum class ChartId {
    CrossEntropy,
    Overlap,
    Beta,
    GradientNorm,
    Tvd,
    RouterDrift,
    Penalties,
    RawPenalties,
    Strengths,
    LearningRate,
    ClipFactor,
    Nmi,
};
inline constexpr int kChartCount = 12;

// A curve: measured values at ascending steps, exact. NaN never occurs in it.
struct ChartSeries {
    int run = 0; // index into ChartSet::runs
    QString name; // "router"; empty: the chart's only one
    int style = 0; // which of a run's curves in this chart: dash and tint
    bool sparse = false; // measured occasionally: its points are marked and never smoothed
    bool stepped = false; // holds its value until the next step: beta, strengths
    bool exact = false; // set, not measured: there is nothing to smooth
    std::vector<double> steps;
    std::vector<double> values;

    // The value measured at exactly this step; NaN: none.
    double at(std::int64_t step) const;
};

struct Chart {
    ChartId id = ChartId::CrossEntropy;
    QString title; // "Cross-entropy"
    QString unit; // "nats"; may be empty
    QString note; // a caveat shown with it
    bool mayBeLog = false;
    std::vector<ChartSeries> series;
};

struct ChartRun {
    RunPtr record;
    QString name;
    QColor color;
    std::vector<ChangeMark> changes;
};

struct ChartSet {
    std::vector<ChartRun> runs; // the first is the view's own
    std::vector<Chart> charts; // one of each kind, in the order of ChartId
    std::int64_t lastStep = 0; // of any run, planned steps included

    const Chart& chart(ChartId id) const { return charts[static_cast<std::size_t>(id)]; }
};

QString chartTitle(ChartId id);
// Retention is that of a probe domain ("pooled": all of them).
ChartSet makeCharts(std::vector<ChartRun> runs, const std::string& domain);

// Exponential moving average, corrected for its start; weight 0 changes nothing.
std::vector<double> smoothed(const std::vector<double>& values, double weight);

// At most `most` points: beyond that, the minimum and maximum of equal stretches, in order, keeping
// the first and last, so that no peak is lost.
inline constexpr std::size_t kMostPoints = 4000;
std::vector<QPointF> decimated(std::vector<QPointF> points, std::size_t most = kMostPoints);

} // namespace mooring
