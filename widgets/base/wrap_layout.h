// SPDX-License-Identifier: GPL-3.0-or-later
// A row that wraps into more rows where its width ends, for view toolbars in narrow windows.
#pragma once
#include <QLayout>
#include <QList>

namespace mooring {

class WrapLayout : public QLayout {
    Q_OBJECT
public:
    explicit WrapLayout(QWidget* parent = nullptr, int spacing = 8);
    ~WrapLayout() override;

    // The last widget stays at the right end of its row.
    void setEndWidget(QWidget* widget);
    void addItem(QLayoutItem* item) override;
    int count() const override;
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    void setGeometry(const QRect& rect) override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;

private:
    int arrange(const QRect& rect, bool move) const;
    QList<QLayoutItem*> m_items;
    QWidget* m_end = nullptr;
};

} // namespace mooring
