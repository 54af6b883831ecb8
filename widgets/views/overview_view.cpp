// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/overview_view.h"
#include "widgets/base/view_controls.h"
#include "widgets/charts/chart_board.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <limits>
#include <set>

namespace mooring {
namespace {

constexpr double kSmoothing = 0.6;

// Shown first; the list has the others.
const std::vector<ChartId> kFirstShown = {ChartId::CrossEntropy, ChartId::Overlap, ChartId::Beta,
    ChartId::GradientNorm, ChartId::Tvd, ChartId::RouterDrift};

} // namespace

OverviewView::OverviewView(SelectionModel* selection, QWidget* parent)
    : View(selection, parent)
    , m_shown(kFirstShown)
    , m_board(new ChartBoard)
    , m_chartsButton(new QToolButton(this)) {
    buildControls();
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_board);
    setContent(scroll);
    m_board->setSmoothing(kSmoothing);
    connect(m_board, &ChartBoard::hovered, this, [this](const QString& text) { setReadOut(text); });
    connect(m_board, &ChartBoard::stepActivated, selection, &SelectionModel::setStep);
    refresh();
}

QString OverviewView::title() const {
    return tr("Overview");
}

QString OverviewView::explanation() const {
    return tr("Every metric of the run over its steps. Look for overlap that falls along with the "
              "cross-entropy: the new skill is then replacing the base's routing.");
}

QString OverviewView::pictureTitle() const {
    QStringList parts{title()};
    for (const ChartRun& run : m_charts->runs)
        parts.append(run.name);
    parts.append(domainText(selection()->value().domain));
    return parts.join(QStringLiteral(" \u00b7 "));
}

void OverviewView::buildControls() {
    m_chartsButton->setText(tr("C&harts"));
    m_chartsButton->setToolTip(tr("Which charts are shown"));
    m_chartsButton->setAutoRaise(true);
    m_chartsButton->setFocusPolicy(Qt::TabFocus);
    m_chartsButton->setPopupMode(QToolButton::InstantPopup);
    m_menu = new QMenu(m_chartsButton);
    m_chartsButton->setMenu(m_menu);
    buildMenu();
    auto* log = new QToolButton(this);
    log->setText(tr("&Log axis"));
    log->setToolTip(tr("Logarithmic value axis, where a chart allows it"));
    log->setCheckable(true);
    log->setAutoRaise(true);
    log->setFocusPolicy(Qt::TabFocus);
    connect(log, &QToolButton::toggled, m_board, &ChartBoard::setLogAxis);
    m_log = log;
    addControl(m_chartsButton);
    addControl(smoothingControl());
    addControl(log);
}

QWidget* OverviewView::smoothingControl() {
    auto* box = new QWidget(this);
    box->setFixedHeight(26); // as the controls beside it
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    auto* name = new QLabel(tr("s&moothing"), box);
    name->setForegroundRole(QPalette::PlaceholderText);
    m_smoothing = new QSlider(Qt::Horizontal, box);
    m_smoothing->setRange(0, 99);
    m_smoothing->setPageStep(10);
    m_smoothing->setValue(static_cast<int>(kSmoothing * 100));
    m_smoothing->setFixedWidth(110);
    m_smoothing->setAccessibleName(tr("Smoothing"));
    m_smoothing->setToolTip(tr("Smoothing of the thick line; 0 disables it"));
    name->setBuddy(m_smoothing);
    m_smoothingValue = new QLabel(box);
    m_smoothingValue->setFont(numberFont(font()));
    const auto show = [this](int value) {
        m_smoothingValue->setText(QString::number(value / 100.0, 'f', 2));
        m_board->setSmoothing(value / 100.0);
    };
    show(m_smoothing->value());
    connect(m_smoothing, &QSlider::valueChanged, this, show);
    row->addWidget(name);
    row->addWidget(m_smoothing);
    row->addWidget(m_smoothingValue);
    return box;
}

void OverviewView::buildMenu() {
    for (int id = 0; id < kChartCount; ++id) {
        QAction* action = m_menu->addAction(chartTitle(static_cast<ChartId>(id)));
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this] {
            std::vector<ChartId> shown;
            for (int i = 0; i < kChartCount; ++i)
                if (m_menu->actions().at(i)->isChecked())
                    shown.push_back(static_cast<ChartId>(i));
            setShown(shown);
        });
    }
    m_menu->addSeparator();
    m_menu->addAction(tr("&All"), this, [this] {
        std::vector<ChartId> all;
        for (int i = 0; i < kChartCount; ++i)
            all.push_back(static_cast<ChartId>(i));
        setShown(all);
    });
    m_menu->addAction(tr("&The first six"), this, [this] { setShown(kFirstShown); });
}

void OverviewView::setShown(std::vector<ChartId> charts) {
    std::sort(charts.begin(), charts.end());
    charts.erase(std::unique(charts.begin(), charts.end()), charts.end());
    if (charts.empty()) // an empty sheet is useless
        charts = kFirstShown;
    m_shown = std::move(charts);
    showCharts();
}

// Among the first charts, penalties replace beta for runs without one.
std::vector<ChartId> OverviewView::shown() const {
    std::vector<ChartId> shown = m_shown;
    const bool unasked = m_shown == kFirstShown && !m_charts->charts.empty();
    if (unasked && m_charts->chart(ChartId::Beta).series.empty()
        && !m_charts->chart(ChartId::Penalties).series.empty())
        std::replace(shown.begin(), shown.end(), ChartId::Beta, ChartId::Penalties);
    std::sort(shown.begin(), shown.end());
    return shown;
}

