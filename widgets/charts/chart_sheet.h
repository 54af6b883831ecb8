// SPDX-License-Identifier: GPL-3.0-or-later
// Several small charts on a sheet: Qt Charts draws the curves and axes, this class the headers and
// marks. The same sheet serves the screen and exports.
#pragma once
#include "widgets/charts/overview_data.h"
#include <QFont>
#include <QGraphicsScene>
#include <QRectF>
#include <memory>
#include <optional>
#include <vector>

class QChart;

namespace mooring {

struct SheetLook {
    const ThemeColors* colors = &themeColors(ThemeKind::Light);
    QFont font;
    double smoothing = 0.6;
    bool logAxis = false;
    // Steps shown; none: all, with the planned ones.
    std::optional<std::pair<double, double>> range;
};

class ChartSheet {
public:
    ChartSheet();
    ~ChartSheet();

    void set(std::shared_ptr<const ChartSet> charts, std::vector<ChartId> shown, SheetLook look,
        const QRectF& area);
    void paint(QPainter& painter);

    int panels() const { return static_cast<int>(m_panels.size()); }
    const Chart& chart(int panel) const;
    const ChartSet& charts() const { return *m_charts; }
    const SheetLook& look() const { return m_look; }
    QRectF panelRect(int panel) const;
    QRectF plotRect(int panel) const;
    int panelAt(const QPointF& point) const; // -1: none
    double xOf(int panel, double step) const;
    double stepAt(int panel, double x) const;
    std::optional<double> yOf(int panel, double value) const; // none: outside the axis
    std::pair<double, double> steps() const { return m_steps; } // of the time axis

    // Height that `count` charts want in this width.
    static double wantedHeight(int count, double width);
    static QColor colorOf(const ChartSet& charts, const ChartSeries& series, const ThemeColors& c);

    // Writes the numbers at a step, or the latest without one, into a panel's head.
    void paintHead(QPainter& painter, int panel, std::optional<std::int64_t> step) const;

private:
    struct Panel;
    void place(const QRectF& area);
    void fill(Panel& panel);
    void addCurves(Panel& panel, const ChartSeries& series);
    void addLine(Panel& panel, std::vector<QPointF> points, const QPen& pen);
    void addPoints(Panel& panel, const std::vector<QPointF>& points, const QColor& color);
    std::vector<QPointF> pointsOf(
        const Panel& panel, const ChartSeries& series, const std::vector<double>& values) const;
    void findRange(Panel& panel) const;
    void makeAxes(Panel& panel);
    void paintRuns(QPainter& painter) const;
    void paintKey(QPainter& painter, const Chart& chart, const QRectF& line,
        std::optional<std::int64_t> step) const;
    void paintChanges(QPainter& painter, int panel) const;
    void paintChangeTexts(QPainter& painter, int panel) const;
    void paintNothing(QPainter& painter, int panel) const;
    bool isLog(const Chart& chart) const { return m_look.logAxis && chart.mayBeLog; }

    std::shared_ptr<const ChartSet> m_charts = std::make_shared<const ChartSet>();
    SheetLook m_look;
    QRectF m_area;
    QRectF m_runs; // the line with the names of several runs; empty: one run
    std::pair<double, double> m_steps{0, 1};
    QGraphicsScene m_scene;
    std::vector<std::unique_ptr<Panel>> m_panels;
};

} // namespace mooring
