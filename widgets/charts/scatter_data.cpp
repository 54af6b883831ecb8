// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/scatter_data.h"
#include "core/config/run_config.h"
#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

namespace mooring {
namespace {

constexpr int kShapes = 4; // of conditions

// One hue per method, in the order of methodTraits(): twelve that can be told apart in both themes.
// Hard methods are also triangles.
QColor methodColor(std::size_t method) {
    static constexpr std::array<QRgb, 12> colors = {0x5aa9e6, 0xe69f3c, 0xb98be0, 0x4fb58f,
        0xe0736a, 0xcbb64a, 0x7d5bd0, 0xd678b4, 0x9c6b4e, 0x8d96a3, 0x35b5c8, 0x8fbf3f};
    return method < colors.size() ? QColor(colors[method]) : runColor(static_cast<int>(method));
}

int firstShape(const std::string& method) {
    return static_cast<int>(
        method.ends_with("_hard") ? MarkerShape::Triangle : MarkerShape::Circle);
}

double orZero(double value) {
    return std::isfinite(value) ? value : 0;
}

// Percent on the axis where the metric is a share.
double shown(const ComparedMetric& metric, double value) {
    return metric.percent ? 100 * value : value;
}

AxisScale scaleOf(std::vector<double> values, bool percent) {
    if (values.empty())
        return linearScale(0, 1, 5, true);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double span = std::max(*high - *low, percent ? 2.0 : 1e-3);
    const double from = percent ? std::max(*low - 0.06 * span, -2.0) : *low - 0.06 * span;
    return linearScale(from, *high + 0.06 * span, 6, false);
}

void addRuns(
    const ComparedTable& table, const std::string& x, const std::string& y, ScatterPanel& panel) {
    const auto& mx = table.metrics[static_cast<std::size_t>(table.metric(x))];
    const auto& my = table.metrics[static_cast<std::size_t>(table.metric(y))];
    for (std::size_t r = 0; r < table.runs.size(); ++r) {
        const auto& run = table.runs[r];
        for (const auto& point : run.points)
            if (std::isfinite(point.value(x)) && std::isfinite(point.value(y)))
                panel.dots.push_back({static_cast<int>(r), table.rowOfRun[r], point.step,
                    shown(mx, point.value(x)), shown(my, point.value(y)), &point == run.last()});
    }
}

} // namespace

ScatterPanel scatterPanel(
    const ComparedTable& table, const std::string& xMetric, const std::string& yMetric) {
    ScatterPanel panel;
    const int x = table.metric(xMetric), y = table.metric(yMetric);
    if (x < 0 || y < 0)
        return panel;
    const auto& mx = table.metrics[static_cast<std::size_t>(x)];
    const auto& my = table.metrics[static_cast<std::size_t>(y)];
    panel.xTitle = metricTitle(mx);
    panel.yTitle = metricTitle(my);
    addRuns(table, xMetric, yMetric, panel);
    std::vector<double> xs, ys;
    for (const auto& dot : panel.dots) {
        xs.push_back(dot.x);
        ys.push_back(dot.y);
    }
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const auto& cx = table.rows[row].cells[static_cast<std::size_t>(x)];
        const auto& cy = table.rows[row].cells[static_cast<std::size_t>(y)];
        if (cx.n == 0 || cy.n == 0)
            continue;
        panel.crosses.push_back({static_cast<int>(row), shown(mx, cx.mean), shown(my, cy.mean),
            shown(mx, orZero(cx.sd)), shown(my, orZero(cy.sd))});
        const auto& cross = panel.crosses.back();
        for (const double side : {-1.0, 1.0}) {
            xs.push_back(cross.x + side * cross.sdX);
            ys.push_back(cross.y + side * cross.sdY);
        }
    }
    panel.x = scaleOf(std::move(xs), mx.percent);
    panel.y = scaleOf(std::move(ys), my.percent);
    return panel;
}

Marker markerOf(const ComparedTable& table, int row, const ThemeColors& colors) {
    const auto& shown = table.rows[static_cast<std::size_t>(row)];
    if (shown.base)
        return {colors.base, MarkerShape::Ring};
    const auto& methods = methodTraits();
    const auto method = std::find_if(methods.begin(), methods.end(),
        [&](const MethodTraits& m) { return m.id == shown.method; });
    int earlier = 0; // conditions of the same method
    for (int other = 0; other < row; ++other) {
        const auto& before = table.rows[static_cast<std::size_t>(other)];
        earlier += !before.base && before.method == shown.method;
    }
    return {methodColor(static_cast<std::size_t>(method - methods.begin())),
        static_cast<MarkerShape>((firstShape(shown.method) + earlier) % kShapes)};
}

void paintMarker(QPainter& painter, const Marker& marker, const QPointF& at, double size) {
    const double r = size / 2;
    painter.setBrush(marker.shape == MarkerShape::Ring ? QBrush(Qt::NoBrush) : marker.color);
    switch (marker.shape) {
    case MarkerShape::Circle:
    case MarkerShape::Ring:
        painter.drawEllipse(at, r, r);
        break;
    case MarkerShape::Square:
        painter.drawRect(QRectF(at.x() - 0.88 * r, at.y() - 0.88 * r, 1.76 * r, 1.76 * r));
        break;
    case MarkerShape::Triangle:
        painter.drawPolygon(QPolygonF({{at.x(), at.y() - 1.2 * r}, {at.x() + 1.1 * r, at.y() + r},
            {at.x() - 1.1 * r, at.y() + r}}));
        break;
    case MarkerShape::Diamond:
        painter.drawPolygon(QPolygonF({{at.x(), at.y() - 1.3 * r}, {at.x() + 1.3 * r, at.y()},
            {at.x(), at.y() + 1.3 * r}, {at.x() - 1.3 * r, at.y()}}));
        break;
    }
}

QString rowNumber(const ComparedTable& table, int row) {
    const bool base = table.rows[static_cast<std::size_t>(row)].base;
    return base ? QString() : QString::number(row + (table.rows.front().base ? 0 : 1));
}

QString rowLabel(const ComparedTable& table, int row) {
    const auto name = QString::fromStdString(table.rows[static_cast<std::size_t>(row)].condition);
    const QString number = rowNumber(table, row);
    return number.isEmpty() ? name : number + QLatin1Char(' ') + name;
}

QString metricText(const ComparedMetric& metric, double value) {
    if (!std::isfinite(value))
        return QStringLiteral("-");
    return metric.percent ? QString::number(100 * value, 'f', 1) + QStringLiteral(" %")
                          : QString::number(value, 'f', 3);
}

QString cellText(const ComparedMetric& metric, const ComparedCell& cell) {
    if (cell.n == 0)
        return {};
    const auto text = [&](double value) {
        return QString::number(shown(metric, value), 'f', metric.percent ? 1 : 3);
    };
    return cell.n > 1 ? text(cell.mean) + QStringLiteral(" \u00b1 ") + text(cell.sd)
                      : text(cell.mean);
}

QString metricName(const ComparedMetric& metric) {
    return QCoreApplication::translate("mooring::Metrics", metric.title.c_str());
}

QString metricTitle(const ComparedMetric& metric) {
    const auto title = metricName(metric);
    return metric.percent ? title + QStringLiteral(", %") : title;
}

} // namespace mooring
