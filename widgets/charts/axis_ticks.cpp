// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/axis_ticks.h"
#include "widgets/style/theme.h"
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

// The label shows as many decimals as the step between ticks has.
QString linearLabel(double value, double step) {
    if (std::abs(value) < step * 1e-6)
        return QStringLiteral("0");
    const double size = std::abs(value);
    if (size >= 1e6 || step < 1e-4)
        return formatNumber(value, 2);
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
    const QString text = QString::number(size, 'f', decimals);
    return value < 0 ? QChar(0x2212) + text : text;
}

QString logLabel(double value) {
    const int exponent = static_cast<int>(std::floor(std::log10(value) + 1e-9));
    if (exponent < -4 || exponent > 5)
        return QString::number(std::lround(value / std::pow(10.0, exponent))) + QLatin1Char('e')
            + (exponent < 0 ? QString(QChar(0x2212)) : QString())
            + QString::number(std::abs(exponent));
    return QString::number(value, 'f', std::max(0, -exponent));
}

double niceStep(double span, int most) {
    const double rough = span / std::max(1, most);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough * (1 - 1e-9))
            return factor * power;
    return 10 * power;
}

} // namespace

AxisScale linearScale(double low, double high, int most, bool outward, bool whole) {
    if (!(high > low)) { // one value: room around it
        const double room = low == 0 ? 1 : std::abs(low) * 0.1;
        high = low + room;
        low -= low == 0 ? 0 : room;
    }
    double step = niceStep(high - low, most);
    if (whole)
        step = std::max(1.0, step);
    if (outward) {
        low = std::floor(low / step * 2 + 1e-9) * step / 2;
        high = std::ceil(high / step * 2 - 1e-9) * step / 2;
    }
    AxisScale scale{low, high, {}};
    const double first = std::ceil(low / step - 1e-9);
    for (double i = first; i * step <= high + step * 1e-6; ++i)
        scale.ticks.push_back({i * step, linearLabel(i * step, step)});
    return scale;
}

AxisScale logScale(double low, double high, int most) {
    if (!(high > low)) {
        low /= 2;
        high = std::max(high * 2, low * 4);
    }
    const double decades = std::log10(high / low);
    std::vector<double> factors{1};
    if (decades * 3 <= most)
        factors = {1, 2, 5};
    // The ends go out to the next of 1, 2, 5.
    const auto ladder = [](double value, bool up) {
        const double power = std::pow(10.0, std::floor(std::log10(value) + 1e-9));
        double below = power;
        for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
            if (up && factor * power >= value * (1 - 1e-9))
                return factor * power;
            if (factor * power <= value * (1 + 1e-9))
                below = factor * power;
        }
        return below;
    };
    AxisScale scale{std::log10(ladder(low, false)), std::log10(ladder(high, true)), {}};
    const int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, most))));
    for (int exponent = static_cast<int>(std::floor(scale.low)) - 1;
         exponent <= static_cast<int>(std::ceil(scale.high)); ++exponent)
        for (const double factor : factors) {
            const double value = factor * std::pow(10.0, exponent);
            const double position = std::log10(value);
            const bool inside = position >= scale.low - 1e-9 && position <= scale.high + 1e-9;
            if (inside && exponent % every == 0)
                scale.ticks.push_back({position, logLabel(value)});
        }
    return scale;
}

} // namespace mooring
