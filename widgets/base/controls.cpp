// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/controls.h"
#include "widgets/style/theme.h"
#include <QActionGroup>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>

namespace mooring {
namespace {

constexpr int kControlHeight = 26;
constexpr qreal kRadius = 4;

QString withoutMnemonic(QString text) {
    return text.remove(QLatin1Char('&'));
}

void drawFocus(QPainter& painter, const QRectF& area, const ThemeColors& colors) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors.accent, 1.5));
    painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), kRadius - 1, kRadius - 1);
}

// One choice of a SegmentedControl.
class Segment : public QAbstractButton {
public:
    using QAbstractButton::QAbstractButton;

    QSize sizeHint() const override {
        const int width = fontMetrics().horizontalAdvance(withoutMnemonic(text()))
            + fontMetrics().averageCharWidth();
        return {width + 14, kControlHeight};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const ThemeColors& c = themeColors(*this);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QColor back = isChecked() ? c.chosen : c.raised;
        if (!isEnabled())
            back = c.window;
        painter.setPen(Qt::NoPen);
        painter.setBrush(underMouse() && isEnabled() && !isChecked() ? c.grid : back);
        painter.drawRect(rect());
        if (hasFocus())
            drawFocus(painter, rect(), c);
        QColor ink = isChecked() ? c.text : c.mutedText;
        if (!isEnabled())
            ink.setAlpha(130);
        painter.setPen(ink);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextShowMnemonic, text());
    }
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }
};

} // namespace

SegmentedControl::SegmentedControl(const QString& accessibleName, QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
    , m_group(new QButtonGroup(this)) {
    setAccessibleName(accessibleName);
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(1);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on)
            Q_EMIT chosen(id);
    });
}

int SegmentedControl::addSegment(const QString& text, const QString& tip) {
    const int index = static_cast<int>(m_tips.size());
    auto* segment = new Segment(this);
    segment->setText(text);
    segment->setCheckable(true);
    segment->setFocusPolicy(Qt::TabFocus);
    segment->setToolTip(tip);
    segment->setAccessibleName(accessibleName() + QStringLiteral(": ") + withoutMnemonic(text));
    m_tips.append(tip);
    m_row->addWidget(segment);
    if (index == 0)
        segment->setChecked(true); // before it joins the group: not a user choice
    m_group->addButton(segment, index);
    return index;
}

int SegmentedControl::current() const {
    return m_group->checkedId();
}

void SegmentedControl::setCurrent(int index) {
    if (QAbstractButton* button = m_group->button(index))
        button->setChecked(true);
}

void SegmentedControl::setSegmentEnabled(int index, bool enabled, const QString& why) {
    QAbstractButton* button = m_group->button(index);
    if (!button)
        return;
    button->setEnabled(enabled);
    button->setToolTip(enabled || why.isEmpty() ? m_tips.value(index) : why);
}

ChoiceButton::ChoiceButton(const QString& label, QWidget* parent)
    : QAbstractButton(parent)
    , m_menu(new QMenu(this)) {
    setText(label);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(this, &QAbstractButton::clicked, this, &ChoiceButton::openMenu);
    updateNames();
}

void ChoiceButton::setChoices(const QStringList& choices) {
    if (choices == m_choices)
        return;
    const QString kept = currentText();
    m_choices = choices;
    m_menu->clear();
    m_actions.clear();
    auto* group = new QActionGroup(m_menu);
    for (int i = 0; i < choices.size(); ++i) {
        QAction* action = m_menu->addAction(choices[i]);
        action->setCheckable(true);
        group->addAction(action);
        m_actions.append(action);
        connect(action, &QAction::triggered, this, [this, i] { setCurrent(i); });
    }
    m_menu->setToolTipsVisible(true);
    m_current = choices.isEmpty() ? -1 : std::max(0, static_cast<int>(choices.indexOf(kept)));
    updateNames();
    updateGeometry();
    update();
}

void ChoiceButton::setChoiceEnabled(int index, bool enabled, const QString& why) {
    if (QAction* action = m_actions.value(index)) {
        action->setEnabled(enabled);
        action->setToolTip(enabled ? QString() : why);
    }
}

