// SPDX-License-Identifier: GPL-3.0-or-later
// Perceptually uniform color maps, safe for color-blind readers.
#pragma once
#include "widgets/style/theme.h"
#include <QRgb>
#include <array>
#include <span>

class QPainter;

namespace mooring {

enum class ColorMapId {
    Viridis, // magnitude
    Cividis, // magnitude
    Difference, // blue, gray, orange; the gray is that of the theme
};

using ColorTable = std::array<QRgb, 256>;

const ColorTable& colorTable(ColorMapId id, ThemeKind theme);

// The values at the two ends of a map. For a difference low = -high.
struct ColorRange {
    double low = 0;
    double high = 1;

    bool operator==(const ColorRange&) const = default;
    double position(double value) const; // 0 at low, 1 at high, clamped
    int index(double value) const; // 0 to 255 into a ColorTable; the center of a difference is 128
    QRgb color(double value, const ColorTable& table) const { return table[index(value)]; }
};

// Magnitudes: from 0 to the 99th percentile. Differences: both ends at the 98th percentile of the
// absolute values. NaN is left out; without any value 0 to 1 (or -1 to 1).
ColorRange robustRange(std::span<const double> values, bool diverging);
// From the 2nd to the 98th percentile, for magnitudes far from zero.
ColorRange tightRange(std::span<const double> values);

// Diagonal hatching for "no data", in phase over the whole picture. Drawn as lines, because pattern
// brushes become solid in SVG.
inline constexpr double kHatchPeriod = 6;
void paintHatch(QPainter& painter, const QRectF& area, const ThemeColors& colors);

} // namespace mooring
