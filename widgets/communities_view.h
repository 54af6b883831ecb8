// SPDX-License-Identifier: GPL-3.0-or-later
// Communities: the co-activation graph of a layer, base and tuned side by side with the same
// positions, so that an expert that moved is seen at once.
#pragma once
#include "widgets/force_layout.h"
#include "widgets/graph_scene.h"
#include "widgets/utilisation_data.h"
#include "widgets/view.h"
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

    explicit CommunitiesView(SelectionModel* selection, QWidget* parent = nullptr);

    void setShow(Show show);
    double rho() const; // of the slider; the numbers shown name those they were found with
    double resolution() const;
    GraphCanvas* canvas() const { return m_canvas; }
    HeatMapCanvas* matrix(bool tuned) const { return tuned ? m_tunedMatrix : m_baseMatrix; }
    const ForceLayout& forceLayout() const { return m_layout; }
    int shownLayer() const; // ordinal

    void runLayout(); // until it rests
    void stopLayout();
    void stepLayout(); // one step, where it stands

    QString title() const override;
    QString explanation() const override;
    QString pictureTitle() const override;
    void paint(QPainter& painter, const QRectF& area) const override;

Q_SIGNALS:
    // A slider came to rest: the window finds the communities anew, off this thread, and calls
    // setPartitions().
    void partitionsRequested(double rho, double resolution);

protected:
    void refresh() override;
    ValueRows tableRows() const override;

private:
    void buildControls();
    QSlider* addSlider(const QString& name, int low, int high, int value, QLabel** shown);
    void buildContent();
    QWidget* buildSide();
    void connectCanvas();
    void askForPartitions();
    void updateSliders();
    void updateLayers();
    void updateGraph();
    void updateMatrices();
    void updateMoved();
    void updateFigures();
    void advanceLayout();
    const LayerCommunities* layerCommunities() const;
    std::shared_ptr<const HeatMapData> makeMatrix(bool tuned) const;
    QString figures() const;
    QString readOutOfNode(int expert) const;
    std::vector<int> matrixOrder() const;

    SegmentedControl* m_showControl;
    ChoiceButton* m_layerChoice;
    ChoiceButton* m_domainChoice;
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
    QTimer m_ask;
    QTimer m_frame;
    ForceLayout m_layout;
    GraphPtr m_graph;
    Utilisation m_use;
};

} // namespace mooring
