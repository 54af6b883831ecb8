// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace mooring {

// What prior.store_choices and prior.store_logits = "auto" hold of the base at most, each.
inline constexpr double kAutoStoredBytes = 2e9;

} // namespace mooring
