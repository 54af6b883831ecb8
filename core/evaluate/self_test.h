// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <string>
#include <utility>
#include <vector>

namespace mooring {

// What `doctor` says of this machine, without torch in the header: name and finding, in order.
using Findings = std::vector<std::pair<std::string, std::string>>;
Findings describeMachine();

// Trains a tiny random model for a few steps on made-up tokens and checks what must hold: the loss
// falls, counts add up, an expert without tokens has a zero gradient, two runs agree to the bit. A
// few seconds.
Result<void> selfTest();

} // namespace mooring
