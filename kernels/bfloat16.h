// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace mooring::kernels {

/// The upper half of an IEEE binary32.
struct bfloat16 {
    std::uint16_t bits;
};

} // namespace mooring::kernels
