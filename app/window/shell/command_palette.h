// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+K: find any action of the window by name.
#pragma once
#include <QDialog>
#include <QList>

class QAction;
class QLineEdit;
class QTreeWidget;

namespace mooring {

class CommandPalette : public QDialog {
    Q_OBJECT
public:
    explicit CommandPalette(QWidget* parent);
    void open(const QList<QAction*>& actions);
    QStringList shownTexts() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& words);
    void run();
    QLineEdit* m_words;
    QTreeWidget* m_list;
    QList<QAction*> m_actions;
};

// "&Start a run..." as people read it.
QString plainText(const QAction& action);

} // namespace mooring
