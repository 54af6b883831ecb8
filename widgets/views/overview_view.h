// SPDX-License-Identifier: GPL-3.0-or-later
// Overview: a run's metrics over its steps, as small charts with one time axis.
#pragma once
#include "widgets/base/view.h"
#include "widgets/charts/overview_data.h"
#include <map>

class QAbstractButton;
class QLabel;
class QMenu;
class QSlider;
class QToolButton;

namespace mooring {

class ChartBoard;

class OverviewView : public View {
    Q_OBJECT
public:
    explicit OverviewView(SelectionModel* selection, QWidget* parent = nullptr);

    // Runs overlaid on the view's own; their colors follow it unless setRunColors() sets them.
    void setOverlays(std::vector<RunPtr> runs);
    // Index into runColor() by RunInfo::path, so that a run has one color everywhere.
    void setRunColors(std::map<std::string, int> indexOfPath);

    void setShown(std::vector<ChartId> charts); // in the order of ChartId
    std::vector<ChartId> shown() const;
    void setSmoothing(double weight); // 0 (off) to 0.99
    double smoothing() const;
    void setLogAxis(bool on);
    bool logAxis() const;

    QString title() const override;
    QString explanation() const override;
    QString pictureTitle() const override;
    void paint(QPainter& painter, const QRectF& area) const override;
    ChartBoard* board() const { return m_board; }
    const ChartSet& charts() const { return *m_charts; } // all of them, shown or not

protected:
    void refresh() override;
    void selectionChanged(const Selection& now, const Selection& before) override;
    ValueRows tableRows() const override;

private:
    void buildControls();
    void buildMenu();
    QWidget* smoothingControl();
    std::vector<ChartRun> runs() const;
    void gather();
    void showCharts();

    std::vector<RunPtr> m_overlays;
    std::map<std::string, int> m_colorOfPath;
    std::vector<ChartId> m_shown;
    std::shared_ptr<const ChartSet> m_charts = std::make_shared<const ChartSet>();
    ChartBoard* m_board;
    QToolButton* m_chartsButton;
    QMenu* m_menu = nullptr;
    QSlider* m_smoothing = nullptr;
    QLabel* m_smoothingValue = nullptr;
    QAbstractButton* m_log = nullptr;
};

} // namespace mooring
