// SPDX-License-Identifier: GPL-3.0-or-later
// Controls and refreshing; what is shown is made in communities_picture.cpp.
#include "widgets/views/communities_view.h"
#include "widgets/base/controls.h"
#include "widgets/graph/graph_canvas.h"
#include "widgets/heatmap/heat_map_canvas.h"
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace mooring {
namespace {

QToolButton* flatButton(QWidget* parent, const QString& text, const QString& tip) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

CommunitiesView::CommunitiesView(SelectionModel* selection, QWidget* parent)
    : View(selection, parent)
    , m_showControl(new SegmentedControl(tr("Shown"), this))
    , m_layerChoice(new ChoiceButton(tr("la&yer"), this))
    , m_edgesChoice(new ChoiceButton(tr("edg&es by"), this)) {
    buildControls();
    buildContent();
    connectCanvas();
    m_ask.setSingleShot(true);
    m_ask.setInterval(200);
    connect(&m_ask, &QTimer::timeout, this,
        [this] { Q_EMIT partitionsRequested(rho(), resolution()); });
    refresh();
}

QString CommunitiesView::title() const {
    return tr("Communities");
}

QString CommunitiesView::explanation() const {
    return tr("Groups of experts that are chosen together. Both sides use the same layout; a ring "
              "marks an expert that moved to another community. Look for clusters of rings.");
}

void CommunitiesView::buildControls() {
    m_showControl->addSegment(tr("&Graph"), tr("Experts as nodes, base and tuned side by side"));
    m_showControl->addSegment(
        tr("&Matrix"), tr("Co-activation of all pairs, experts sorted by base community"));
    addControl(m_showControl);
    addControl(m_layerChoice);
    m_edgesChoice->setChoices({tr("co-activation"), tr("lift")});
    m_edgesChoice->setToolTip(
        tr("Lift is co-activation divided by what independent experts would give; 1 is chance. "
           "Busy experts do not dominate it. Communities come from co-activation either way."));
    addControl(m_edgesChoice);
    connect(m_edgesChoice, &ChoiceButton::chosen, this, &CommunitiesView::refresh);
    addControl(makeSlider(
        tr("rh&o"), tr("Share of expert pairs kept as edges"), 2, 30, &m_rho, &m_rhoValue));
    addControl(makeSlider(tr("reso&lution"), tr("Above 1 gives more and smaller communities"), 50,
        200, &m_resolution, &m_resolutionValue));
    m_run = flatButton(this, tr("&Run layout"), tr("Lay the nodes out again (R)"));
    QToolButton* step = flatButton(this, tr("&Step"), tr("Run one layout step (S)"));
    QToolButton* unpin = flatButton(this, tr("&Unpin all"),
        tr("Release nodes that were dragged (pin one with P or a double click)"));
    addEndControl(m_run);
    addEndControl(step);
    addEndControl(unpin);
    connect(m_showControl, &SegmentedControl::chosen, this, &CommunitiesView::refresh);
    connect(m_layerChoice, &ChoiceButton::chosen, this,
        [this](int index) { selection()->setLayer(index); });
    connect(
        m_run, &QToolButton::clicked, this, [this] { layoutRuns() ? stopLayout() : runLayout(); });
    connect(step, &QToolButton::clicked, this, &CommunitiesView::stepLayout);
    connect(unpin, &QToolButton::clicked, this, [this] {
        m_layout.unpinAll();
        m_canvas->setPins(m_layout.pins());
        runLayout();
    });
    setRho(0.10);
    setResolution(1.0);
}

QWidget* CommunitiesView::makeSlider(
    const QString& name, const QString& tip, int low, int high, QSlider** slider, QLabel** value) {
    auto* box = new QWidget(this);
    box->setFixedHeight(26); // as the controls beside it
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    auto* label = new QLabel(name, box);
    label->setForegroundRole(QPalette::PlaceholderText);
    *slider = new QSlider(Qt::Horizontal, box);
    (*slider)->setRange(low, high);
    (*slider)->setPageStep((high - low) / 10);
    (*slider)->setFixedWidth(90);
    QString plain = name;
    (*slider)->setAccessibleName(plain.remove(QLatin1Char('&')));
    (*slider)->setToolTip(tip);
    label->setBuddy(*slider);
    *value = new QLabel(box);
    (*value)->setFont(numberFont(font()));
    connect(*slider, &QSlider::valueChanged, this, [this, shown = *value](int now) {
        shown->setText(QString::number(now / 100.0, 'f', 2));
        askForPartitions();
    });
    row->addWidget(label);
    row->addWidget(*slider);
    row->addWidget(*value);
    return box;
}

double CommunitiesView::rho() const {
    return m_rho->value() / 100.0;
}

double CommunitiesView::resolution() const {
    return m_resolution->value() / 100.0;
}

void CommunitiesView::setRho(double rho) {
    m_rho->setValue(static_cast<int>(rho * 100 + 0.5));
    m_rhoValue->setText(QString::number(this->rho(), 'f', 2));
}

void CommunitiesView::setResolution(double resolution) {
    m_resolution->setValue(static_cast<int>(resolution * 100 + 0.5));
    m_resolutionValue->setText(QString::number(this->resolution(), 'f', 2));
}

// Not before the first set arrives, whose values are the initial ones.
void CommunitiesView::askForPartitions() {
    if (communities())
        m_ask.start();
    updateFigures();
}

// The sliders show the settings of the set, unless the user is moving them.
void CommunitiesView::adoptSliders() {
    if (!communities() || communities() == m_adopted)
        return;
    m_adopted = communities();
    if (m_ask.isActive() || m_rho->isSliderDown() || m_resolution->isSliderDown())
        return;
    const QSignalBlocker quietRho(m_rho);
    const QSignalBlocker quietResolution(m_resolution);
    setRho(m_adopted->rho);
    setResolution(m_adopted->resolution);
}

void CommunitiesView::buildContent() {
    auto* content = new QWidget(this);
    auto* row = new QHBoxLayout(content);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    m_figures = new QLabel(content);
    m_figures->setContentsMargins(16, 2, 16, 4);
    m_figures->setWordWrap(true);
    m_figures->setTextFormat(Qt::PlainText);
    m_figures->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_pages = new QStackedWidget(content);
    m_canvas = new GraphCanvas(m_pages);
    m_canvas->setAccessibleName(tr("Co-activation graphs, base and tuned"));
    m_pages->addWidget(m_canvas);
    m_pages->addWidget(buildMatrices(m_pages));
    column->addWidget(m_figures, 0);
    column->addWidget(m_pages, 1);
    row->addLayout(column, 1);
    row->addWidget(buildSide(content));
    setContent(content);
}

QWidget* CommunitiesView::buildMatrices(QWidget* parent) {
    auto* page = new QWidget(parent);
    auto* row = new QHBoxLayout(page);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    for (const bool tuned : {false, true}) {
        auto* canvas = new HeatMapCanvas(page);
        canvas->setAccessibleName(
            tuned ? tr("Co-activation matrix, tuned") : tr("Co-activation matrix, base"));
        canvas->setReadOut([this, tuned](int r, int c) { return readOutOfPair(tuned, r, c); });
        connect(canvas, &HeatMapCanvas::pointerMoved, this,
            [this](const QString& text) { setReadOut(text); });
        connect(canvas, &HeatMapCanvas::cellActivated, this, [this](int r, int) {
            const std::vector<int> order = matrixOrder();
            if (r < static_cast<int>(order.size()))
                selection()->setExpert(shownLayer(), order[static_cast<std::size_t>(r)]);
        });
        (tuned ? m_tunedMatrix : m_baseMatrix) = canvas;
        row->addWidget(canvas, 1);
    }
    return page;
}

QWidget* CommunitiesView::buildSide(QWidget* parent) {
    auto* side = new QWidget(parent);
    side->setFixedWidth(196);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(8, 4, 12, 4);
    column->setSpacing(4);
    m_movedTitle = new QLabel(side);
    m_movedTitle->setFont(strongFont(font()));
    m_moved = new QTreeWidget(side);
    m_moved->setColumnCount(3);
    m_moved->setHeaderLabels({tr("expert"), tr("base"), tr("tuned")});
    m_moved->setRootIsDecorated(false);
    m_moved->setUniformRowHeights(true);
    m_moved->setFrameShape(QFrame::NoFrame);
    m_moved->setAccessibleName(tr("Moved experts"));
    m_moved->setFont(numberFont(font()));
    m_moved->header()->setSectionResizeMode(QHeaderView::Stretch);
    m_moved->header()->setStretchLastSection(false);
    m_movedTitle->setBuddy(m_moved);
    connect(m_moved, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item)
            selection()->setExpert(shownLayer(), item->data(0, Qt::UserRole).toInt());
    });
    column->addWidget(m_movedTitle);
    column->addWidget(m_moved, 1);
    return side;
}

