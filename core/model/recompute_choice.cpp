// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/recompute_choice.h"
#include "core/base/format_bytes.h"
#include "core/model/memory_estimate.h"

namespace mooring {

RunConfig withRecompute(RunConfig config, bool full) {
    config.train.recompute = full ? "full" : "off";
    return config;
}

RecomputeChoice chooseRecompute(
    const RunConfig& config, double available, const std::string& before) {
    RecomputeChoice choice;
    choice.asked = config.train.recompute;
    choice.full = choice.asked == "full";
    if (choice.asked != "auto")
        return choice;
    const auto total = [&](bool full) {
        const auto estimate = estimateMemory(withRecompute(config, full));
        return estimate.ok() ? estimate->total() : 0.0; // loading says what is wrong
    };
    choice.available = available;
    choice.kept = total(false);
    choice.again = total(true);
    choice.full = before.empty() ? available > 0 && choice.kept > available : before == "full";
    return choice;
}

std::string RecomputeChoice::sentence() const {
    if (asked != "auto")
        return {};
    const std::string free
        = available > 0 ? formatBytes(available) + " are free" : "what is free is not known";
    return full
        ? "train.recompute = \"auto\" is \"full\": layers are computed again in the backward. "
          "The run takes up to "
            + formatBytes(again) + " so, up to " + formatBytes(kept) + " otherwise, and " + free
        : "train.recompute = \"auto\" is \"off\": activations are kept. The run takes up to "
            + formatBytes(kept) + ", and " + free;
}

} // namespace mooring
