// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/schedule.h"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace mooring {

double learningRate(const OptimizerConfig& config, std::int64_t step, std::int64_t steps) {
    const auto n = static_cast<double>(step), w = static_cast<double>(config.warmupSteps);
    if (step <= config.warmupSteps)
        return config.lr * n / w;
    if (config.schedule == "constant" || steps <= config.warmupSteps)
        return config.lr;
    const double p = std::min(1.0, (n - w) / (static_cast<double>(steps) - w));
    const double range = config.lr - config.minLr;
    if (config.schedule == "linear")
        return config.minLr + range * (1 - p);
    return config.minLr + range * (1 + std::cos(std::numbers::pi * p)) / 2;
}

std::int64_t totalSteps(
    const OptimizerConfig& config, std::int64_t samples, std::int64_t globalBatch) {
    if (config.steps > 0)
        return config.steps;
    constexpr double kMost = 9e18; // whole numbers end soon behind it
    const double steps
        = config.epochs * static_cast<double>(samples) / static_cast<double>(globalBatch);
    return static_cast<std::int64_t>(std::min(std::ceil(steps), kMost));
}

} // namespace mooring
