// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layers/parallel.h"
#include <ATen/Parallel.h>
#include <atomic>

namespace mooring {

void parallelTasks(std::int64_t n, const std::function<void(std::int64_t)>& task) {
    if (n <= 0)
        return;
    std::atomic<std::int64_t> next{0};
    const std::int64_t threads = std::min<std::int64_t>(at::get_num_threads(), n);
    at::parallel_for(0, threads, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t thread = begin; thread < end; ++thread)
            for (std::int64_t i = next.fetch_add(1); i < n; i = next.fetch_add(1))
                task(i);
    });
}

void parallelRanges(std::int64_t n, std::int64_t grain,
    const std::function<void(std::int64_t, std::int64_t)>& range) {
    at::parallel_for(0, n, grain, range);
}

} // namespace mooring
