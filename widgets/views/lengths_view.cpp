// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/lengths_view.h"
#include "widgets/charts/axis_ticks.h"
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace mooring {

// Where tokens and rows lie on the screen.
struct LengthsCanvas::Plot {
    QRectF rect;
    double tokens = 1; // at the right edge
    AxisScale rows;

    Plot(const LengthsData& data, const QRectF& area, const QFont& font) {
        const QFontMetricsF metrics(font);
        double most = 1;
        for (const LengthBar& bar : data.bars)
            most = std::max(most, static_cast<double>(bar.rows));
        rows = linearScale(0, most, 5, true, true);
        const double left = metrics.horizontalAdvance(QStringLiteral("0,000,000"));
        rect = area.adjusted(left + 12, metrics.height() + 8, -20, -2 * metrics.height() - 12);
        const double end = data.bars.empty() ? 1 : static_cast<double>(data.bars.back().to);
        tokens = std::max(end, static_cast<double>(data.maxLength) * 1.02);
        // A mark far beyond every row would leave no room for them, so it is described in words.
        if (static_cast<double>(data.maxLength) > 2 * end)
            tokens = end;
    }
    double x(double length) const { return rect.left() + length / tokens * rect.width(); }
    double y(double count) const { return rect.bottom() - count / rows.high * rect.height(); }
    QRectF bar(const LengthBar& bar) const {
        const double left = x(static_cast<double>(bar.from)),
                     top = y(static_cast<double>(bar.rows));
        const double width = x(static_cast<double>(bar.to)) - left;
        return {left, top, std::max(1.0, width - (width > 4 ? 1 : 0)), rect.bottom() - top};
    }
    bool showsMark(const LengthsData& data) const {
        return data.maxLength > 0 && static_cast<double>(data.maxLength) <= tokens;
    }
};

LengthsCanvas::LengthsCanvas(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(240, 160);
    setAccessibleName(tr("Lengths of the rows"));
}

void LengthsCanvas::setData(LengthsData data) {
    m_data = std::move(data);
    setBar(-1);
    update();
}

void LengthsCanvas::setBar(int bar) {
    if (bar == m_bar)
        return;
    m_bar = bar;
    Q_EMIT hovered(bar < 0 ? QString() : readOutAt(bar).text());
    update();
}

ReadOut LengthsCanvas::readOutAt(int index) const {
    const LengthBar& bar = m_data.bars[static_cast<std::size_t>(index)];
    qint64 upTo = 0, all = 0;
    for (const LengthBar& other : m_data.bars) {
        all += other.rows;
        upTo += other.from <= bar.from ? other.rows : 0;
    }
    ReadOut card;
    card.title = tr("%1 to %2 tokens").arg(bar.from).arg(bar.to - 1);
    card.lines.push_back({tr("rows"), formatCount(bar.rows), {}});
    card.lines.push_back({tr("up to here"),
        tr("%1 %").arg(formatNumber(
            100.0 * static_cast<double>(upTo) / static_cast<double>(std::max<qint64>(1, all)))),
        {}});
    if (m_data.maxLength > 0 && bar.from > m_data.maxLength)
        card.aside = tr("longer than max_length");
    return card;
}

namespace {

void paintAxes(QPainter& painter, const QRectF& rect, const AxisScale& rows,
    const AxisScale& lengths, double tokens, const ThemeColors& colors) {
    const QFontMetricsF metrics(painter.font());
    for (const AxisTick& tick : rows.ticks) {
        const double y
            = std::round(rect.bottom() - tick.position / rows.high * rect.height()) - 0.5;
        painter.setPen(QPen(colors.grid, 1));
        painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
        painter.setPen(colors.mutedText);
        painter.drawText(QRectF(0, y - metrics.height() / 2, rect.left() - 8, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    painter.setPen(colors.mutedText);
    for (const AxisTick& tick : lengths.ticks) {
        const double x = rect.left() + tick.position / tokens * rect.width();
        painter.drawText(QRectF(x - 50, rect.bottom() + 4, 100, metrics.height()),
            Qt::AlignHCenter | Qt::AlignTop, tick.label);
    }
    painter.drawText(
        QRectF(rect.left(), rect.bottom() + 4 + metrics.height(), rect.width(), metrics.height()),
        Qt::AlignRight | Qt::AlignTop, LengthsView::tr("tokens per row"));
    painter.drawText(
        QRectF(0, rect.top() - metrics.height() - 4, rect.left() - 8, metrics.height()),
        Qt::AlignRight | Qt::AlignVCenter, LengthsView::tr("rows"));
}

void paintMark(QPainter& painter, const QRectF& rect, double x, const LengthsData& data,
    const ThemeColors& colors) {
    const QFontMetricsF metrics(painter.font());
    painter.setPen(QPen(colors.change, 1.5, Qt::DashLine));
    painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
    const QString text = LengthsView::tr("max_length %1: %2 rows are longer")
                             .arg(data.maxLength)
                             .arg(formatCount(data.beyond));
    const double width = metrics.horizontalAdvance(text);
    const double left = std::clamp(x - width / 2, rect.left(), rect.right() - width);
    painter.setPen(colors.text);
    painter.drawText(QRectF(left, rect.top() - metrics.height() - 4, width + 1, metrics.height()),
        Qt::AlignLeft | Qt::AlignVCenter, text);
}

} // namespace

void LengthsCanvas::paintInto(
    QPainter& painter, const QRectF& area, const ThemeColors& colors) const {
    painter.save();
    painter.translate(area.topLeft());
    painter.setFont(numberFont(font()));
    const Plot plot(m_data, QRectF(QPointF(0, 0), area.size()), painter.font());
    paintAxes(painter, plot.rect, plot.rows, linearScale(0, plot.tokens, 8, false, true),
        plot.tokens, colors);
    QColor beyond = colors.base;
    beyond.setAlpha(130);
    for (const LengthBar& bar : m_data.bars)
        painter.fillRect(plot.bar(bar),
            m_data.maxLength > 0 && bar.from > m_data.maxLength ? beyond : colors.accent);
    painter.setRenderHint(QPainter::Antialiasing);
    if (plot.showsMark(m_data))
        paintMark(
            painter, plot.rect, plot.x(static_cast<double>(m_data.maxLength)), m_data, colors);
    painter.restore();
}

void LengthsCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = themeColors(*this);
    painter.fillRect(rect(), colors.canvas);
    paintInto(painter, rect(), colors);
    if (m_bar < 0)
        return;
    const Plot plot(m_data, rect(), numberFont(font()));
    const QRectF bar = plot.bar(m_data.bars[static_cast<std::size_t>(m_bar)]);
    painter.setPen(QPen(colors.cross, 2));
    painter.drawRect(bar.adjusted(-1, -1, 1, 0));
    paintCard(painter, readOutAt(m_bar), QPointF(bar.center().x(), bar.top()), rect(), colors,
        numberFont(font()));
}

void LengthsCanvas::mouseMoveEvent(QMouseEvent* event) {
    const Plot plot(m_data, rect(), numberFont(font()));
    int found = -1;
    for (std::size_t i = 0; i < m_data.bars.size(); ++i) {
        const QRectF bar = plot.bar(m_data.bars[i]);
        if (event->position().x() >= bar.left() && event->position().x() <= bar.right()
            && plot.rect.contains(event->position()))
            found = static_cast<int>(i);
    }
    setBar(found);
}

void LengthsCanvas::leaveEvent(QEvent*) {
    setBar(-1);
}

void LengthsCanvas::focusInEvent(QFocusEvent* event) {
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason)
        setBar(m_data.bars.empty() ? -1 : 0);
    QWidget::focusInEvent(event);
}

void LengthsCanvas::focusOutEvent(QFocusEvent* event) {
    setBar(-1);
    QWidget::focusOutEvent(event);
}

void LengthsCanvas::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_data.bars.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Left:
        return setBar(std::max(std::min(0, last), m_bar - 1));
    case Qt::Key_Right:
        return setBar(std::min(last, m_bar + 1));
    case Qt::Key_Home:
        return setBar(std::min(0, last));
    case Qt::Key_End:
        return setBar(last);
    case Qt::Key_Escape:
        if (m_bar >= 0)
            return setBar(-1);
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
    }
}

