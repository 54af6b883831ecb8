// SPDX-License-Identifier: GPL-3.0-or-later
// A small, quiet dock title; moving, floating and closing work as usual.
#pragma once
#include <QWidget>

class QDockWidget;
class QLabel;

namespace mooring {

class DockTitle : public QWidget {
    Q_OBJECT
public:
    explicit DockTitle(QDockWidget* dock);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {40, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QDockWidget* m_dock;
    QLabel* m_text;
};

} // namespace mooring
