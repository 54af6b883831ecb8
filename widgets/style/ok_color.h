// SPDX-License-Identifier: GPL-3.0-or-later
// OKLab (Ottosson, 2020): a space in which equal steps look equal. Used to make colors, not to
// draw.
#pragma once
#include <QRgb>

namespace mooring {

struct OkLab {
    double lightness = 0; // 0 to 1
    double a = 0;
    double b = 0;
};

OkLab toOkLab(QRgb color);
QRgb fromOkLab(const OkLab& color); // opaque; what lies outside sRGB is clipped
QRgb fromOkLch(double lightness, double chroma, double hueDegrees);
double okLightness(QRgb color);

} // namespace mooring