void ChoiceButton::setCurrent(int index) {
    if (index == m_current || index < 0 || index >= m_choices.size())
        return;
    m_current = index;
    updateNames();
    updateGeometry();
    update();
    Q_EMIT chosen(index);
}

void ChoiceButton::updateNames() {
    if (QAction* action = m_actions.value(m_current))
        action->setChecked(true);
    setAccessibleName(withoutMnemonic(text()) + QStringLiteral(": ") + currentText());
}

void ChoiceButton::openMenu() {
    m_menu->popup(mapToGlobal(QPoint(0, height() + 2)));
}

QSize ChoiceButton::sizeHint() const {
    const QFontMetrics strong(strongFont(font()));
    int width = fontMetrics().horizontalAdvance(withoutMnemonic(text()) + QLatin1Char(' '));
    width += strong.horizontalAdvance(currentText());
    return {width + 28, kControlHeight};
}

void ChoiceButton::paintEvent(QPaintEvent*) {
    const ThemeColors& c = themeColors(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() && isEnabled()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(c.raised);
        painter.drawRoundedRect(rect(), kRadius, kRadius);
    }
    if (hasFocus())
        drawFocus(painter, rect(), c);
    QRect area = rect().adjusted(6, 0, 0, 0);
    painter.setPen(c.mutedText);
    painter.drawText(area, Qt::AlignVCenter | Qt::TextShowMnemonic, text());
    area.setLeft(
        area.left() + fontMetrics().horizontalAdvance(withoutMnemonic(text()) + QLatin1Char(' ')));
    painter.setFont(strongFont(font()));
    painter.setPen(isEnabled() ? c.text : c.mutedText);
    painter.drawText(area, Qt::AlignVCenter, currentText());
    const QPointF tip(width() - 11, height() / 2.0 + 2);
    painter.setPen(QPen(c.mutedText, 1.3));
    painter.drawPolyline(QPolygonF({tip + QPointF(-3.5, -3.5), tip, tip + QPointF(3.5, -3.5)}));
}

void ChoiceButton::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Down && !(event->modifiers() & Qt::AltModifier))
        setCurrent(m_current + 1);
    else if (event->key() == Qt::Key_Up)
        setCurrent(m_current - 1);
    else if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Return)
        openMenu();
    else
        QAbstractButton::keyPressEvent(event);
}

void ChoiceButton::enterEvent(QEnterEvent*) {
    update();
}
void ChoiceButton::leaveEvent(QEvent*) {
    update();
}

Caption::Caption(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void Caption::setText(const QString& text, bool quiet) {
    if (text == m_text && quiet == m_quiet)
        return;
    m_text = text;
    m_quiet = quiet;
    setAccessibleName(text);
    update();
}

QSize Caption::sizeHint() const {
    return {100, fontMetrics().height() + 10};
}

void Caption::paintEvent(QPaintEvent*) {
    const ThemeColors& c = themeColors(*this);
    QPainter painter(this);
    painter.setFont(numberFont(font()));
    painter.setPen(m_quiet ? c.mutedText : c.text);
    const QRect line = rect().adjusted(16, 0, -16, 0);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(painter.font()).elidedText(m_text, Qt::ElideRight, line.width()));
}

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent)
    , m_headline(new QLabel(this))
    , m_sentence(new QLabel(this))
    , m_button(new QPushButton(this)) {
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    m_headline->setFont(large);
    m_sentence->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setMaximumWidth(460);
    m_sentence->setForegroundRole(QPalette::PlaceholderText);
    m_button->setDefault(true); // drawn as the primary action
    auto* column = new QVBoxLayout(this);
    column->setSpacing(12);
    column->addStretch(2);
    column->addWidget(m_headline, 0, Qt::AlignCenter);
    column->addWidget(m_sentence, 0, Qt::AlignCenter);
    column->addWidget(m_button, 0, Qt::AlignCenter);
    column->addStretch(3);
    connect(m_button, &QPushButton::clicked, this, &EmptyState::activated);
}

void EmptyState::setTexts(const QString& headline, const QString& sentence, const QString& button) {
    m_headline->setText(headline);
    m_sentence->setText(sentence);
    m_sentence->setFixedWidth(std::min(460, fontMetrics().horizontalAdvance(sentence) + 16));
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
}

} // namespace mooring
