// SPDX-License-Identifier: GPL-3.0-or-later
// What a scatter of runs shows, as plain values: one metric against another.
#pragma once
#include "core/view/study_table.h"
#include "widgets/charts/axis_ticks.h"
#include "widgets/style/theme.h"
#include <QString>

namespace mooring {

// A run at one step. The last one stands for the run; earlier ones are its trail.
struct ScatterDot {
    int run = 0; // index into ComparedTable::runs
    int row = 0; // its condition
    std::int64_t step = 0;
    double x = 0, y = 0;
    bool last = false;
};

// The mean of a condition with its sample deviations; 0 where there is only one run.
struct ScatterCross {
    int row = 0;
    double x = 0, y = 0;
    double sdX = 0, sdY = 0;
};

struct ScatterPanel {
    QString xTitle, yTitle;
    std::vector<ScatterDot> dots; // of a run in the order of its steps
    std::vector<ScatterCross> crosses;
    AxisScale x, y;
};

// Runs that lack one of the two metrics are left out.
ScatterPanel scatterPanel(
    const ComparedTable& table, const std::string& xMetric, const std::string& yMetric);

// Colored by method; conditions of the same method have differently shaped dots. The base model is
// a ring in the base's color.
enum class MarkerShape { Circle, Square, Triangle, Diamond, Ring };
struct Marker {
    QColor color;
    MarkerShape shape = MarkerShape::Circle;
};
Marker markerOf(const ComparedTable& table, int row, const ThemeColors& colors);
void paintMarker(QPainter& painter, const Marker& marker, const QPointF& at, double size);

// Conditions are numbered from 1, the base is not: "2", and "2 sft-half-lr".
QString rowNumber(const ComparedTable& table, int row);
QString rowLabel(const ComparedTable& table, int row);

QString metricText(const ComparedMetric& metric, double value); // "93.7 %", "0.569"; "-": none
QString cellText(const ComparedMetric& metric, const ComparedCell& cell); // "93.7 ± 0.4 %"
QString metricName(const ComparedMetric& metric); // "Overlap"
QString metricTitle(const ComparedMetric& metric); // "ID, %"

} // namespace mooring
