// SPDX-License-Identifier: GPL-3.0-or-later
// The small controls that views share.
#pragma once
#include <QAbstractButton>
#include <QList>
#include <QWidget>

class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;

namespace mooring {

// A segmented control: a few choices side by side. Arrow keys move the selection.
class SegmentedControl : public QWidget {
    Q_OBJECT
public:
    explicit SegmentedControl(const QString& accessibleName, QWidget* parent = nullptr);

    int addSegment(const QString& text, const QString& tip = {}); // text may hold a mnemonic
    int current() const;
    void setCurrent(int index); // emits chosen() if it differs
    // A disabled segment says why in its tooltip.
    void setSegmentEnabled(int index, bool enabled, const QString& why = {});

Q_SIGNALS:
    void chosen(int index);

private:
    QHBoxLayout* m_row;
    QButtonGroup* m_group;
    QStringList m_tips;
};

// "domain code": a quiet label with the chosen value, which opens a menu.
class ChoiceButton : public QAbstractButton {
    Q_OBJECT
public:
    explicit ChoiceButton(const QString& label, QWidget* parent = nullptr); // label with mnemonic

    void setChoices(const QStringList& choices); // keeps the chosen text if it is still offered
    void setChoiceEnabled(int index, bool enabled, const QString& why = {});
    int count() const { return static_cast<int>(m_choices.size()); }
    int current() const { return m_current; }
    QString currentText() const { return m_choices.value(m_current); }
    void setCurrent(int index); // emits chosen() if it differs
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void openMenu();
    void updateNames();
    QStringList m_choices;
    QList<QAction*> m_actions;
    QMenu* m_menu;
    int m_current = -1;
};

// One line, elided at the widget's edge. A new text never moves the layout, since it may change
// with every mouse move.
class Caption : public QWidget {
    Q_OBJECT
public:
    explicit Caption(QWidget* parent = nullptr);
    void setText(const QString& text, bool quiet);
    QString text() const { return m_text; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
    bool m_quiet = true;
};

// Says what to do next and offers it as a button.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    explicit EmptyState(QWidget* parent = nullptr);
    void setTexts(const QString& headline, const QString& sentence, const QString& button);

Q_SIGNALS:
    void activated();

private:
    QLabel* m_headline;
    QLabel* m_sentence;
    QPushButton* m_button;
};

} // namespace mooring
