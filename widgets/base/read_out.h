// SPDX-License-Identifier: GPL-3.0-or-later
// The exact numbers at the pointer, as a card next to it and as one line of text.
#pragma once
#include "widgets/style/theme.h"
#include <QRectF>
#include <vector>

class QPainter;

namespace mooring {

struct ReadOutLine {
    QString label;
    QString value;
    QColor tint; // of the value; invalid: plain
};

struct ReadOut {
    QString title; // "layer 2, expert 29"
    QString aside; // "community 4"
    std::vector<ReadOutLine> lines;

    bool empty() const { return title.isEmpty(); }
    QString text() const; // what screen readers and the caption say
};

// Beside `point`, inside `bounds`; never over the point itself.
void paintCard(QPainter& painter, const ReadOut& readOut, const QPointF& point,
    const QRectF& bounds, const ThemeColors& colors, const QFont& font);

} // namespace mooring
