// SPDX-License-Identifier: GPL-3.0-or-later
// Controls and refreshing; what is shown is made in utilisation_picture.cpp.
#include "widgets/views/utilisation_view.h"
#include "widgets/base/controls.h"
#include "widgets/base/view_controls.h"
#include "widgets/views/expert_bars.h"
#include <QToolButton>
#include <QVBoxLayout>

namespace mooring {

UtilisationView::UtilisationView(SelectionModel* selection, QWidget* parent)
    : View(selection, parent)
    , m_showControl(new SegmentedControl(tr("Shown"), this))
    , m_sourceControl(makeSourceControl(this))
    , m_domainChoice(new ChoiceButton(tr("d&omain"), this))
    , m_orderChoice(new ChoiceButton(tr("experts &by"), this)) {
    buildControls();
    buildContent();
    connectCanvas();
    refresh();
}

QString UtilisationView::title() const {
    return tr("Utilization");
}

QString UtilisationView::explanation() const {
    return tr("How often each expert is chosen. Anchored training keeps the difference from the "
              "base router small. Look for rows that turn blue and orange, and for a growing TVD.");
}

void UtilisationView::buildControls() {
    m_showControl->addSegment(tr("&Difference"), tr("Tuned minus base, centered at zero"));
    m_showControl->addSegment(tr("T&uned"), tr("The model as it is at this step"));
    m_showControl->addSegment(tr("B&ase"), tr("The frozen base model"));
    m_orderChoice->setChoices({tr("index"), tr("base use"), tr("base community")});
    addControl(m_showControl);
    addControl(m_sourceControl);
    addControl(m_domainChoice);
    addControl(m_orderChoice);
    const RangeButtons range = makeRangeButtons(this);
    addEndControl(range.fit);
    addEndControl(range.lock);
    m_lock = range.lock;
    connect(m_showControl, &SegmentedControl::chosen, this, &UtilisationView::refresh);
    connect(m_sourceControl, &SegmentedControl::chosen, this, &UtilisationView::refresh);
    connect(m_orderChoice, &ChoiceButton::chosen, this, &UtilisationView::refresh);
    connectDomainChoice(m_domainChoice, selection());
    connect(range.fit, &QAbstractButton::clicked, this, [this] { updateRange(true); });
    connect(range.lock, &QAbstractButton::toggled, this, [this](bool on) {
        m_ranges.setLocked(on);
        updateRange(false);
    });
}

void UtilisationView::buildContent() {
    auto* content = new QWidget(this);
    m_canvas = new HeatMapCanvas(content);
    m_canvas->setAccessibleName(tr("Utilization heat map, layers by experts"));
    m_bars = new ExpertBars(content);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_canvas, 1);
    column->addWidget(m_bars);
    setContent(content);
}

void UtilisationView::connectCanvas() {
    m_canvas->setReadOut([this](int row, int column) { return readOutOf(row, column); });
    connect(m_canvas, &HeatMapCanvas::pointerMoved, this, [this](const QString& text) {
        setReadOut(text);
        const auto pointer = m_canvas->pointer();
        const bool here = pointer && pointer->row == shownLayer();
        m_bars->setMarkedColumn(here ? pointer->column : -1);
    });
    connect(m_canvas, &HeatMapCanvas::cellActivated, this, [this](int row, int column) {
        selection()->setExpert(row, m_canvas->scene().data()->columnId(row, column));
    });
    connect(m_canvas, &HeatMapCanvas::rowActivated, this,
        [this](int row) { selection()->setLayer(row); });
    connect(m_canvas, &HeatMapCanvas::zoomed, this,
        [this] { m_bars->align(m_canvas->scene().mapRect(), m_canvas->scene().geometry()); });
    connect(m_canvas, &HeatMapCanvas::fitRequested, this, [this] { updateRange(true); });
    connect(m_canvas, &HeatMapCanvas::lockRequested, m_lock, &QAbstractButton::toggle);
}

void UtilisationView::setShow(Show show) {
    m_showControl->setCurrent(static_cast<int>(show));
}

void UtilisationView::setSource(RoutingSource source) {
    m_sourceControl->setCurrent(static_cast<int>(source));
}

void UtilisationView::setOrder(ExpertOrder order) {
    m_orderChoice->setCurrent(static_cast<int>(order));
}