void OverviewView::setOverlays(std::vector<RunPtr> runs) {
    std::erase(runs, nullptr);
    m_overlays = std::move(runs);
    refresh();
}

void OverviewView::setRunColors(std::map<std::string, int> indexOfPath) {
    m_colorOfPath = std::move(indexOfPath);
    refresh();
}

void OverviewView::setSmoothing(double weight) {
    m_smoothing->setValue(static_cast<int>(weight * 100 + 0.5));
}

double OverviewView::smoothing() const {
    return m_board->smoothing();
}

void OverviewView::setLogAxis(bool on) {
    m_log->setChecked(on);
}

bool OverviewView::logAxis() const {
    return m_board->logAxis();
}

std::vector<ChartRun> OverviewView::runs() const {
    std::vector<ChartRun> runs;
    const auto add = [&](const RunPtr& record) {
        const auto known = m_colorOfPath.find(record->info.path);
        const int color
            = known == m_colorOfPath.end() ? static_cast<int>(runs.size()) : known->second;
        runs.push_back({record, QString::fromStdString(record->info.name), runColor(color),
            changeMarks(*record)});
    };
    if (run())
        add(run());
    for (const RunPtr& overlay : m_overlays)
        if (!run() || overlay->info.path != run()->info.path)
            add(overlay);
    return runs;
}

void OverviewView::gather() {
    const QString domain = selection()->value().domain;
    m_charts = std::make_shared<const ChartSet>(
        makeCharts(runs(), domain.isEmpty() ? std::string("pooled") : domain.toStdString()));
}

void OverviewView::refresh() {
    gather();
    showCharts();
}

void OverviewView::selectionChanged(const Selection& now, const Selection& before) {
    if (now.domain != before.domain)
        refresh();
    else if (now.step != before.step)
        m_board->setChosenStep(now.step >= 0 ? std::optional(now.step) : std::nullopt);
}

void OverviewView::showCharts() {
    const std::vector<ChartId> shown = this->shown();
    for (int i = 0; i < kChartCount; ++i)
        m_menu->actions().at(i)->setChecked(
            std::find(shown.begin(), shown.end(), static_cast<ChartId>(i)) != shown.end());
    m_board->setCharts(m_charts, shown);
    const std::int64_t step = selection()->value().step;
    m_board->setChosenStep(step >= 0 ? std::optional(step) : std::nullopt);
    const auto measured = [](const Chart& chart) { return !chart.series.empty(); };
    if (m_charts->runs.empty())
        showEmpty(tr("No run yet"),
            tr("Open a run or a snapshot, or try the demo, which starts training within a minute."),
            tr("&Try the demo"), ViewAction::TryDemo);
    else if (std::none_of(m_charts->charts.begin(), m_charts->charts.end(), measured))
        showEmpty(tr("No steps yet"),
            tr("The curves start with the run's first step. Before that, the base is loaded and "
               "the prior is computed."),
            {}, ViewAction::NewRun);
    else
        showContent();
    contentChanged();
}

void OverviewView::paint(QPainter& painter, const QRectF& area) const {
    if (isEmpty())
        return;
    m_board->paintInto(painter, paintPictureTitle(painter, area), colors());
}

namespace {

// A curve of every run by the same name.
struct TableColumn {
    QString name;
    std::vector<const ChartSeries*> ofRun; // null: that run has none
};

std::vector<TableColumn> columnsOf(const ChartSet& charts, const std::vector<ChartId>& shown) {
    std::vector<TableColumn> columns;
    for (const ChartId id : shown) {
        if (charts.charts.empty())
            break;
        const Chart& chart = charts.chart(id);
        for (const ChartSeries& series : chart.series) {
            const QString name = series.name.isEmpty()
                ? chart.title
                : chart.title + QStringLiteral(", ") + series.name;
            auto found = std::find_if(columns.begin(), columns.end(),
                [&](const TableColumn& column) { return column.name == name; });
            if (found == columns.end())
                found = columns.insert(columns.end(),
                    {name, std::vector<const ChartSeries*>(charts.runs.size(), nullptr)});
            found->ofRun[static_cast<std::size_t>(series.run)] = &series;
        }
    }
    return columns;
}

} // namespace

// One row per run and step, one column a curve of the charts shown.
ValueRows OverviewView::tableRows() const {
    const std::vector<TableColumn> columns = columnsOf(*m_charts, shown());
    std::vector<std::pair<std::size_t, std::int64_t>> places;
    for (std::size_t run = 0; run < m_charts->runs.size(); ++run) {
        std::set<std::int64_t> steps;
        for (const TableColumn& column : columns)
            if (const ChartSeries* series = column.ofRun[run])
                for (const double step : series->steps)
                    steps.insert(static_cast<std::int64_t>(step));
        for (const std::int64_t step : steps)
            places.emplace_back(run, step);
    }
    ValueRows rows;
    rows.columns = {tr("run"), tr("step")};
    for (const TableColumn& column : columns)
        rows.columns.append(column.name);
    rows.rows = static_cast<int>(places.size());
    rows.cell = [charts = m_charts, columns, places](int row, int column) -> QVariant {
        const auto [run, step] = places[static_cast<std::size_t>(row)];
        if (column == 0)
            return charts->runs[run].name;
        if (column == 1)
            return static_cast<qlonglong>(step);
        const ChartSeries* series = columns[static_cast<std::size_t>(column) - 2].ofRun[run];
        return series ? series->at(step) : std::numeric_limits<double>::quiet_NaN();
    };
    return rows;
}

} // namespace mooring
