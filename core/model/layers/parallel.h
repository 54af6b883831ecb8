// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <functional>

namespace mooring {

// Runs tasks 0 .. n-1 on torch's own threads, taken one by one. The parallel-for that kernels are
// given.
void parallelTasks(std::int64_t n, const std::function<void(std::int64_t)>& task);
// Splits 0 .. n into ranges of at least `grain`, for loops over tokens.
void parallelRanges(std::int64_t n, std::int64_t grain,
    const std::function<void(std::int64_t, std::int64_t)>& range);

} // namespace mooring
