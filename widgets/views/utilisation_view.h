// SPDX-License-Identifier: GPL-3.0-or-later
// Utilization: layer x expert, tuned, base or their difference; bars of the selected layer below.
#pragma once
#include "widgets/base/view.h"
#include "widgets/heatmap/heat_map_canvas.h"
#include "widgets/views/utilisation_data.h"

class QAbstractButton;

namespace mooring {

class ChoiceButton;
class ExpertBars;
class SegmentedControl;
struct ExpertBarsData;

class UtilisationView : public View {
    Q_OBJECT
public:
    enum class Show { Difference, Tuned, Base };

    explicit UtilisationView(SelectionModel* selection, QWidget* parent = nullptr);

    QString title() const override;
    QString explanation() const override;
    QString pictureTitle() const override;
    void paint(QPainter& painter, const QRectF& area) const override;

    void setShow(Show show);
    void setSource(RoutingSource source);
    void setOrder(ExpertOrder order);
    HeatMapCanvas* canvas() const { return m_canvas; }
    ExpertBars* bars() const { return m_bars; }
    const Utilisation& utilisation() const { return *m_use; }

protected:
    void refresh() override;
    ValueRows tableRows() const override;

private:
    void buildControls();
    void buildContent();
    void connectCanvas();
    Show effectiveShow() const; // base only, while there is no tuned frame
    Utilisation gather() const;
    const TrainingFrame* trainingFrame() const; // of the selected step, else the latest
    bool hasProbe() const { return baseFrame() || tunedFrame(); }
    void updateControls();
    void showNothing();
    HeatMapPtr makeMap() const;
    std::vector<std::vector<HeatMapGroup>> makeGroups() const;
    void updateRange(bool fit);
    void updateSelected();
    ExpertBarsData barsData() const;
    int shownLayer() const;
    QString sourceName() const;
    QString domainName() const;
    ReadOut readOutOf(int row, int column) const;
    void addShareLines(ReadOut& readOut, int layer, int expert) const;
    int communityOf(int layer, int expert, bool base) const; // -1: unknown

    SegmentedControl* m_showControl;
    SegmentedControl* m_sourceControl;
    ChoiceButton* m_domainChoice;
    ChoiceButton* m_orderChoice;
    QAbstractButton* m_lock = nullptr;
    HeatMapCanvas* m_canvas = nullptr;
    ExpertBars* m_bars = nullptr;
    std::shared_ptr<const Utilisation> m_use = std::make_shared<const Utilisation>();
    std::vector<int> m_order_LE;
    RangeKeeper m_ranges;
};

} // namespace mooring
