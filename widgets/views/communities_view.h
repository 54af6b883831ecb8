// SPDX-License-Identifier: GPL-3.0-or-later
// Communities: the co-activation graph of a layer, base and tuned side by side with the same
// positions, so that moved experts stand out.
#pragma once
#include "widgets/base/view.h"
#include "widgets/graph/force_layout.h"
#include "widgets/graph/graph_scene.h"
#include "widgets/views/utilisation_data.h"
#include <QTimer>

class QLabel;
class QSlider;
class QStackedWidget;
class QToolButton;
class QTreeWidget;

namespace mooring {

class ChoiceButton;
class GraphCanvas;
class HeatMapCanvas;
class SegmentedControl;
struct HeatMapData;

class CommunitiesView : public View {
    Q_OBJECT
public:
    enum class Show { Graph, Matrix };
    enum class EdgesBy { CoActivation, Lift }; // communities are those of co-activation in both

    explicit CommunitiesView(SelectionModel* selection, QWidget* parent = nullptr);

    void setShow(Show show);
    void setEdgesBy(EdgesBy edges);
    bool byLift() const;
    double rho() const; // of the slider; the numbers shown name those they were found with
    double resolution() const;
    void setRho(double rho);
    void setResolution(double resolution);
    GraphCanvas* canvas() const { return m_canvas; }
    HeatMapCanvas* matrix(bool tuned) const { return tuned ? m_tunedMatrix : m_baseMatrix; }
    const ForceLayout& forceLayout() const { return m_layout; }
    const GraphData& graph() const { return *m_graph; }
    int shownLayer() const; // ordinal
    std::vector<int> movedExperts() const;
    QString figures() const; // NMI, Q and what they were found with

    void runLayout(); // until it settles
    void stopLayout();
    void stepLayout(); // a single step
    bool layoutRuns() const { return m_frame.isActive(); }

    QString title() const override;
    QString explanation() const override;
    QString pictureTitle() const override;
    void paint(QPainter& painter, const QRectF& area) const override;

Q_SIGNALS:
    // A slider has settled: the window recomputes the communities on another thread and calls
    // setPartitions().
    void partitionsRequested(double rho, double resolution);

protected:
    void refresh() override;
    void selectionChanged(const Selection& now, const Selection& before) override;
    ValueRows tableRows() const override;

private:
    void buildControls();
    QWidget* makeSlider(const QString& name, const QString& tip, int low, int high,
        QSlider** slider, QLabel** value);
    void buildContent();
    QWidget* buildMatrices(QWidget* parent);
    QWidget* buildSide(QWidget* parent);
    void connectCanvas();
    void askForPartitions();
    void adoptSliders(); // of a newly come set
    void updateLayers();
    void updateGraph();
    void updateLayout(bool other);
    void updateMatrices();
    void updateMoved();
    void updateFigures();
    void showNothing();
    void advanceLayout();
    void togglePin(int node);
    const LayerCommunities* layerCommunities() const;
    const std::vector<GraphEdge>& edges(bool tuned) const; // of the shown layer
    QString edgesText(const GraphSide& side, int node, const FramePtr& frame) const;
    std::vector<double> useOf(bool tuned) const;
    std::vector<double> pairValues(bool tuned) const; // E x E, or empty
    QString pairText(double value) const;
    std::shared_ptr<const HeatMapData> makeMatrix(bool tuned) const;
    std::vector<int> matrixOrder() const;
    ReadOut readOutOfNode(int side, int node) const;
    ReadOut readOutOfPair(bool tuned, int row, int column) const;
    bool isGraph() const;

    SegmentedControl* m_showControl;
    ChoiceButton* m_layerChoice;
    ChoiceButton* m_edgesChoice;
    QSlider* m_rho = nullptr;
    QSlider* m_resolution = nullptr;
    QLabel* m_rhoValue = nullptr;
    QLabel* m_resolutionValue = nullptr;
    QToolButton* m_run = nullptr;
    QStackedWidget* m_pages = nullptr;
    GraphCanvas* m_canvas = nullptr;
    HeatMapCanvas* m_baseMatrix = nullptr;
    HeatMapCanvas* m_tunedMatrix = nullptr;
    QLabel* m_figures = nullptr;
    QLabel* m_movedTitle = nullptr;
    QTreeWidget* m_moved = nullptr;
    QTimer m_ask; // waits for a slider to settle
    QTimer m_frame; // a frame of the moving layout
    ForceLayout m_layout;
    GraphPtr m_graph = std::make_shared<const GraphData>();
    Utilisation m_use;
    // What the layout was computed for.
    QString m_layoutRun;
    int m_layoutLayer = -1;
    CommunitiesPtr m_adopted;
    std::vector<GraphEdge> m_layoutEdges;
};

} // namespace mooring