LengthsView::LengthsView(SelectionModel* selection, QWidget* parent)
    : View(selection, parent)
    , m_canvas(new LengthsCanvas(this)) {
    setContent(m_canvas);
    showContent();
    setFocusProxy(m_canvas);
    connect(m_canvas, &LengthsCanvas::hovered, this, &LengthsView::setReadOut);
    contentChanged();
}

void LengthsView::setData(LengthsData data) {
    m_canvas->setData(std::move(data));
    contentChanged();
}

QString LengthsView::explanation() const {
    const LengthsData& data = m_canvas->data();
    if (data.maxLength > 0 && data.beyond > 0)
        return tr("Rows to the right of the mark are longer than max_length and are dropped or "
                  "truncated.");
    if (data.maxLength > 0)
        return tr("No row is longer than max_length, %1.").arg(data.maxLength);
    return tr("Number of rows by length in tokens.");
}

QString LengthsView::pictureTitle() const {
    return title() + QStringLiteral(" \u00b7 ") + m_canvas->data().name;
}

void LengthsView::paint(QPainter& painter, const QRectF& area) const {
    m_canvas->paintInto(painter, paintPictureTitle(painter, area), colors());
}

void LengthsView::refresh() {
    m_canvas->update();
    contentChanged();
}

ValueRows LengthsView::tableRows() const {
    const auto bars = std::make_shared<const std::vector<LengthBar>>(m_canvas->data().bars);
    return {{tr("from"), tr("to"), tr("rows")}, static_cast<int>(bars->size()),
        [bars](int row, int column) -> QVariant {
            const LengthBar& bar = (*bars)[static_cast<std::size_t>(row)];
            return column == 0 ? bar.from : column == 1 ? bar.to - 1 : bar.rows;
        }};
}

} // namespace mooring