void CommunitiesView::setShow(Show show) {
    m_showControl->setCurrent(static_cast<int>(show));
}

void CommunitiesView::setEdgesBy(EdgesBy edges) {
    m_edgesChoice->setCurrent(static_cast<int>(edges));
}

bool CommunitiesView::byLift() const {
    return m_edgesChoice->current() == static_cast<int>(EdgesBy::Lift);
}

const std::vector<GraphEdge>& CommunitiesView::edges(bool tuned) const {
    const LayerCommunities& here = *layerCommunities();
    if (byLift())
        return tuned ? here.tunedLift : here.baseLift;
    return tuned ? here.tunedEdges : here.baseEdges;
}

bool CommunitiesView::isGraph() const {
    return m_showControl->current() == static_cast<int>(Show::Graph);
}

int CommunitiesView::shownLayer() const {
    const int layer = selection()->value().layer;
    return layer >= 0 && layer < m_use.layerCount() ? layer : 0;
}

const LayerCommunities* CommunitiesView::layerCommunities() const {
    const auto layer = static_cast<std::size_t>(shownLayer());
    if (!communities() || layer >= communities()->layers.size())
        return nullptr;
    return &communities()->layers[layer];
}

void CommunitiesView::refresh() {
    m_use = probeUtilisation(baseFrame().get(), tunedFrame().get(), {});
    adoptSliders();
    updateLayers();
    const LayerCommunities* here = layerCommunities();
    const bool known = here && m_use.layerCount() > 0
        && static_cast<int>(here->base.community_E.size()) == m_use.experts;
    m_run->setEnabled(isGraph());
    if (!known) {
        m_frame.stop();
        m_graph = std::make_shared<const GraphData>();
        showNothing();
        contentChanged();
        return;
    }
    m_pages->setCurrentIndex(isGraph() ? 0 : 1);
    updateGraph();
    if (!isGraph())
        updateMatrices();
    updateMoved();
    updateFigures();
    showContent();
    contentChanged();
}

