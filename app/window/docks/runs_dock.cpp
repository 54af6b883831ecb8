// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/docks/runs_dock.h"
#include "app/window/base/texts.h"
#include "app/window/session/run_session.h"
#include "widgets/style/theme.h"
#include <QDesktopServices>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QUrl>
#include <QVBoxLayout>
#include <limits>

namespace mooring {
namespace {

constexpr int kSnapshots = 1; // the second part of the list
constexpr int kPathRole = Qt::UserRole + 1;
constexpr int kSessionRole = Qt::UserRole + 2; // index into the list of sessions

QIcon dotIcon(const QColor& color, bool ring) {
    QPixmap pixmap(32, 32);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 5));
    painter.setBrush(ring ? QBrush(Qt::NoBrush) : QBrush(color));
    painter.drawEllipse(QRectF(8, 8, 16, 16));
    painter.end();
    pixmap.setDevicePixelRatio(2);
    QIcon icon(pixmap);
    icon.addPixmap(pixmap, QIcon::Selected); // else it would be tinted
    return icon;
}

std::int64_t lastStep(const RunSession& session) {
    const auto& record = session.record();
    return record ? record->lastStep : 0;
}

QString stateOf(const RunSession& session) {
    if (session.isOwn() && !session.record())
        return RunsDock::tr("starting");
    if (!session.record() || session.isSnapshot())
        return {};
    if (!session.failure().isEmpty())
        return RunsDock::tr("failed");
    return stateText(session.record()->info, lastStep(session));
}

// Its folder and, for a fork, its parent.
QString placeOf(const RunSession& session) {
    const auto& record = session.record();
    if (!record || record->info.parentRun.empty())
        return session.folder();
    return RunsDock::tr("%1\nFork of %2 at step %3")
        .arg(session.folder(), QString::fromStdString(record->info.parentRun))
        .arg(record->info.parentStep);
}

// The pooled row at or before a step, or the row of the only domain.
const RetentionRow* retentionAt(const RunRecord& record, std::int64_t step) {
    const RetentionRow* found = nullptr;
    for (const RetentionRow& row : record.retention) {
        if (step >= 0 && row.step > step)
            break;
        if (!found || row.step > found->step || row.domain == "pooled")
            found = &row;
    }
    return found;
}

} // namespace

RunsDock::RunsDock(QWidget* parent)
    : QWidget(parent)
    , m_tree(new QTreeWidget(this))
    , m_retentionTitle(new QLabel(this))
    , m_retention(new QWidget(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 4, 8);
    column->setSpacing(4);
    m_tree->setColumnCount(2);
    m_tree->setHeaderHidden(true);
    m_tree->setRootIsDecorated(false);
    m_tree->setIndentation(10);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->setAccessibleName(tr("Runs and snapshots"));
    m_tree->viewport()->setBackgroundRole(QPalette::Window);
    m_tree->setIconSize({14, 14});
    updatePalette();
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    column->addWidget(m_tree, 1);
    buildRetention();
    connect(m_tree, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (RunSession* session = sessionOf(item); session && !m_filling)
            Q_EMIT chosen(session);
    });
    connect(m_tree, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        if (const QString path = item->data(0, kPathRole).toString(); !path.isEmpty())
            Q_EMIT pathChosen(path);
    });
    connect(m_tree, &QTreeWidget::itemChanged, this, [this] {
        if (!m_filling)
            Q_EMIT overlaysChanged();
    });
    connect(m_tree, &QTreeWidget::customContextMenuRequested, this, &RunsDock::showMenu);
}

// A quiet selection that leaves the run's dot in its color.
void RunsDock::updatePalette() {
    const ThemeColors& c = themeColors(*this);
    QPalette quiet = palette();
    for (const auto group : {QPalette::Active, QPalette::Inactive}) {
        quiet.setColor(group, QPalette::Highlight, c.chosen);
        quiet.setColor(group, QPalette::HighlightedText, c.text);
    }
    m_tree->setPalette(quiet);
}

void RunsDock::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    updatePalette();
    setSessions(m_sessions, m_shown); // rows keep the colors they were made with
}

