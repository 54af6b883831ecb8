// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/view/transitions.h"

namespace mooring {

// A pair of tokens of one text that a transition leads over; the same token twice between layers.
struct TransitionPlace {
    std::int64_t first = 0;
    std::int64_t second = 0;
};
std::vector<TransitionPlace> transitionPlaces(const DomainFrame& texts, TransitionKind kind);

} // namespace mooring
