// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cmath>
#include <limits>
#include <span>

namespace mooring {

struct MeanAndSd {
    double mean = std::numeric_limits<double>::quiet_NaN(); // without values
    double sd = std::numeric_limits<double>::quiet_NaN(); // of the sample; below two values
};

inline MeanAndSd meanAndSd(std::span<const double> values) {
    MeanAndSd result;
    if (values.empty())
        return result;
    double sum = 0, squares = 0;
    for (const double value : values)
        sum += value;
    result.mean = sum / static_cast<double>(values.size());
    for (const double value : values)
        squares += (value - result.mean) * (value - result.mean);
    if (values.size() > 1)
        result.sd = std::sqrt(squares / static_cast<double>(values.size() - 1));
    return result;
}

} // namespace mooring
