// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/view.h"
#include "widgets/base/controls.h"
#include "widgets/base/table_window.h"
#include "widgets/base/wrap_layout.h"
#include <QContextMenuEvent>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace mooring {

View::View(SelectionModel* selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_table(new ValueTable(this))
    , m_controls(nullptr)
    , m_endControls(new QWidget(this))
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_caption(new Caption(this)) {
    Q_ASSERT(selection);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    buildToolBar();
    m_stack->addWidget(m_empty);
    column->addWidget(m_stack, 1);
    column->addWidget(m_caption);
    connect(m_selection, &SelectionModel::changed, this,
        [this](const Selection& now, const Selection& before) { selectionChanged(now, before); });
}

// A view that is destroyed while focused is notified by its children, too late for slots of a class
// that is already gone.
View::~View() {
    for (QObject* part : findChildren<QObject*>())
        part->disconnect(this);
}

void View::buildToolBar() {
    auto* bar = new QWidget(this);
    m_controls = new WrapLayout(bar, 8);
    m_controls->setContentsMargins(16, 8, 12, 8);
    auto* row = new QHBoxLayout(m_endControls);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    m_controls->setEndWidget(m_endControls);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    bar->setSizePolicy(policy);
    layout()->addWidget(bar);
    addEndButtons();
}

void View::addEndButtons() {
    const auto add = [this](const QString& text, const QString& tip) {
        auto* button = new QToolButton(m_endControls);
        button->setText(text);
        button->setToolTip(tip);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        m_endControls->layout()->addWidget(button);
        return button;
    };
    connect(add(tr("&Table"), tr("Show the same numbers as a table")), &QToolButton::clicked, this,
        &View::showTable);
    connect(add(tr("&Copy"), tr("Copy the image and its numbers")), &QToolButton::clicked, this,
        &View::copy);
    QToolButton* exportButton = add(tr("E&xport"), tr("Save as PNG, SVG, PDF or CSV"));
    exportButton->setPopupMode(QToolButton::InstantPopup);
    exportButton->setMenu(exportMenu());
}

QMenu* View::exportMenu() {
    auto* menu = new QMenu(this);
    const auto add = [this, menu](const QString& text, const QString& ending) {
        connect(menu->addAction(text), &QAction::triggered, this,
            [this, ending] { chooseExport(ending); });
    };
    add(tr("&PNG image..."), QStringLiteral("png"));
    add(tr("&SVG drawing..."), QStringLiteral("svg"));
    add(tr("P&DF page..."), QStringLiteral("pdf"));
    add(tr("&CSV numbers..."), QStringLiteral("csv"));
    menu->addSeparator();
    QAction* light = menu->addAction(tr("On a &light background"));
    light->setCheckable(true);
    connect(light, &QAction::toggled, this,
        [this](bool on) { m_exportTheme = on ? std::optional(ThemeKind::Light) : std::nullopt; });
    return menu;
}

void View::setRun(RunPtr run) {
    m_run = std::move(run);
    refresh();
}

void View::setFrames(FramePtr base, FramePtr tuned) {
    m_base = std::move(base);
    m_tuned = std::move(tuned);
    refresh();
}

void View::setPartitions(CommunitiesPtr communities) {
    m_communities = std::move(communities);
    refresh();
}

QAbstractTableModel* View::table() {
    if (m_tableStale) {
        m_tableStale = false;
        m_table->setRows(tableRows());
    }
    return m_table;
}

QString View::csv() const {
    ValueTable now;
    now.setRows(tableRows());
    return now.csv();
}

QSizeF View::pictureSize() const {
    const QSize shown = m_stack->size();
    return isVisible() ? QSizeF(shown.expandedTo({480, 320})) : QSizeF(1120, 680);
}

QString View::pictureTitle() const {
    return m_run ? title() + QStringLiteral(" \u00b7 ") + QString::fromStdString(m_run->info.name)
                 : title();
}

QString View::readOut() const {
    return m_readOut;
}

bool View::isEmpty() const {
    return m_stack->currentWidget() == m_empty;
}

const ThemeColors& View::colors() const {
    return m_paintTheme ? themeColors(*m_paintTheme) : themeColors(*this);
}

void View::selectionChanged(const Selection&, const Selection&) {
    refresh();
}

void View::addControl(QWidget* control) {
    m_controls->addWidget(control);
}

void View::addEndControl(QWidget* control) {
    auto* row = static_cast<QHBoxLayout*>(m_endControls->layout());
    row->insertWidget(row->count() - 3, control);
}

void View::setContent(QWidget* content) {
    m_stack->addWidget(content);
}

void View::showContent() {
    m_stack->setCurrentIndex(m_stack->count() - 1);
}

void View::showEmpty(
    const QString& headline, const QString& sentence, const QString& button, ViewAction action) {
    m_empty->setTexts(headline, sentence, button);
    m_empty->disconnect(this);
    connect(
        m_empty, &EmptyState::activated, this, [this, action] { Q_EMIT actionRequested(action); });
    m_stack->setCurrentWidget(m_empty);
}

void View::contentChanged() {
    m_tableStale = true;
    setAccessibleName(title());
    // Only a visible table is refilled.
    if (findChild<TableWindow*>())
        table();
    setReadOut(m_readOut);
}

void View::setReadOut(const QString& text) {
    m_caption->setText(text.isEmpty() ? explanation() : text, text.isEmpty());
    if (text == m_readOut)
        return;
    m_readOut = text;
    Q_EMIT readOutChanged(text);
}

void View::showTable() {
    auto* window = findChild<TableWindow*>();
    if (!window)
        window = new TableWindow(table(), tr("%1: table").arg(title()), this);
    window->show();
    window->raise();
    window->activateWindow();
}

void View::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

void View::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("&Copy"), this, &View::copy);
    menu.addAction(tr("&Table"), this, &View::showTable);
    menu.addSeparator();
    for (const char* ending : {"png", "svg", "pdf", "csv"}) {
        const QString text = tr("Export %1...").arg(QString::fromLatin1(ending).toUpper());
        menu.addAction(text, this, [this, ending] { chooseExport(QString::fromLatin1(ending)); });
    }
    menu.exec(event->globalPos());
}

} // namespace mooring
