// SPDX-License-Identifier: GPL-3.0-or-later
// Controls and refreshing; what is shown is made in transitions_picture.cpp.
#include "widgets/views/transitions_view.h"
#include "widgets/base/controls.h"
#include "widgets/base/view_controls.h"
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace mooring {

TransitionsView::TransitionsView(SelectionModel* selection, QWidget* parent)
    : View(selection, parent)
    , m_showControl(new SegmentedControl(tr("Shown"), this))
    , m_kindControl(new SegmentedControl(tr("Transitions"), this))
    , m_domainChoice(new ChoiceButton(tr("d&omain"), this))
    , m_layerChoice(new ChoiceButton(tr("la&yer"), this))
    , m_valuesChoice(new ChoiceButton(tr("&values"), this)) {
    buildControls();
    buildContent();
    connectCanvas();
    refresh();
}

QString TransitionsView::title() const {
    return tr("Transitions");
}

QString TransitionsView::explanation() const {
    return tr("Which experts follow which while an answer is written. Blocks on the diagonal are "
              "paths that stay within a community. Look for blocks that fade and for new ones off "
              "the diagonal.");
}

void TransitionsView::buildControls() {
    m_showControl->addSegment(tr("&Difference"), tr("Tuned minus base, centered at zero"));
    m_showControl->addSegment(tr("T&uned"), tr("The model as it is at this step"));
    m_showControl->addSegment(tr("B&ase"), tr("The frozen base model"));
    m_kindControl->addSegment(tr("Next &token"),
        tr("From an answer token's experts to the next token's, in the same layer"));
    m_kindControl->addSegment(tr("&Next layer"),
        tr("From an answer token's experts to its experts in the next MoE layer"));
    m_valuesChoice->setChoices({tr("share"), tr("lift")});
    m_valuesChoice->setToolTip(tr("Share of all transitions, or that share divided by what the two "
                                  "experts' utilization would give by chance (1: chance)"));
    for (QWidget* control : {static_cast<QWidget*>(m_showControl),
             static_cast<QWidget*>(m_kindControl), static_cast<QWidget*>(m_domainChoice),
             static_cast<QWidget*>(m_layerChoice), static_cast<QWidget*>(m_valuesChoice)})
        addControl(control);
    const RangeButtons range = makeRangeButtons(this);
    addEndControl(range.fit);
    addEndControl(range.lock);
    m_lock = range.lock;
    connect(m_showControl, &SegmentedControl::chosen, this, &TransitionsView::refresh);
    connect(m_kindControl, &SegmentedControl::chosen, this, &TransitionsView::refresh);
    connect(m_valuesChoice, &ChoiceButton::chosen, this, &TransitionsView::refresh);
    connect(m_layerChoice, &ChoiceButton::chosen, this,
        [this](int index) { selection()->setLayer(index); });
    connectDomainChoice(m_domainChoice, selection());
    connect(range.fit, &QAbstractButton::clicked, this, [this] { updateRange(true); });
    connect(range.lock, &QAbstractButton::toggled, this, [this](bool on) {
        m_ranges.setLocked(on);
        updateRange(false);
    });
}

void TransitionsView::buildContent() {
    auto* content = new QWidget(this);
    m_figures = new QLabel(content);
    m_figures->setContentsMargins(16, 2, 16, 4);
    m_figures->setWordWrap(true);
    m_figures->setTextFormat(Qt::PlainText);
    m_figures->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_canvas = new HeatMapCanvas(content);
    m_canvas->setAccessibleName(tr("Transitions, experts by experts"));
    m_layers = new QTreeWidget(content);
    m_layers->setRootIsDecorated(false);
    m_layers->setUniformRowHeights(true);
    m_layers->setFrameShape(QFrame::NoFrame);
    m_layers->setAccessibleName(tr("Values for every layer"));
    m_layers->setFont(numberFont(font()));
    m_layers->setHeaderLabels(layerTitles());
    m_layers->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_layers->header()->setStretchLastSection(false);
    m_layers->header()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_layers->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_canvas, 1);
    row->addWidget(m_layers);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_figures);
    column->addLayout(row, 1);
    setContent(content);
}

