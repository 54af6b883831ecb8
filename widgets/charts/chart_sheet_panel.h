// SPDX-License-Identifier: GPL-3.0-or-later
// One chart of a sheet: the QChart and where it is. Private to the sheet's sources.
#pragma once
#include "widgets/charts/axis_ticks.h"
#include "widgets/charts/chart_sheet.h"
#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QXYSeries>

namespace mooring {

struct ChartSheet::Panel {
    // Charts keep removed items until their next layout, so a new one is made each time.
    void begin(QGraphicsScene& scene);
    void setAxes(const AxisScale& time, const AxisScale& values, const SheetLook& look);
    void attach(QXYSeries* series);

    ChartId id = ChartId::CrossEntropy;
    QRectF rect;
    QRectF plot;
    AxisScale scale; // of values; positions of its log10 on a logarithmic axis
    bool empty = true;
    std::unique_ptr<QChart> chart;
    QCategoryAxis* time = nullptr;
    QCategoryAxis* values = nullptr;
};

Qt::PenStyle penStyleOf(const ChartSeries& series);
// From 0 to the planned end; early in a run, to three times its steps so far.
std::pair<double, double> fullRange(const ChartSet& charts);

} // namespace mooring
