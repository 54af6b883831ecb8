// SPDX-License-Identifier: GPL-3.0-or-later Transitions: which experts follow
// which, from token to token or layer to layer; base, tuned or their
// difference as a matrix sorted by base community, with every layer's figures
// next to it.
#pragma once
#include "widgets/base/view.h"
#include "widgets/heatmap/heat_map_canvas.h"

class QAbstractButton;
class QLabel;
class QTreeWidget;

namespace mooring {

class ChoiceButton;
class SegmentedControl;

class TransitionsView : public View {
    Q_OBJECT
public:
    enum class Show { Difference, Tuned, Base };
    // Share of all transitions, or that over what independent ends would give (1: chance).
    enum class Values { Share, Lift };

    explicit TransitionsView(SelectionModel* selection, QWidget* parent = nullptr);

    void setShow(Show show);
    void setKind(TransitionKind kind);
    void setValues(Values values);
    HeatMapCanvas* canvas() const { return m_canvas; }
    QString figures() const; // of the shown layer, and what they were found with
    QTreeWidget* layers() const { return m_layers; }

    QString title() const override;
    QString explanation() const override;
    QString pictureTitle() const override;
    void paint(QPainter& painter, const QRectF& area) const override;

protected:
    void refresh() override;
    ValueRows tableRows() const override;

private:
    void buildControls();
    void buildContent();
    void connectCanvas();
    void gather(); // m_base, m_tuned, m_row, m_baseRow of kind and domain
    void updateControls();
    void showNothing();
    HeatMapPtr makeMap() const;
    void updateRange(bool fit);
    void updateSelected();
    void updateLayers();
    TransitionKind kind() const;
    Show effectiveShow() const;
    bool byLift() const;
    int shownLayer() const; // ordinal among the matrices
    int experts() const;
    // E x E of the shown layer; empty without pairs.
    std::vector<double> matrix(const DomainTransitions* domain) const;
    // Experts in the order of base communities, the most used first in each; `to` for columns.
    std::vector<int> order(bool to) const;
    int communityOf(int expert, bool to, bool tuned) const;
    std::int64_t countOf(const DomainTransitions& domain, int from, int to) const;
    QString fromText() const; // "layer 3, token t"
    QString toText() const;
    QStringList layerRow(std::size_t layer) const; // texts of the list beside the matrix
    QStringList layerTitles() const;
    ReadOut readOutOf(int row, int column) const;
    QRectF paintLayers(QPainter& painter, const QRectF& area) const; // at the right; what it took

    SegmentedControl* m_showControl;
    SegmentedControl* m_kindControl;
    ChoiceButton* m_domainChoice;
    ChoiceButton* m_layerChoice;
    ChoiceButton* m_valuesChoice;
    QAbstractButton* m_lock = nullptr;
    QLabel* m_figures = nullptr;
    HeatMapCanvas* m_canvas = nullptr;
    QTreeWidget* m_layers = nullptr;
    RangeKeeper m_ranges;
    // Into communities()->transitions, which lives on with the set; null: not there.
    TransitionsPtr m_set;
    const ShownTransitions* m_shown = nullptr;
    const DomainTransitions* m_base = nullptr;
    const DomainTransitions* m_tuned = nullptr;
    const TransitionRow* m_row = nullptr; // tuned against base
    const TransitionRow* m_baseRow = nullptr; // ceiling and null model
};

} // namespace mooring
