// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>

namespace mooring {

// Long searches ask it between two detections; true ends them, and they give nothing.
using CancelRequested = std::function<bool()>;
inline bool neverCancel() {
    return false;
}

} // namespace mooring
