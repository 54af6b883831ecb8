// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>

namespace mooring {

// Long searches check it between detections; true ends them without a result.
using CancelRequested = std::function<bool()>;
inline bool neverCancel() {
    return false;
}

} // namespace mooring
