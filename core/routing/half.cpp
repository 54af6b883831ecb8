// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/half.h"
#include <bit>
#include <cmath>

namespace mooring {

std::uint16_t halfFromFloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000);
    const std::uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return sign | 0x7e00; // NaN stays one
    if (magnitude >= 0x477ff000)
        return sign | 0x7c00; // 65520 and above round to infinity
    if (magnitude < 0x38800000) {
        // Below 2^-14 the step is 2^-24; nearbyint rounds ties to even, and 1024 steps carry into
        // the smallest normal number by themselves.
        const float steps = std::nearbyint(std::bit_cast<float>(magnitude) * 0x1p24f);
        return sign | static_cast<std::uint16_t>(steps);
    }
    // Thirteen bits go; adding just under half of them, plus the last bit kept, rounds to even.
    const std::uint32_t rounded = magnitude + 0xfff + ((magnitude >> 13) & 1);
    return sign | static_cast<std::uint16_t>((rounded - 0x38000000) >> 13);
}

float floatFromHalf(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1f;
    const std::uint32_t mantissa = bits & 0x3ff;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
        return sign ? -magnitude : magnitude;
    }
    if (exponent == 31)
        return std::bit_cast<float>(sign | 0x7f800000 | (mantissa << 13));
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

} // namespace mooring
