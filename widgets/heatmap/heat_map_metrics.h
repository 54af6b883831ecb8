// SPDX-License-Identifier: GPL-3.0-or-later
// Distances of heat maps in logical pixels, on a grid of 8.
#pragma once
#include "widgets/heatmap/heat_map.h"
#include <QFontMetricsF>
#include <algorithm>

namespace mooring {

inline constexpr int kMargin = 12;
inline constexpr double kMaxRowHeight = 144;
inline constexpr double kNumberedRowHeight = 44; // from here community numbers are in the row
inline constexpr double kBarRowHeight = 18; // from here every row has its own community bar
inline constexpr double kLegendBar = 10;

// Two lines: what the columns are, and their labels.
inline double headerHeight(const QFontMetricsF& metrics) {
    return 2 * metrics.height() + 18;
}

inline double legendHeight(const QFontMetricsF& metrics) {
    return kMargin + kLegendBar + 6 + metrics.height() + 10;
}

inline double noteWidth(const HeatMapNote& note, const QFontMetricsF& metrics) {
    return std::max(metrics.horizontalAdvance(note.title),
               metrics.horizontalAdvance(QStringLiteral("0.0000")))
        + 14;
}

} // namespace mooring
