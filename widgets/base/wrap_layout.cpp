// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/wrap_layout.h"
#include <QWidget>

namespace mooring {

WrapLayout::WrapLayout(QWidget* parent, int spacing)
    : QLayout(parent) {
    setSpacing(spacing);
    setContentsMargins(0, 0, 0, 0);
}

WrapLayout::~WrapLayout() {
    while (QLayoutItem* item = takeAt(0))
        delete item;
}

void WrapLayout::setEndWidget(QWidget* widget) {
    m_end = widget;
    addWidget(widget);
}

void WrapLayout::addItem(QLayoutItem* item) {
    // The end widget stays last, whatever is added after it.
    if (m_end && !m_items.isEmpty() && m_items.last()->widget() == m_end)
        m_items.insert(m_items.size() - 1, item);
    else
        m_items.append(item);
}

int WrapLayout::count() const {
    return static_cast<int>(m_items.size());
}

QLayoutItem* WrapLayout::itemAt(int index) const {
    return m_items.value(index);
}

QLayoutItem* WrapLayout::takeAt(int index) {
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

int WrapLayout::heightForWidth(int width) const {
    return arrange({0, 0, width, 0}, false);
}

void WrapLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

QSize WrapLayout::sizeHint() const {
    QSize size;
    for (const QLayoutItem* item : m_items)
        if (!item->isEmpty())
            size = QSize(size.width() + item->sizeHint().width() + spacing(),
                std::max(size.height(), item->sizeHint().height()));
    return size.grownBy(contentsMargins());
}

QSize WrapLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem* item : m_items)
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    return size.grownBy(contentsMargins());
}

int WrapLayout::arrange(const QRect& rect, bool move) const {
    const QRect area = rect.marginsRemoved(contentsMargins());
    int x = area.left();
    int y = area.top();
    int rowHeight = 0;
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint();
        if (x > area.left() && x + size.width() > area.right() + 1) {
            x = area.left();
            y += rowHeight + spacing() / 2;
            rowHeight = 0;
        }
        if (m_end && item->widget() == m_end)
            x = std::max(x, area.right() + 1 - size.width());
        if (move)
            item->setGeometry({QPoint(x, y), size});
        x += size.width() + spacing();
        rowHeight = std::max(rowHeight, size.height());
    }
    const QMargins margins = contentsMargins();
    return y + rowHeight - rect.top() + margins.bottom();
}

} // namespace mooring
