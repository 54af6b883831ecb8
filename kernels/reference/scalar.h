// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels/bfloat16.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace mooring::kernels::reference {

inline double toDouble(double value) {
    return value;
}
inline double toDouble(float value) {
    return value;
}
inline double toDouble(bfloat16 value) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

/// Rounds to the nearest T, ties to even.
template <typename T>
T fromDouble(double value) {
    return static_cast<T>(value);
}
template <>
inline bfloat16 fromDouble<bfloat16>(double value) {
    const float single = static_cast<float>(value);
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(single);
    if (std::isnan(single)) {
        return {static_cast<std::uint16_t>((bits | 0x00400000U) >> 16)};
    }
    return {static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16)};
}

inline double sigmoid(double x) {
    return 1.0 / (1.0 + std::exp(-x));
}

} // namespace mooring::kernels::reference