void RunsDock::buildRetention() {
    auto* form = new QFormLayout(m_retention);
    form->setContentsMargins(4, 0, 8, 0);
    form->setVerticalSpacing(3);
    for (const QString& title :
        {tr("overlap"), tr("TVD"), tr("JSD"), tr("NMI"), tr("Q (base)"), tr("router drift")}) {
        auto* value = new QLabel(m_retention);
        value->setAlignment(Qt::AlignRight);
        value->setFont(numberFont(font()));
        form->addRow(title, value);
        m_values.push_back(value);
    }
    m_retentionTitle->setContentsMargins(4, 0, 8, 0);
    m_retentionTitle->setFont(smallFont(font()));
    m_retentionTitle->setForegroundRole(QPalette::PlaceholderText);
    layout()->addWidget(m_retentionTitle);
    layout()->addWidget(m_retention);
    showRetention(nullptr, -1);
}

QTreeWidgetItem* RunsDock::addSection(const QString& title) {
    auto* section = new QTreeWidgetItem(m_tree, {title});
    section->setFlags(Qt::ItemIsEnabled);
    section->setFont(0, smallFont(font()));
    section->setForeground(0, palette().color(QPalette::PlaceholderText));
    section->setFirstColumnSpanned(true);
    section->setSizeHint(0, {0, fontMetrics().height() + 12});
    return section;
}

QTreeWidgetItem* RunsDock::addSession(QTreeWidgetItem* under, RunSession* session) {
    auto* item = new QTreeWidgetItem(under, {session->name(), stateOf(*session)});
    const auto at = std::find(m_sessions.begin(), m_sessions.end(), session) - m_sessions.begin();
    item->setData(0, kSessionRole, static_cast<int>(at));
    item->setIcon(0, dotIcon(runColor(session->colorIndex), session->isSnapshot()));
    const QString place = placeOf(*session);
    item->setToolTip(0, place);
    item->setForeground(1, palette().color(QPalette::PlaceholderText));
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setSizeHint(0, {0, fontMetrics().height() + 8});
    if (session == m_shown)
        m_tree->setCurrentItem(item);
    else {
        item->setCheckState(0, Qt::Unchecked);
        item->setToolTip(
            0, tr("%1\nCheck it to overlay it on the shown run in Overview.").arg(place));
    }
    return item;
}

RunSession* RunsDock::parentOf(const RunSession* session) const {
    if (!session->record() || session->isSnapshot() || session->record()->info.parentRun.empty())
        return nullptr;
    const QString folder = QString::fromStdString(session->record()->info.parentRun);
    for (RunSession* each : m_sessions)
        if (each != session && !each->isSnapshot() && QDir::cleanPath(each->folder()) == folder)
            return each;
    return nullptr;
}

// The open forks of `parent` (null: runs that are not forks), each with its own forks below it.
void RunsDock::addFamily(
    QTreeWidgetItem* under, RunSession* parent, const std::vector<RunSession*>& all) {
    for (RunSession* session : all)
        if (!session->isSnapshot() && parentOf(session) == parent)
            addFamily(addSession(under, session), session, all);
}

// Snapshots in the shown run's folder; a double click opens them.
void RunsDock::addKeptSnapshots(QTreeWidgetItem* section) {
    if (!m_shown)
        return;
    for (const QString& path : m_shown->snapshots()) {
        auto* item = new QTreeWidgetItem(section, {QFileInfo(path).fileName()});
        item->setData(0, kPathRole, path);
        item->setToolTip(0, tr("Double-click or press Enter to open %1").arg(path));
        item->setForeground(0, palette().color(QPalette::PlaceholderText));
    }
}

