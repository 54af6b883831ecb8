// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>

namespace mooring {

// What a long job is doing now: shown with how far and how long. Seconds left below 0: not known
// yet.
struct RunProgress {
    std::string phase; // "loading the model", "prior pass", "training", "probe", "saving"
    std::int64_t done = 0;
    std::int64_t total = 0; // 0: not known
    std::int64_t step = 0;
    std::int64_t steps = 0;
    double secondsLeft = -1;
    double tokensPerSecond = 0;
    double memoryBytes = 0;
    bool paused = false;
};

} // namespace mooring