UtilisationView::Show UtilisationView::effectiveShow() const {
    if (m_use->tunedCounts_LE.empty())
        return Show::Base;
    if (m_use->baseCounts_LE.empty())
        return Show::Tuned;
    return static_cast<Show>(m_showControl->current());
}

const TrainingFrame* UtilisationView::trainingFrame() const {
    return run() ? trainingFrameAt(*run(), selection()->value().step) : nullptr;
}

Utilisation UtilisationView::gather() const {
    if (m_sourceControl->current() == static_cast<int>(RoutingSource::Training)) {
        const TrainingFrame* frame = trainingFrame();
        return frame ? trainingUtilisation(*frame) : Utilisation{};
    }
    return probeUtilisation(
        baseFrame().get(), tunedFrame().get(), selection()->value().domain.toStdString());
}

void UtilisationView::updateControls() {
    const bool probe = m_sourceControl->current() == static_cast<int>(RoutingSource::Probe);
    m_domainChoice->setVisible(probe);
    const RoutingFrame* frame = baseFrame() ? baseFrame().get() : tunedFrame().get();
    fillDomainChoice(m_domainChoice, frame, selection()->value().domain);
    const bool both = !m_use->tunedCounts_LE.empty() && !m_use->baseCounts_LE.empty();
    const QString why = m_use->tunedCounts_LE.empty()
        ? tr("No tuned frame yet; only the base can be shown.")
        : tr("The base's choices are not stored for this source.");
    m_showControl->setSegmentEnabled(static_cast<int>(Show::Difference), both, why);
    m_showControl->setSegmentEnabled(
        static_cast<int>(Show::Tuned), !m_use->tunedCounts_LE.empty(), why);
    m_showControl->setSegmentEnabled(
        static_cast<int>(Show::Base), !m_use->baseCounts_LE.empty(), why);
    m_orderChoice->setChoiceEnabled(static_cast<int>(ExpertOrder::BaseCommunity),
        communities() != nullptr, tr("The base's communities are not available yet."));
}

void UtilisationView::refresh() {
    m_use = std::make_shared<const Utilisation>(gather());
    updateControls();
    if (m_use->baseCounts_LE.empty() && m_use->tunedCounts_LE.empty()) {
        m_canvas->setData(std::make_shared<const HeatMapData>());
        showNothing();
        contentChanged();
        return;
    }
    m_order_LE = expertOrder(
        *m_use, communities().get(), static_cast<ExpertOrder>(m_orderChoice->current()));
    m_canvas->setData(makeMap());
    updateRange(false);
    updateSelected();
    m_bars->setData(barsData());
    m_bars->align(m_canvas->scene().mapRect(), m_canvas->scene().geometry());
    showContent();
    contentChanged();
}

void UtilisationView::showNothing() {
    const bool training = m_sourceControl->current() == static_cast<int>(RoutingSource::Training);
    if (!run() && !hasProbe())
        showEmpty(tr("No routing data yet"),
            tr("Open a run or a snapshot, or try the demo, which starts training within a minute."),
            tr("&Try the demo"), ViewAction::TryDemo);
    else if (training)
        showEmpty(tr("No training steps yet"),
            tr("Utilization on training tokens appears with a run's first step."), tr("&New run"),
            ViewAction::NewRun);
    else
        showEmpty(tr("No probe frame yet"),
            tr("The probe runs the held-out texts through the base first, then every few steps. If "
               "the run has no probe texts, show training tokens instead."),
            tr("Choose &probe texts"), ViewAction::Probe);
}

void UtilisationView::updateRange(bool fit) {
    const HeatMapData& data = *m_canvas->scene().data();
    if (data.rows == 0)
        return;
    const QString kind = (data.diverging ? QStringLiteral("difference ") : QStringLiteral("share "))
        + QString::number(m_sourceControl->current());
    const QString name = run() ? QString::fromStdString(run()->info.path) : QString();
    if (fit)
        m_ranges.fit(kind, name, data.values, data.diverging, true);
    m_canvas->setRange(m_ranges.range(kind, name, data.values, data.diverging),
        m_ranges.locked() ? tr("range locked") : tr("range kept across frames"));
}

void UtilisationView::updateSelected() {
    const Selection& now = selection()->value();
    std::optional<HeatMapCell> cell;
    if (now.layer >= 0 && now.layer < m_use->layerCount())
        cell = HeatMapCell{now.layer, m_canvas->scene().data()->columnOfId(now.layer, now.expert)};
    m_canvas->setSelected(cell);
}

} // namespace mooring
