// SPDX-License-Identifier: GPL-3.0-or-later
// Round numbers for axes.
#pragma once
#include <QString>
#include <vector>

namespace mooring {

struct AxisTick {
    double position = 0; // log10 of the value on a logarithmic axis
    QString label;
};

struct AxisScale {
    double low = 0;
    double high = 1;
    std::vector<AxisTick> ticks; // within low and high
};

// 1, 2 or 5 times a power of ten, about `most` of them; `whole`: never between integers. `outward`
// widens the range to the next tick or halfway to it.
AxisScale linearScale(double low, double high, int most, bool outward, bool whole = false);
// Values above 0; positions are log10. Powers of ten, with 2 and 5 between where few.
AxisScale logScale(double low, double high, int most);

} // namespace mooring
