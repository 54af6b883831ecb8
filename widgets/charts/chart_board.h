// SPDX-License-Identifier: GPL-3.0-or-later
// A sheet of charts on the screen: hover, keys, wheel. The sheet is drawn once and cached; the
// crosshair moves over it.
#pragma once
#include "widgets/base/read_out.h"
#include "widgets/charts/chart_sheet.h"
#include <QElapsedTimer>
#include <QPixmap>
#include <QTimer>
#include <QWidget>

namespace mooring {

class ChartBoard : public QWidget {
    Q_OBJECT
public:
    explicit ChartBoard(QWidget* parent = nullptr);

    void setCharts(std::shared_ptr<const ChartSet> charts, std::vector<ChartId> shown);
    void setSmoothing(double weight);
    void setLogAxis(bool on);
    double smoothing() const { return m_look.smoothing; }
    bool logAxis() const { return m_look.logAxis; }
    // As if the pointer were there; none: no crosshair.
    void setHover(int panel, std::optional<std::int64_t> step);
    std::optional<std::int64_t> hoveredStep() const { return m_step; }
    void setChosenStep(std::optional<std::int64_t> step); // a quiet mark on the time axes
    ReadOut readOutAt(int panel, std::int64_t step) const;
    const ChartSheet& sheet(); // as it is drawn
    // The same charts elsewhere and in other colors.
    void paintInto(QPainter& painter, const QRectF& area, const ThemeColors& colors) const;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {900, 420}; }

Q_SIGNALS:
    void hovered(const QString& readOut); // empty: nothing under the pointer
    void stepActivated(std::int64_t step); // a click or Enter

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void sheetChanged();
    void bringUpToDate();
    void moveHover(int panels, std::int64_t steps);
    void zoom(double about, double factor);
    void pan(double steps);
    void setRange(double from, double to);
    std::int64_t nearestStep(int panel, double x) const;
    void paintCross(QPainter& painter) const;
    void paintDots(QPainter& painter, int panel) const;
    void paintChosen(QPainter& painter) const;

    std::shared_ptr<const ChartSet> m_charts = std::make_shared<const ChartSet>();
    std::vector<ChartId> m_shown;
    SheetLook m_look;
    ChartSheet m_sheet;
    QPixmap m_picture;
    bool m_stale = true;
    QTimer m_later; // a live run changes more often than it needs redrawing
    QElapsedTimer m_drawn;
    int m_panel = 0;
    std::optional<std::int64_t> m_step;
    std::optional<std::int64_t> m_chosen;
    QPointF m_pressed;
    double m_dragStep = 0;
    bool m_down = false;
    bool m_dragging = false;
};

} // namespace mooring
