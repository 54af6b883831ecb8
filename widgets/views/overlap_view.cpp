// SPDX-License-Identifier: GPL-3.0-or-later
// Controls and refreshing; what is shown is made in overlap_picture.cpp.
#include "widgets/views/overlap_view.h"
#include "widgets/base/controls.h"
#include "widgets/base/view_controls.h"
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>

namespace mooring {

OverlapView::OverlapView(SelectionModel* selection, QWidget* parent)
    : View(selection, parent)
    , m_sourceControl(makeSourceControl(this))
    , m_tokenControl(new SegmentedControl(tr("Tokens"), this))
    , m_spanControl(new SegmentedControl(tr("Span"), this))
    , m_domainChoice(new ChoiceButton(tr("d&omain"), this)) {
    buildControls();
    buildContent();
    refresh();
}

QString OverlapView::title() const {
    return tr("Overlap");
}

QString OverlapView::explanation() const {
    return tr(
        "The share of a token's base experts that it is still routed to; 1 is the base router "
        "itself. Look for layers that drop first, and for tokens that left all their experts.");
}

void OverlapView::buildControls() {
    m_tokenControl->addSegment(tr("To&kens in order"), tr("Every probe token, text by text"));
    m_tokenControl->addSegment(tr("&Mean by position"), tr("Mean over texts at each position"));
    m_spanControl->addSegment(tr("Q + A"), tr("All tokens"));
    m_spanControl->addSegment(tr("&Q"), tr("Question tokens only"));
    m_spanControl->addSegment(tr("&A"), tr("Answer tokens only"));
    addControl(m_sourceControl);
    addControl(m_tokenControl);
    addControl(m_spanControl);
    addControl(m_domainChoice);
    const RangeButtons range = makeRangeButtons(this);
    addEndControl(range.fit);
    addEndControl(range.lock);
    m_lock = range.lock;
    connect(m_sourceControl, &SegmentedControl::chosen, this, &OverlapView::refresh);
    connect(m_tokenControl, &SegmentedControl::chosen, this, &OverlapView::refresh);
    connect(m_spanControl, &SegmentedControl::chosen, this,
        [this](int index) { selection()->setSpan(static_cast<SpanFilter>(index)); });
    connectDomainChoice(m_domainChoice, selection());
    connect(range.fit, &QAbstractButton::clicked, this, [this] { updateRanges(true); });
    connect(range.lock, &QAbstractButton::toggled, this, [this](bool on) {
        m_ranges.setLocked(on);
        updateRanges(false);
    });
}

void OverlapView::buildContent() {
    auto* content = new QSplitter(Qt::Vertical, this);
    content->setChildrenCollapsible(false);
    m_runCanvas = new HeatMapCanvas(content);
    m_runCanvas->setAccessibleName(tr("Overlap heat map, layers by steps of the run"));
    m_tokenCanvas = new HeatMapCanvas(content);
    m_tokenCanvas->setAccessibleName(tr("Overlap heat map, layers by probe tokens"));
    content->addWidget(m_runCanvas);
    content->addWidget(m_tokenCanvas);
    setContent(content);
    connectCanvas(m_runCanvas);
    connectCanvas(m_tokenCanvas);
    m_runCanvas->setReadOut([this](int row, int column) { return runReadOut(row, column); });
    m_tokenCanvas->setReadOut([this](int row, int column) {
        return byPosition() ? positionReadOut(row, column) : tokenReadOut(row, column);
    });
    connect(m_runCanvas, &HeatMapCanvas::cellActivated, this, [this](int row, int column) {
        Selection next = selection()->value();
        next.layer = row;
        next.step = m_throughRun->steps[static_cast<std::size_t>(column)];
        selection()->set(next);
    });
    connect(m_tokenCanvas, &HeatMapCanvas::cellActivated, this,
        [this](int row, int) { selection()->setLayer(row); });
}

void OverlapView::connectCanvas(HeatMapCanvas* canvas) {
    connect(canvas, &HeatMapCanvas::pointerMoved, this,
        [this](const QString& text) { setReadOut(text); });
    connect(canvas, &HeatMapCanvas::rowActivated, this,
        [this](int row) { selection()->setLayer(row); });
    connect(canvas, &HeatMapCanvas::fitRequested, this, [this] { updateRanges(true); });
    connect(canvas, &HeatMapCanvas::lockRequested, m_lock, &QAbstractButton::toggle);
}

bool OverlapView::training() const {
    return m_sourceControl->current() == 1;
}

bool OverlapView::byPosition() const {
    return m_tokenControl->current() == 1;
}

void OverlapView::setTrainingSource(bool training) {
    m_sourceControl->setCurrent(training ? 1 : 0);
}

void OverlapView::setTokens(Tokens tokens) {
    m_tokenControl->setCurrent(static_cast<int>(tokens));
}

std::int64_t OverlapView::shownStep() const {
    return tunedFrame() ? tunedFrame()->step : selection()->value().step;
}

void OverlapView::refresh() {
    const QSignalBlocker quiet(m_spanControl);
    m_spanControl->setCurrent(static_cast<int>(selection()->value().span));
    fillDomainChoice(m_domainChoice, baseFrame().get(), selection()->value().domain);
    refreshRun();
    refreshTokens();
    const bool steps = !m_throughRun->steps.empty();
    const bool tokens = !m_tokens->tokens.empty();
    m_runCanvas->setVisible(steps);
    m_tokenCanvas->setVisible(tokens);
    m_tokenControl->setVisible(tokens);
    m_spanControl->setVisible(tokens || selection()->value().span != SpanFilter::Both);
    updateRanges(false);
    updateSelected();
    if (steps || tokens)
        showContent();
    else
        showNothing();
    contentChanged();
}

void OverlapView::refreshRun() {
    OverlapThroughRun now;
    const QString domain = selection()->value().domain;
    if (run())
        now = training() ? overlapOfTraining(*run())
                         : overlapOfProbe(*run(),
                             domain.isEmpty() ? std::string("pooled") : domain.toStdString());
    m_throughRun = std::make_shared<const OverlapThroughRun>(std::move(now));
    m_runCanvas->setData(makeRunMap());
}

// A live run changes with every step, its frames rarely; tokens are compared only on new frames.
void OverlapView::refreshTokens() {
    const TokenInput input{baseFrame(), tunedFrame(), selection()->value().domain,
        selection()->value().span, byPosition()};
    if (input == m_tokenInput)
        return;
    m_tokenInput = input;
    OverlapOfTokens tokens;
    if (input.base && input.tuned)
        tokens = overlapOfTokens(*input.base, *input.tuned, input.domain.toStdString(), input.span);
    m_positions = std::make_shared<const OverlapOfPositions>(
        input.byPosition ? meanByPosition(tokens) : OverlapOfPositions{});
    m_tokens = std::make_shared<const OverlapOfTokens>(std::move(tokens));
    m_tokenCanvas->setData(input.byPosition ? makePositionMap() : makeTokenMap());
}

void OverlapView::showNothing() {
    if (!run() && !baseFrame())
        showEmpty(tr("No routing to compare yet"),
            tr("Open a run or a snapshot, or try the demo, which starts training within a minute."),
            tr("&Try the demo"), ViewAction::TryDemo);
    else if (training())
        showEmpty(tr("The base's choices are not stored"),
            tr("Overlap on training tokens needs the base's choices from the prior pass "
               "(prior.store_choices). Show the probe instead, or start a run that stores them."),
            tr("&New run"), ViewAction::NewRun);
    else
        showEmpty(tr("No probe of the tuned model yet"),
            tr("Overlap appears with the first probe of the tuned model. If the run has no probe "
               "texts, show training tokens instead."),
            tr("Choose &probe texts"), ViewAction::Probe);
}

void OverlapView::updateRanges(bool fit) {
    updateRange(m_runCanvas, QStringLiteral("run"), fit);
    updateRange(
        m_tokenCanvas, byPosition() ? QStringLiteral("position") : QStringLiteral("token"), fit);
}

// From 0 to 1 unless fitted: the same color means the same overlap in every run.
void OverlapView::updateRange(HeatMapCanvas* canvas, const QString& kind, bool fit) {
    const HeatMapData& data = *canvas->scene().data();
    if (data.rows == 0)
        return;
    const QString name = run() ? QString::fromStdString(run()->info.path) : QString();
    if (!m_ranges.has(kind, name))
        m_ranges.preset(kind, name, {0, 1});
    if (fit)
        m_ranges.fit(kind, name, data.values, false, false);
    canvas->setRange(m_ranges.range(kind, name, data.values, false),
        m_ranges.locked() ? tr("range locked") : tr("range kept across frames"));
}

void OverlapView::updateSelected() {
    const int layer = selection()->value().layer;
    const int column = m_throughRun->columnOf(selection()->value().step);
    std::optional<HeatMapCell> cell;
    if (column >= 0)
        cell = HeatMapCell{
            layer < static_cast<int>(m_throughRun->layers.size()) ? layer : -1, column};
    m_runCanvas->setSelected(cell);
    cell.reset();
    if (layer >= 0 && layer < static_cast<int>(m_tokens->layers.size()))
        cell = HeatMapCell{layer, -1};
    m_tokenCanvas->setSelected(cell);
}

} // namespace mooring
