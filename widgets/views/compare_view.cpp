// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/compare_view.h"
#include "widgets/base/controls.h"
#include "widgets/charts/scatter_canvas.h"
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace mooring {
namespace {

constexpr int kRowRole = Qt::UserRole + 1;
constexpr int kRunRole = Qt::UserRole + 2;
constexpr int kFirstMetric = 3; // condition, strength, runs precede

QIcon markerIcon(const Marker& marker) {
    QPixmap pixmap(28, 28);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(marker.shape == MarkerShape::Ring ? QPen(marker.color, 3) : QPen(Qt::NoPen));
    paintMarker(painter, marker, {14, 14}, 17);
    painter.end();
    pixmap.setDevicePixelRatio(2);
    QIcon icon(pixmap);
    icon.addPixmap(pixmap, QIcon::Selected);
    return icon;
}

// What can be plotted against ID in the second panel: every metric except accuracy means.
bool isSecond(const ComparedMetric& metric) {
    return metric.id != "id" && metric.id != "ood" && metric.id != "overall";
}

} // namespace

CompareView::CompareView(SelectionModel* selection, QWidget* parent)
    : View(selection, parent)
    , m_source(new ChoiceButton(tr("&of"), this))
    , m_second(new ChoiceButton(tr("ID a&gainst"), this)) {
    addControl(m_source);
    addControl(m_second);
    m_source->hide();
    connect(m_source, &ChoiceButton::chosen, this, &CompareView::sourceChosen);
    connect(m_second, &ChoiceButton::chosen, this, [this] { fillAxes(); });
    buildContent();
    refresh();
}

QString CompareView::title() const {
    return tr("Compare");
}

QString CompareView::explanation() const {
    return tr("Methods trade in-domain accuracy against the base's other skills, depending on the "
              "learning rate. Compare them at equal ID, and ignore differences within the noise.");
}

QString CompareView::pictureTitle() const {
    return m_name.isEmpty() ? title() : title() + QStringLiteral(" \u00b7 ") + m_name;
}

void CompareView::buildContent() {
    auto* content = new QSplitter(Qt::Vertical, this);
    content->setChildrenCollapsible(false);
    m_canvas = new ScatterCanvas(content);
    auto* below = new QWidget(content);
    auto* column = new QVBoxLayout(below);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_tree = new QTreeWidget(below);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setAccessibleName(tr("Conditions with their runs"));
    m_tree->setAllColumnsShowFocus(true);
    m_tree->setIconSize({14, 14});
    m_tree->setUniformRowHeights(true);
    m_tree->header()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_tree->header()->setStretchLastSection(false);
    m_texts = new QLabel(below);
    m_texts->setWordWrap(true);
    m_texts->setContentsMargins(16, 6, 16, 6);
    m_texts->setFont(smallFont(font()));
    m_texts->setForegroundRole(QPalette::PlaceholderText);
    m_texts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_tree, 1);
    column->addWidget(m_texts);
    content->addWidget(m_canvas);
    content->addWidget(below);
    content->setStretchFactor(0, 3);
    content->setStretchFactor(1, 2);
    setContent(content);
    connect(m_canvas, &ScatterCanvas::hovered, this, [this](const QString& t) { setReadOut(t); });
    connect(m_canvas, &ScatterCanvas::rowChosen, this, &CompareView::chooseRow);
    connect(m_canvas, &ScatterCanvas::runActivated, this, [this](int run) {
        Q_EMIT runActivated(
            QString::fromStdString(m_table->runs[static_cast<std::size_t>(run)].path));
    });
    connect(m_tree, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
        m_canvas->setHighlighted(item ? item->data(0, kRowRole).toInt() : -1);
    });
    connect(m_tree, &QTreeWidget::itemActivated, this, &CompareView::activateItem);
}

void CompareView::setTable(const QString& name, ComparedTablePtr table) {
    m_name = name;
    m_table = std::move(table);
    refresh();
}

void CompareView::setSources(const QStringList& names, int current) {
    const QSignalBlocker quiet(m_source);
    m_source->setChoices(names);
    m_source->setCurrent(current);
    m_source->setVisible(names.size() > 1);
}

void CompareView::refresh() {
    const bool any = m_table && !m_table->runs.empty();
    m_second->setVisible(any);
    if (!any) {
        showEmpty(tr("Nothing to compare yet"),
            tr("Open a study's folder, or two or more evaluated runs; each becomes a dot. "
               "`mooring-cli study` trains methods x seeds."),
            tr("Open a study or a run"), ViewAction::OpenRun);
        return contentChanged();
    }
    fillSeconds();
    fillAxes();
    fillTree();
    showTexts();
    showContent();
    contentChanged();
}

