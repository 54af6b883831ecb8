// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format_bytes.h"
#include <cmath>
#include <cstdio>

namespace mooring {

std::string formatBytes(double bytes) {
    static constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    // 999.5 of a unit would be written as 1000 of it.
    for (; std::abs(bytes) >= 999.5 && unit < 5; ++unit)
        bytes /= 1000;
    const int decimals = unit == 0 || std::abs(bytes) >= 99.95 ? 0
        : std::abs(bytes) >= 9.995                             ? 1
                                                               : 2;
    char text[64];
    std::snprintf(text, sizeof text, "%.*f %s", decimals, bytes, kUnits[unit]);
    return text;
}

} // namespace mooring