void RunsDock::setSessions(const std::vector<RunSession*>& sessions, RunSession* shown) {
    const std::vector<RunSession*> ticked = overlays();
    m_filling = true;
    m_sessions = sessions;
    m_shown = shown;
    m_tree->clear();
    QTreeWidgetItem* runs = addSection(tr("RUNS"));
    QTreeWidgetItem* snapshots = addSection(tr("SNAPSHOTS"));
    addFamily(runs, nullptr, sessions);
    for (RunSession* session : sessions)
        if (session->isSnapshot())
            addSession(snapshots, session);
    addKeptSnapshots(snapshots);
    m_tree->expandAll();
    for (QTreeWidgetItem* section : {runs, snapshots})
        section->setHidden(section->childCount() == 0);
    for (QTreeWidgetItemIterator it(m_tree); *it; ++it) {
        RunSession* session = sessionOf(*it);
        const bool was = std::find(ticked.begin(), ticked.end(), session) != ticked.end();
        if (session && session != shown)
            (*it)->setCheckState(0, was ? Qt::Checked : Qt::Unchecked);
    }
    m_filling = false;
}

RunSession* RunsDock::sessionOf(const QTreeWidgetItem* item) const {
    const QVariant at = item ? item->data(0, kSessionRole) : QVariant();
    return at.isValid() && at.toInt() < static_cast<int>(m_sessions.size()) ? m_sessions[at.toInt()]
                                                                            : nullptr;
}

bool RunsDock::updateSession(RunSession* session) {
    QTreeWidgetItem* item = itemOf(session);
    if (!item)
        return true;
    m_filling = true;
    item->setText(0, session->name());
    item->setText(1, stateOf(*session));
    m_filling = false;
    const QTreeWidgetItem* section = item;
    while (section->parent())
        section = section->parent();
    return (section == m_tree->topLevelItem(kSnapshots)) == session->isSnapshot()
        && sessionOf(item->parent()) == parentOf(session);
}

QTreeWidgetItem* RunsDock::itemOf(const RunSession* session) const {
    for (QTreeWidgetItemIterator it(m_tree); *it; ++it)
        if (sessionOf(*it) == session)
            return *it;
    return nullptr;
}

std::vector<RunSession*> RunsDock::overlays() const {
    std::vector<RunSession*> found;
    for (QTreeWidgetItemIterator it(m_tree); *it; ++it) {
        RunSession* session = sessionOf(*it);
        if (session && session != m_shown && (*it)->checkState(0) == Qt::Checked)
            found.push_back(session);
    }
    return found;
}

void RunsDock::showMenu(const QPoint& at) {
    RunSession* session = sessionOf(m_tree->itemAt(at));
    if (!session)
        return;
    QMenu menu(this);
    if (!session->folder().isEmpty())
        menu.addAction(tr("Show the &folder"), this, [folder = session->folder()] {
            QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
        });
    if (session->canResume())
        menu.addAction(tr("&Resume from the last checkpoint"), this,
            [this, session] { Q_EMIT resumeWanted(session); });
    if (session->record() && !session->isSnapshot())
        menu.addAction(tr("&Fork..."), this, [this, session] { Q_EMIT forkWanted(session); });
    QAction* close
        = menu.addAction(tr("&Close"), this, [this, session] { Q_EMIT closeWanted(session); });
    close->setEnabled(!session->isOwn());
    if (session->isOwn())
        close->setToolTip(tr("It is training; stop it first."));
    menu.exec(m_tree->viewport()->mapToGlobal(at));
}

void RunsDock::showRetention(const RunSession* session, std::int64_t step) {
    const RetentionRow* row
        = session && session->record() ? retentionAt(*session->record(), step) : nullptr;
    m_retention->setVisible(row != nullptr);
    m_retentionTitle->setVisible(row != nullptr);
    if (!row)
        return;
    m_retentionTitle->setText(tr("RETENTION AT STEP %1").arg(row->step));
    const RetentionValues& mean = row->mean;
    const QString values[] = {formatNumber(mean.overlap), formatNumber(mean.tvd),
        tr("%1 nats").arg(formatNumber(mean.jsd)), formatNumber(mean.nmi),
        tr("%1 (%2)").arg(formatNumber(mean.q), formatNumber(mean.qBase)),
        formatNumber(mean.drift)};
    for (std::size_t i = 0; i < m_values.size(); ++i)
        m_values[i]->setText(values[i]);
    m_retention->setToolTip(
        tr("Means over layers on the probe domain %1, compared with the frozen base")
            .arg(QString::fromStdString(row->domain)));
}

} // namespace mooring