// Step, layer and domain of the selection choose nothing here.
void CompareView::selectionChanged(const Selection&, const Selection&) { }

// The choice is kept across updates.
void CompareView::fillSeconds() {
    const auto before = secondMetric();
    QStringList titles;
    m_seconds.clear();
    for (const auto& metric : m_table->metrics)
        if (isSecond(metric)) {
            m_seconds.push_back(metric.id);
            titles.append(metricName(metric));
        }
    const QSignalBlocker quiet(m_second);
    m_second->setChoices(titles);
    setSecondMetric(QString::fromStdString(before));
}

std::string CompareView::secondMetric() const {
    const int at = m_second->current();
    return at >= 0 && at < static_cast<int>(m_seconds.size())
        ? m_seconds[static_cast<std::size_t>(at)]
        : "overlap";
}

void CompareView::setSecondMetric(const QString& id) {
    const auto at = std::find(m_seconds.begin(), m_seconds.end(), id.toStdString());
    if (at != m_seconds.end())
        m_second->setCurrent(static_cast<int>(at - m_seconds.begin()));
}

void CompareView::fillAxes() {
    m_canvas->setTable(m_table, {{"id", "ood"}, {"id", secondMetric()}});
}

void CompareView::addRow(int row) {
    const auto& shown = m_table->rows[static_cast<std::size_t>(row)];
    auto* item = new QTreeWidgetItem(m_tree);
    item->setData(0, kRowRole, row);
    item->setText(0, rowLabel(*m_table, row));
    item->setIcon(0, markerIcon(markerOf(*m_table, row, themeColors(*this))));
    item->setText(1, QString::fromStdString(shown.strength));
    if (!shown.base)
        item->setText(2, QString::number(shown.counted));
    for (std::size_t i = 0; i < shown.cells.size(); ++i) {
        const int column = kFirstMetric + static_cast<int>(i);
        const auto& cell = shown.cells[i];
        item->setText(column, cellText(m_table->metrics[i], cell) + (cell.differs ? " *" : ""));
        QFont figures = numberFont(font());
        figures.setBold(cell.best);
        item->setFont(column, figures);
        item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    for (std::size_t r = 0; r < m_table->runs.size(); ++r) {
        if (m_table->rowOfRun[r] != row)
            continue;
        const auto& run = m_table->runs[r];
        auto* child = new QTreeWidgetItem(item);
        child->setData(0, kRowRole, row);
        child->setData(0, kRunRole, static_cast<int>(r));
        child->setText(0, QString::fromStdString(run.name));
        child->setText(1, tr("seed %1").arg(run.seed));
        child->setToolTip(0, QString::fromStdString(run.path));
        if (!run.problem.empty())
            child->setToolTip(0, QString::fromStdString(run.problem));
        for (std::size_t i = 0; i < m_table->metrics.size(); ++i) {
            const int column = kFirstMetric + static_cast<int>(i);
            child->setText(
                column, metricText(m_table->metrics[i], run.value(m_table->metrics[i].id)));
            child->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
            child->setFont(column, numberFont(font()));
        }
        for (int column = 0; column < m_tree->columnCount(); ++column)
            child->setForeground(column, palette().color(QPalette::PlaceholderText));
    }
}

void CompareView::fillTree() {
    std::vector<bool> open;
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
        open.push_back(m_tree->topLevelItem(i)->isExpanded());
    const int highlighted = m_canvas->highlighted();
    const QSignalBlocker quiet(m_tree);
    m_tree->clear();
    QStringList titles{tr("Condition"), tr("Strength"), tr("Runs")};
    for (const auto& metric : m_table->metrics)
        titles.append(metricTitle(metric));
    m_tree->setColumnCount(static_cast<int>(titles.size()));
    m_tree->setHeaderLabels(titles);
    m_tree->headerItem()->setTextAlignment(0, Qt::AlignLeft | Qt::AlignVCenter);
    m_tree->headerItem()->setTextAlignment(1, Qt::AlignLeft | Qt::AlignVCenter);
    for (int row = 0; row < static_cast<int>(m_table->rows.size()); ++row)
        addRow(row);
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
        m_tree->topLevelItem(i)->setExpanded(
            i < static_cast<int>(open.size()) && open[static_cast<std::size_t>(i)]);
    for (int column = 0; column < m_tree->columnCount(); ++column)
        m_tree->resizeColumnToContents(column);
    if (highlighted >= 0)
        m_tree->setCurrentItem(m_tree->topLevelItem(highlighted));
}

void CompareView::showTexts() {
    QString text = QString::fromStdString(m_table->caption)
                       .remove(QStringLiteral("**"))
                       .remove(QLatin1Char('`'))
                       .toHtmlEscaped();
    for (const auto& notice : m_table->notices)
        text += QStringLiteral("<br><span style='color:%1'>%2</span>")
                    .arg(themeColors(*this).warning.name(),
                        QString::fromStdString(notice).toHtmlEscaped());
    m_texts->setTextFormat(Qt::RichText); // escaped above, with or without a notice
    m_texts->setText(text);
}

void CompareView::chooseRow(int row) {
    m_tree->setCurrentItem(row < 0 ? nullptr : m_tree->topLevelItem(row));
    m_canvas->setHighlighted(row);
}

void CompareView::activateItem(const QTreeWidgetItem* item) {
    const QVariant run = item->data(0, kRunRole);
    if (run.isValid())
        Q_EMIT runActivated(
            QString::fromStdString(m_table->runs[static_cast<std::size_t>(run.toInt())].path));
}

// One row per run, then the mean and the deviation of its condition.
ValueRows CompareView::tableRows() const {
    ValueRows rows;
    if (!m_table)
        return rows;
    rows.columns = {tr("condition"), tr("method"), tr("strength"), tr("seed"), tr("step")};
    for (const auto& metric : m_table->metrics)
        rows.columns.append(QString::fromStdString(metric.id));
    struct Line {
        int row, run; // run below 0: ~0 the mean, ~1 the deviation
    };
    std::vector<Line> lines;
    for (int row = 0; row < static_cast<int>(m_table->rows.size()); ++row) {
        for (std::size_t r = 0; r < m_table->runs.size(); ++r)
            if (m_table->rowOfRun[r] == row)
                lines.push_back({row, static_cast<int>(r)});
        lines.push_back({row, ~0});
        if (m_table->rows[static_cast<std::size_t>(row)].counted > 1)
            lines.push_back({row, ~1});
    }
    rows.rows = static_cast<int>(lines.size());
    rows.cell = [table = m_table, lines](int at, int column) -> QVariant {
        const auto& line = lines[static_cast<std::size_t>(at)];
        const auto& row = table->rows[static_cast<std::size_t>(line.row)];
        const auto* run = line.run < 0 ? nullptr : &table->runs[static_cast<std::size_t>(line.run)];
        switch (column) {
        case 0:
            return QString::fromStdString(row.condition);
        case 1:
            return QString::fromStdString(row.method);
        case 2:
            return QString::fromStdString(row.strength);
        case 3:
            return run ? QVariant(static_cast<qlonglong>(run->seed))
                       : QVariant(line.run == ~0 ? tr("mean") : tr("sd"));
        case 4:
            return run && run->last() ? QVariant(static_cast<qlonglong>(run->last()->step))
                                      : QVariant();
        default:
            break;
        }
        const auto metric = static_cast<std::size_t>(column - 5);
        if (run)
            return run->value(table->metrics[metric].id);
        return line.run == ~0 ? row.cells[metric].mean : row.cells[metric].sd;
    };
    return rows;
}

double CompareView::paintLegend(QPainter& painter, const QRectF& area) const {
    painter.setFont(smallFont(font()));
    const QFontMetricsF metrics(painter.font());
    double x = area.left(), y = area.top();
    for (int row = 0; row < static_cast<int>(m_table->rows.size()); ++row) {
        const auto& shown = m_table->rows[static_cast<std::size_t>(row)];
        const QString text = rowLabel(*m_table, row)
            + QString::fromStdString(shown.strength.empty() ? "" : ", " + shown.strength);
        const double width = 18 + metrics.horizontalAdvance(text) + 16;
        if (x > area.left() && x + width > area.right()) {
            x = area.left();
            y += metrics.height() + 4;
        }
        const auto marker = markerOf(*m_table, row, colors());
        painter.setPen(
            marker.shape == MarkerShape::Ring ? QPen(marker.color, 1.6) : QPen(Qt::NoPen));
        paintMarker(painter, marker, {x + 6, y + metrics.height() / 2}, 8);
        painter.setPen(colors().text);
        painter.drawText(QRectF(x + 18, y, width, metrics.height()), text);
        x += width;
    }
    return y + metrics.height() + 8 - area.top();
}

void CompareView::paint(QPainter& painter, const QRectF& area) const {
    if (isEmpty())
        return;
    QRectF rest = paintPictureTitle(painter, area);
    painter.setRenderHint(QPainter::Antialiasing);
    rest.setTop(rest.top() + paintLegend(painter, rest.adjusted(16, 4, -16, 0)));
    m_canvas->paintInto(painter, rest, colors());
}

} // namespace mooring
