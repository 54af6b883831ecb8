// SPDX-License-Identifier: GPL-3.0-or-later
// The experts of one layer, base against tuned, under the columns of the heat map above.
#pragma once
#include "widgets/heatmap/heat_map.h"
#include <QWidget>

namespace mooring {

// One value a column, in the map's order.
struct ExpertBarsData {
    QString title;
    std::vector<double> base; // shares; NaN: no data
    std::vector<double> tuned;
    QString baseName; // of the key
    QString tunedName;
};

// `map` is the map rectangle that the columns are aligned with.
void paintExpertBars(QPainter& painter, const QRectF& area, const ExpertBarsData& data,
    const QRectF& map, const HeatMapGeometry& geometry, int markedColumn, const ThemeColors& colors,
    const QFont& font);

class ExpertBars : public QWidget {
    Q_OBJECT
public:
    explicit ExpertBars(QWidget* parent = nullptr);
    void setData(ExpertBarsData data);
    void align(const QRectF& map, const HeatMapGeometry& geometry);
    void setMarkedColumn(int column); // -1: none
    const ExpertBarsData& data() const { return m_data; }
    QSize sizeHint() const override { return {720, 156}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ExpertBarsData m_data;
    QRectF m_map;
    HeatMapGeometry m_geometry;
    int m_marked = -1;
};

} // namespace mooring
