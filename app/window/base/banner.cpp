// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/base/banner.h"
#include "widgets/style/theme.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace mooring {

Banner::Banner(QWidget* parent)
    : QFrame(parent)
    , m_text(new QLabel(this))
    , m_button(new QPushButton(this))
    , m_close(new QToolButton(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 6, 8, 6);
    row->setSpacing(12);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(m_text, 1);
    row->addWidget(m_button);
    m_close->setText(QStringLiteral("\u00d7"));
    m_close->setToolTip(tr("Dismiss"));
    m_close->setAccessibleName(tr("Dismiss this message"));
    m_close->setAutoRaise(true);
    row->addWidget(m_close);
    connect(m_close, &QToolButton::clicked, this, &Banner::clear);
    connect(m_button, &QPushButton::clicked, this, [this] {
        const auto act = m_act; // the action may show a message itself
        clear();
        act();
    });
    clear();
}

void Banner::tell(Kind kind, const QString& sentence) {
    tell(kind, sentence, {});
}

void Banner::tell(Kind kind, const QString& sentence, Mend mend) {
    m_kind = kind;
    m_text->setText(sentence);
    m_button->setText(mend.text);
    m_button->setVisible(!mend.text.isEmpty());
    m_act = std::move(mend.act);
    setAccessibleName(sentence);
    show();
    update();
}

void Banner::tell(const Error& error) {
    if (error.code != ErrorCode::Interrupted)
        tell(Kind::Error, QString::fromStdString(error.message()));
}

void Banner::clear() {
    m_text->clear();
    hide();
}

QString Banner::text() const {
    return m_text->text();
}

void Banner::paintEvent(QPaintEvent*) {
    const ThemeColors& c = themeColors(*this);
    const QColor mark = m_kind == Kind::Error ? c.error
        : m_kind == Kind::Warning             ? c.warning
                                              : c.accent;
    QPainter painter(this);
    QColor tint = mark;
    tint.setAlpha(c.kind == ThemeKind::Dark ? 40 : 28);
    painter.fillRect(rect(), c.window);
    painter.fillRect(rect(), tint);
    painter.fillRect(QRect(0, 0, 4, height()), mark);
    painter.fillRect(QRect(0, height() - 1, width(), 1), c.border);
}

} // namespace mooring
