// SPDX-License-Identifier: GPL-3.0-or-later
// Overlap with the base router: layer x step through the run above, layer x token at the chosen
// step below.
#pragma once
#include "widgets/base/view.h"
#include "widgets/heatmap/heat_map_canvas.h"
#include "widgets/views/overlap_data.h"

class QAbstractButton;

namespace mooring {

class ChoiceButton;
class SegmentedControl;

class OverlapView : public View {
    Q_OBJECT
public:
    enum class Tokens { InOrder, ByPosition };

    explicit OverlapView(SelectionModel* selection, QWidget* parent = nullptr);

    QString title() const override;
    QString explanation() const override;
    QString pictureTitle() const override;
    void paint(QPainter& painter, const QRectF& area) const override;

    void setTrainingSource(bool training);
    void setTokens(Tokens tokens);
    HeatMapCanvas* runCanvas() const { return m_runCanvas; }
    HeatMapCanvas* tokenCanvas() const { return m_tokenCanvas; }

protected:
    void refresh() override;
    ValueRows tableRows() const override;

private:
    void buildControls();
    void buildContent();
    void connectCanvas(HeatMapCanvas* canvas);
    bool training() const;
    bool byPosition() const;
    void refreshRun();
    void refreshTokens();
    HeatMapPtr makeRunMap() const;
    HeatMapPtr makeTokenMap() const;
    HeatMapPtr makePositionMap() const;
    std::vector<HeatMapGroup> textGroups() const;
    void updateRanges(bool fit);
    void updateRange(HeatMapCanvas* canvas, const QString& kind, bool fit);
    void updateSelected();
    void showNothing();
    std::int64_t shownStep() const;
    ReadOut runReadOut(int row, int column) const;
    ReadOut tokenReadOut(int row, int column) const;
    ReadOut positionReadOut(int row, int column) const;
    QString expertsOf(const RoutingFrame& frame, const TokenPlace& place, int layer) const;

    struct TokenInput {
        FramePtr base;
        FramePtr tuned;
        QString domain;
        SpanFilter span = SpanFilter::Both;
        bool byPosition = false;
        bool operator==(const TokenInput&) const = default;
    };

    SegmentedControl* m_sourceControl;
    SegmentedControl* m_tokenControl;
    SegmentedControl* m_spanControl;
    ChoiceButton* m_domainChoice;
    QAbstractButton* m_lock = nullptr;
    HeatMapCanvas* m_runCanvas = nullptr;
    HeatMapCanvas* m_tokenCanvas = nullptr;
    std::shared_ptr<const OverlapThroughRun> m_throughRun
        = std::make_shared<const OverlapThroughRun>();
    std::shared_ptr<const OverlapOfTokens> m_tokens = std::make_shared<const OverlapOfTokens>();
    std::shared_ptr<const OverlapOfPositions> m_positions
        = std::make_shared<const OverlapOfPositions>();
    TokenInput m_tokenInput;
    RangeKeeper m_ranges;
};

} // namespace mooring
