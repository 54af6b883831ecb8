// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as dots, one metric against another, side by side. Arrow keys go from dot to dot, Enter
// opens the run.
#pragma once
#include "widgets/base/read_out.h"
#include "widgets/charts/scatter_data.h"
#include <QWidget>
#include <optional>

namespace mooring {

class ScatterCanvas : public QWidget {
    Q_OBJECT
public:
    explicit ScatterCanvas(QWidget* parent = nullptr);

    // Pairs of metrics (x, y), one panel each.
    using Axes = std::vector<std::pair<std::string, std::string>>;
    void setTable(ComparedTablePtr table, const Axes& axes);
    void setHighlighted(int row); // the others are dimmed; -1: none
    int highlighted() const { return m_highlighted; }
    void paintInto(QPainter& painter, const QRectF& area, const ThemeColors& colors) const;

    int panels() const { return static_cast<int>(m_panels.size()); }
    const ScatterPanel& panel(int index) const { return m_panels[static_cast<std::size_t>(index)]; }
    QPointF placeOf(int panel, double x, double y) const; // on the screen
    QSize sizeHint() const override { return {900, 380}; }

Q_SIGNALS:
    void hovered(const QString& readOut); // empty: nothing
    void rowChosen(int row); // by a click; -1: beside all of them
    void runActivated(int run);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Focus {
        int panel = 0;
        int dot = 0; // below 0: ~index of a cross
        bool operator==(const Focus&) const = default;
    };
    std::vector<QRectF> panelRects(const QRectF& area) const;
    static QPointF place(const ScatterPanel& panel, const QRectF& plot, double x, double y);
    void paintPanel(QPainter& painter, const ScatterPanel& panel, const QRectF& plot,
        const ThemeColors& colors) const;
    void paintAxes(QPainter& painter, const ScatterPanel& panel, const QRectF& plot,
        const ThemeColors& colors) const;
    void paintDots(QPainter& painter, const ScatterPanel& panel, const QRectF& plot,
        const ThemeColors& colors) const;
    void paintCrosses(QPainter& painter, const ScatterPanel& panel, const QRectF& plot,
        const ThemeColors& colors) const;
    void paintLabels(QPainter& painter, const ScatterPanel& panel, const QRectF& plot,
        const ThemeColors& colors) const;
    QColor faded(QColor color, int row) const;
    std::optional<Focus> nearest(const QPointF& point) const;
    void setFocusDot(std::optional<Focus> focus);
    void moveFocus(int dx, int dy);
    QPointF placeOf(const Focus& focus) const;
    int rowOf(const Focus& focus) const;
    ReadOut readOutAt(const Focus& focus) const;

    ComparedTablePtr m_table = std::make_shared<const ComparedTable>();
    std::vector<ScatterPanel> m_panels;
    std::optional<Focus> m_focus;
    int m_highlighted = -1;
};

} // namespace mooring
