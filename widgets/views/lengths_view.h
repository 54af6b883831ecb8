// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram of row lengths of a data set, with a mark at the maximum length.
#pragma once
#include "widgets/base/read_out.h"
#include "widgets/base/view.h"

namespace mooring {

struct LengthBar {
    qint64 from = 0;
    qint64 to = 0; // exclusive
    qint64 rows = 0;
};

struct LengthsData {
    QString name; // of the data
    std::vector<LengthBar> bars; // of one width, without gaps
    qint64 maxLength = 0; // 0: no limit
    qint64 beyond = 0; // rows that are longer
};

// Arrow keys, Home and End go from bar to bar.
class LengthsCanvas : public QWidget {
    Q_OBJECT
public:
    explicit LengthsCanvas(QWidget* parent = nullptr);
    void setData(LengthsData data);
    const LengthsData& data() const { return m_data; }
    void paintInto(QPainter& painter, const QRectF& area, const ThemeColors& colors) const;
    QSize sizeHint() const override { return {640, 320}; }

Q_SIGNALS:
    void hovered(const QString& readOut); // empty: nothing

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Plot;
    void setBar(int bar); // -1: none
    ReadOut readOutAt(int bar) const;

    LengthsData m_data;
    int m_bar = -1;
};

class LengthsView : public View {
    Q_OBJECT
public:
    explicit LengthsView(SelectionModel* selection, QWidget* parent = nullptr);
    void setData(LengthsData data);
    LengthsCanvas* canvas() const { return m_canvas; }

    QString title() const override { return tr("Lengths"); }
    QString explanation() const override;
    QString pictureTitle() const override;
    void paint(QPainter& painter, const QRectF& area) const override;

protected:
    void refresh() override;
    ValueRows tableRows() const override;

private:
    LengthsCanvas* m_canvas;
};

} // namespace mooring
