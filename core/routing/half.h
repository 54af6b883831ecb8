// SPDX-License-Identifier: GPL-3.0-or-later
// IEEE 754 binary16, as frames store weights.
#pragma once
#include <cstdint>

namespace mooring {

std::uint16_t halfFromFloat(float value); // to nearest, ties to even; beyond 65504 infinite
float floatFromHalf(std::uint16_t bits); // exact

} // namespace mooring
