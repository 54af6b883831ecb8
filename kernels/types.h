// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels/bfloat16.h"

#include <cstdint>
#include <functional>

namespace mooring::kernels {

/// Runs task(0) .. task(tasks - 1), in any order and on several threads, and returns when all are
/// done. The caller gives it, so that this library owns no threads.
using ParallelFor
    = std::function<void(std::int64_t tasks, const std::function<void(std::int64_t task)>&)>;

} // namespace mooring::kernels
