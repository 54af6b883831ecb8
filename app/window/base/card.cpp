// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/base/card.h"
#include "widgets/style/theme.h"
#include <QKeyEvent>
#include <QPainter>

namespace mooring {

Card::Card(const QString& title, const QString& sentence, QWidget* parent)
    : QAbstractButton(parent)
    , m_sentence(sentence) {
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(sentence);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Card::paintEvent(QPaintEvent*) {
    const ThemeColors& c = themeColors(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool lifted = underMouse() || isDown();
    const QColor edge = hasFocus() || lifted ? c.accent : c.grid;
    painter.setPen(QPen(edge, hasFocus() ? 2 : 1));
    painter.setBrush(lifted ? c.raised : c.canvas);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    const QRect inside = rect().adjusted(18, 16, -18, -14);
    QFont title = strongFont(font());
    title.setPointSizeF(title.pointSizeF() * 1.15);
    painter.setFont(title);
    painter.setPen(c.text);
    QRect used;
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text(), &used);
    painter.setFont(font());
    painter.setPen(c.mutedText);
    painter.drawText(inside.adjusted(0, used.height() + 8, 0, 0),
        Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_sentence);
}

void Card::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void Card::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

void Card::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

} // namespace mooring