// A new step or domain has no effect here until its frame arrives.
void CommunitiesView::selectionChanged(const Selection& now, const Selection& before) {
    if (now.layer != before.layer)
        refresh();
    else if (now.expert != before.expert)
        m_canvas->setSelected(now.expert);
}

void CommunitiesView::updateLayers() {
    QStringList names;
    for (const int layer : m_use.layers)
        names.append(QString::number(layer));
    const QSignalBlocker quiet(m_layerChoice);
    m_layerChoice->setChoices(names);
    m_layerChoice->setCurrent(shownLayer());
    m_layerChoice->setVisible(!names.isEmpty());
}

void CommunitiesView::showNothing() {
    if (!run() && !baseFrame())
        showEmpty(tr("No graph yet"),
            tr("Open a run or a snapshot, or try the demo, which starts training within a minute."),
            tr("&Try the demo"), ViewAction::TryDemo);
    else if (!baseFrame())
        showEmpty(tr("No probe frame yet"),
            tr("The probe runs the held-out texts through the base first. Communities need probe "
               "texts in the run."),
            tr("Choose &probe texts"), ViewAction::Probe);
    else
        showEmpty(tr("Finding communities"),
            tr("The co-activation graph of every layer is being built and partitioned; this takes "
               "a moment."),
            {}, ViewAction::Probe);
}

} // namespace mooring
