// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/read_out.h"
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

namespace mooring {
namespace {

constexpr qreal kPadding = 10;
constexpr qreal kColumnGap = 14;
constexpr qreal kDistance = 16;

struct CardSize {
    qreal labels = 0;
    qreal width = 0;
    qreal height = 0;
};

CardSize measure(const ReadOut& readOut, const QFontMetricsF& plain, const QFontMetricsF& strong) {
    CardSize size;
    qreal values = 0;
    for (const ReadOutLine& line : readOut.lines) {
        size.labels = std::max(size.labels, plain.horizontalAdvance(line.label));
        values = std::max(values, plain.horizontalAdvance(line.value));
    }
    qreal head = strong.horizontalAdvance(readOut.title);
    if (!readOut.aside.isEmpty())
        head += kColumnGap + plain.horizontalAdvance(readOut.aside);
    size.width = std::max(head, size.labels + kColumnGap + values) + 2 * kPadding;
    size.height
        = (static_cast<qreal>(readOut.lines.size()) + 1) * (plain.height() + 3) + 2 * kPadding - 3;
    return size;
}

QPointF cornerOf(const CardSize& size, const QPointF& point, const QRectF& bounds) {
    QPointF corner = point + QPointF(kDistance, kDistance);
    if (corner.x() + size.width > bounds.right() - 4)
        corner.setX(point.x() - kDistance - size.width);
    if (corner.y() + size.height > bounds.bottom() - 4)
        corner.setY(point.y() - kDistance - size.height);
    return {std::max(corner.x(), bounds.left() + 4), std::max(corner.y(), bounds.top() + 4)};
}

} // namespace

QString ReadOut::text() const {
    QStringList parts{title};
    if (!aside.isEmpty())
        parts.append(aside);
    for (const ReadOutLine& line : lines)
        parts.append(line.label + QLatin1Char(' ') + line.value);
    return parts.join(QStringLiteral("   "));
}

void paintCard(QPainter& painter, const ReadOut& readOut, const QPointF& point,
    const QRectF& bounds, const ThemeColors& colors, const QFont& font) {
    const QFont strong = strongFont(font);
    const QFontMetricsF plainMetrics(font);
    const CardSize size = measure(readOut, plainMetrics, QFontMetricsF(strong));
    const QRectF card(cornerOf(size, point, bounds), QSizeF(size.width, size.height));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(QColor(255, 255, 255, 28), 1));
    painter.setBrush(colors.card);
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    const qreal lineHeight = plainMetrics.height() + 3;
    QRectF row(card.left() + kPadding, card.top() + kPadding, size.width - 2 * kPadding,
        plainMetrics.height());
    painter.setFont(strong);
    painter.setPen(colors.cardText);
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, readOut.title);
    painter.setFont(font);
    painter.setPen(colors.cardMuted);
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, readOut.aside);
    for (const ReadOutLine& line : readOut.lines) {
        row.translate(0, lineHeight);
        painter.setPen(colors.cardMuted);
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, line.label);
        painter.setPen(line.tint.isValid() ? line.tint : colors.cardText);
        painter.drawText(row.adjusted(size.labels + kColumnGap, 0, 0, 0),
            Qt::AlignLeft | Qt::AlignVCenter, line.value);
    }
    painter.restore();
}

} // namespace mooring
