// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/command_palette.h"
#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QTimer>
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
    , m_list(new QListWidget(this)) {
    setWindowTitle(tr("Commands"));
    setModal(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    m_words->setPlaceholderText(tr("Type a few letters of a command"));
    m_words->setAccessibleName(tr("Search for a command"));
    m_words->installEventFilter(this);
    m_list->setAccessibleName(tr("Commands found"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    column->addWidget(m_words);
    column->addWidget(m_list);
    connect(m_words, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
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
    for (int i = 0; i < m_list->count(); ++i)
        texts.append(m_list->item(i)->text());
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
        auto* item = new QListWidgetItem(
            keys.isEmpty() ? text : text + QStringLiteral("      ") + keys, m_list);
        item->setData(Qt::UserRole, i);
        item->setToolTip(action.toolTip());
        if (!action.isEnabled())
            item->setFlags(Qt::NoItemFlags);
    }
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->flags() & Qt::ItemIsEnabled) {
            m_list->setCurrentRow(row);
            break;
        }
}

void CommandPalette::run() {
    const QListWidgetItem* item = m_list->currentItem();
    if (!item || !(item->flags() & Qt::ItemIsEnabled))
        return;
    const QPointer<QAction> action = m_actions[item->data(Qt::UserRole).toInt()];
    accept();
    // After the palette is gone: the action may open something itself.
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
            const int move = key->key() == Qt::Key_Up ? -1 : 1;
            const int row = m_list->currentRow() + move;
            if (row >= 0 && row < m_list->count())
                m_list->setCurrentRow(row);
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