void TransitionsView::connectCanvas() {
    m_canvas->setReadOut([this](int row, int column) { return readOutOf(row, column); });
    connect(m_canvas, &HeatMapCanvas::pointerMoved, this,
        [this](const QString& text) { setReadOut(text); });
    connect(m_canvas, &HeatMapCanvas::cellActivated, this, [this](int row, int) {
        const std::vector<int> rows = order(false);
        if (row < static_cast<int>(rows.size()))
            selection()->setExpert(shownLayer(), rows[static_cast<std::size_t>(row)]);
    });
    connect(m_canvas, &HeatMapCanvas::fitRequested, this, [this] { updateRange(true); });
    connect(m_canvas, &HeatMapCanvas::lockRequested, m_lock, &QAbstractButton::toggle);
    connect(m_layers, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item && item->data(0, Qt::UserRole).toInt() >= 0)
            selection()->setLayer(item->data(0, Qt::UserRole).toInt());
    });
}

void TransitionsView::setShow(Show show) {
    m_showControl->setCurrent(static_cast<int>(show));
}

void TransitionsView::setKind(TransitionKind kind) {
    m_kindControl->setCurrent(static_cast<int>(kind));
}

void TransitionsView::setValues(Values values) {
    m_valuesChoice->setCurrent(static_cast<int>(values));
}

TransitionKind TransitionsView::kind() const {
    return static_cast<TransitionKind>(m_kindControl->current());
}

bool TransitionsView::byLift() const {
    return m_valuesChoice->current() == static_cast<int>(Values::Lift);
}

TransitionsView::Show TransitionsView::effectiveShow() const {
    return m_tuned ? static_cast<Show>(m_showControl->current()) : Show::Base;
}

int TransitionsView::shownLayer() const {
    const int layer = selection()->value().layer;
    return m_shown && layer >= 0 && layer < static_cast<int>(m_shown->base->layers.size()) ? layer
                                                                                           : 0;
}

int TransitionsView::experts() const {
    return m_shown ? m_shown->base->experts : 0;
}

void TransitionsView::gather() {
    m_shown = nullptr;
    m_base = m_tuned = nullptr;
    m_row = m_baseRow = nullptr;
    m_set = communities() ? communities()->transitions : nullptr;
    if (!m_set)
        return;
    m_shown = kind() == TransitionKind::Tokens ? &m_set->tokens : &m_set->layers;
    const QString& domain = selection()->value().domain;
    const std::string name = domain.isEmpty() ? "pooled" : domain.toStdString();
    const auto find = [&name](const FrameTransitions* frame) -> const DomainTransitions* {
        for (std::size_t d = 0; frame && d < frame->domains.size(); ++d)
            if (frame->domains[d].name == name)
                return &frame->domains[d];
        return nullptr;
    };
    m_base = find(m_shown->base.get());
    m_tuned = find(m_shown->tuned.get());
    for (const TransitionRow& row : m_shown->rows)
        m_row = row.domain == name ? &row : m_row;
    for (const TransitionRow& row : m_shown->baseRows)
        m_baseRow = row.domain == name ? &row : m_baseRow;
}

void TransitionsView::updateControls() {
    const RoutingFrame* frame = baseFrame() ? baseFrame().get() : nullptr;
    fillDomainChoice(m_domainChoice, frame, selection()->value().domain);
    QStringList names;
    if (m_shown)
        for (const int layer : m_shown->base->layers)
            names.append(QString::number(layer));
    const QSignalBlocker quiet(m_layerChoice);
    m_layerChoice->setChoices(names);
    m_layerChoice->setCurrent(shownLayer());
    m_layerChoice->setVisible(!names.isEmpty());
    const QString why = tr("No tuned frame yet; only the base can be shown.");
    m_showControl->setSegmentEnabled(static_cast<int>(Show::Difference), m_tuned, why);
    m_showControl->setSegmentEnabled(static_cast<int>(Show::Tuned), m_tuned, why);
}

