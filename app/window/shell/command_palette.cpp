// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/command_palette.h"
#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace mooring {
namespace {

// All words occur, in any order.
bool matches(const QString& text, const QStringList& words) {
    for (const QString& word : words)
        if (!text.contains(word, Qt::CaseInsensitive))
            return false;
    return true;
}

} // namespace

QString plainText(const QAction& action) {
    QString text = action.text();
    text.remove(QLatin1Char('&'));
    if (text.endsWith(QLatin1String("...")))
        text.chop(3);
    return text;
}

CommandPalette::CommandPalette(QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint)
    , m_words(new QLineEdit(this))
    , m_list(new QTreeWidget(this)) {
    setWindowTitle(tr("Commands"));
    setModal(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    m_words->setPlaceholderText(tr("Type part of a command"));
    m_words->setAccessibleName(tr("Search for a command"));
    m_words->installEventFilter(this);
    m_list->setAccessibleName(tr("Commands found"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setColumnCount(2);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    column->addWidget(m_words);
    column->addWidget(m_list);
    connect(m_words, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QTreeWidget::itemClicked, this, &CommandPalette::run);
}

void CommandPalette::open(const QList<QAction*>& actions) {
    m_actions = actions;
    m_words->clear();
    filter({});
    const QWidget* window = parentWidget();
    resize(480, 380);
    move(window->mapToGlobal(QPoint((window->width() - width()) / 2, 80)));
    QDialog::open();
    m_words->setFocus();
}

QStringList CommandPalette::shownTexts() const {
    QStringList texts;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        texts.append(m_list->topLevelItem(i)->text(0));
    return texts;
}

void CommandPalette::filter(const QString& words) {
    const QStringList parts = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    m_list->clear();
    for (int i = 0; i < m_actions.size(); ++i) {
        const QAction& action = *m_actions[i];
        const QString text = plainText(action);
        if (!matches(text, parts))
            continue;
        const QString keys = action.shortcut().toString(QKeySequence::NativeText);
        auto* item = new QTreeWidgetItem(m_list, {text, keys});
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setData(0, Qt::UserRole, i);
        item->setToolTip(0, action.toolTip());
        if (!action.isEnabled())
            item->setFlags(Qt::NoItemFlags);
        else if (!m_list->currentItem())
            m_list->setCurrentItem(item);
    }
}

void CommandPalette::run() {
    const QTreeWidgetItem* item = m_list->currentItem();
    if (!item || !(item->flags() & Qt::ItemIsEnabled))
        return;
    const QPointer<QAction> action = m_actions[item->data(0, Qt::UserRole).toInt()];
    accept();
    // After the palette has closed, since the action may open something itself.
    QTimer::singleShot(0, this, [action] {
        if (action)
            action->trigger();
    });
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        switch (key->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down: {
            QTreeWidgetItem* current = m_list->currentItem();
            QTreeWidgetItem* next = !current ? m_list->topLevelItem(0)
                : key->key() == Qt::Key_Up   ? m_list->itemAbove(current)
                                             : m_list->itemBelow(current);
            if (next)
                m_list->setCurrentItem(next);
            return true;
        }
        case Qt::Key_Return:
        case Qt::Key_Enter:
            run();
            return true;
        default:
            break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace mooring
