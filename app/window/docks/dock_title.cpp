// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/docks/dock_title.h"
#include "widgets/style/theme.h"
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace mooring {

DockTitle::DockTitle(QDockWidget* dock)
    : QWidget(dock)
    , m_dock(dock)
    , m_text(new QLabel(dock->windowTitle(), this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 2, 4, 2);
    row->setSpacing(0);
    m_text->setFont(smallFont(font()));
    m_text->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(m_text, 1);
    const auto add = [this, row](const QString& text, const QString& tip) {
        auto* button = new QToolButton(this);
        button->setText(text);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::NoFocus); // keyboard users have the View menu
        button->setFixedSize(20, 18);
        button->setFont(smallFont(font()));
        row->addWidget(button);
        return button;
    };
    QToolButton* floating = add(QStringLiteral("\u2197"), tr("Float %1").arg(dock->windowTitle()));
    QToolButton* close = add(QStringLiteral("\u00d7"), tr("Close %1").arg(dock->windowTitle()));
    connect(
        floating, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    connect(close, &QToolButton::clicked, dock, &QWidget::close);
}

QSize DockTitle::sizeHint() const {
    return layout()->sizeHint().expandedTo({80, 22});
}

void DockTitle::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), palette().color(QPalette::Window));
}

} // namespace mooring
