// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/figure_list.h"
#include "widgets/style/theme.h"
#include <QGridLayout>
#include <QLabel>

namespace mooring {

FigureList::FigureList(const QString& accessibleName, QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this)) {
    setAccessibleName(accessibleName);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnStretch(0, 1);
}

void FigureList::setFigures(const std::vector<Figure>& figures) {
    if (figures == m_figures)
        return; // a selected figure stays selected
    m_figures = figures;
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    const auto add = [this](const QString& text, const QString& tip) {
        auto* label = new QLabel(text, this);
        label->setTextFormat(Qt::PlainText);
        label->setToolTip(tip);
        label->show(); // also if no event loop runs before a picture is taken
        return label;
    };
    for (int row = 0; row < static_cast<int>(figures.size()); ++row) {
        const Figure& figure = figures[static_cast<std::size_t>(row)];
        QLabel* name = add(figure.name, figure.tip);
        name->setWordWrap(true);
        if (figure.value.isEmpty()) {
            name->setForegroundRole(QPalette::PlaceholderText);
            m_grid->addWidget(name, row, 0, 1, 2);
            continue;
        }
        QLabel* value = add(figure.value, figure.tip);
        value->setFont(numberFont(font()));
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        value->setAccessibleName(figure.name + QLatin1Char(' ') + figure.value);
        m_grid->addWidget(name, row, 0, Qt::AlignTop);
        m_grid->addWidget(value, row, 1, Qt::AlignTop | Qt::AlignRight);
    }
}

} // namespace mooring