void TransitionsView::refresh() {
    gather();
    updateControls();
    const bool known = m_base && m_base->counts.pairs > 0 && !m_shown->base->layers.empty();
    if (!known) {
        m_canvas->setData(std::make_shared<const HeatMapData>());
        showNothing();
        contentChanged();
        return;
    }
    m_canvas->setData(makeMap());
    updateRange(false);
    updateSelected();
    updateLayers();
    m_figures->setText(figures());
    showContent();
    contentChanged();
}

void TransitionsView::showNothing() {
    if (!run() && !baseFrame())
        showEmpty(tr("No transitions yet"),
            tr("Open a run or a snapshot, or try the demo, which starts training within a minute."),
            tr("&Try the demo"), ViewAction::TryDemo);
    else if (!baseFrame())
        showEmpty(tr("No probe frame yet"),
            tr("The probe runs the held-out texts through the base first. Transitions need probe "
               "texts in the run."),
            tr("Choose &probe texts"), ViewAction::Probe);
    else if (!m_shown)
        showEmpty(tr("Counting transitions"),
            tr("Every layer's transitions are being counted and partitioned; this takes a moment."),
            {}, ViewAction::Probe);
    else if (m_shown->base->layers.empty())
        showEmpty(tr("No next layer"),
            tr("The model has a single MoE layer. Show transitions to the next token instead."), {},
            ViewAction::Probe);
    else
        showEmpty(tr("No answer tokens in these probe texts"),
            tr("Transitions are counted over answer tokens. Plain texts have none; use probe files "
               "with questions and answers."),
            tr("Choose &probe texts"), ViewAction::Probe);
}

void TransitionsView::updateRange(bool fit) {
    const HeatMapData& data = *m_canvas->scene().data();
    if (data.rows == 0)
        return;
    const QString range = QStringLiteral("%1 %2 %3")
                              .arg(data.diverging)
                              .arg(m_kindControl->current())
                              .arg(m_valuesChoice->current());
    const QString name = run() ? QString::fromStdString(run()->info.path) : QString();
    if (fit)
        m_ranges.fit(range, name, data.values, data.diverging, true);
    m_canvas->setRange(m_ranges.range(range, name, data.values, data.diverging),
        m_ranges.locked() ? tr("range locked") : tr("range kept across frames"));
}

void TransitionsView::updateSelected() {
    const std::vector<int> rows = order(false);
    const auto found = std::find(rows.begin(), rows.end(), selection()->value().expert);
    std::optional<HeatMapCell> cell;
    if (found != rows.end())
        cell = HeatMapCell{static_cast<int>(found - rows.begin()), -1};
    m_canvas->setSelected(cell);
}

void TransitionsView::updateLayers() {
    const QSignalBlocker quiet(m_layers);
    m_layers->clear();
    m_layers->setColumnCount(static_cast<int>(layerTitles().size()));
    m_layers->setHeaderLabels(layerTitles());
    const std::size_t layers = m_shown->base->layers.size();
    for (std::size_t l = 0; l <= layers; ++l) { // the last is the mean
        auto* item = new QTreeWidgetItem(m_layers, layerRow(l));
        item->setData(0, Qt::UserRole, l < layers ? static_cast<int>(l) : -1);
        for (int column = 0; column < item->columnCount(); ++column)
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        if (static_cast<int>(l) == shownLayer() && l < layers)
            m_layers->setCurrentItem(item);
    }
    // As wide as its numbers; the matrix takes the rest.
    int width = 24;
    for (int column = 0; column < m_layers->columnCount(); ++column) {
        m_layers->resizeColumnToContents(column);
        width += m_layers->columnWidth(column);
    }
    m_layers->setFixedWidth(width);
}

} // namespace mooring
