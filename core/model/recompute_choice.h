// SPDX-License-Identifier: GPL-3.0-or-later
// What train.recompute = "auto" comes to: activations are kept where the estimate says that they
// fit into what is free, and computed again where they do not.
#pragma once
#include "core/config/run_config.h"

namespace mooring {

struct RecomputeChoice {
    std::string asked; // train.recompute
    bool full = false; // layers are computed again in their backward
    // Estimates of the whole run with activations kept and computed again, and what is free on the
    // device; 0: not known. Bytes, of "auto" alone.
    double kept = 0, again = 0, available = 0;

    // For people, with the numbers; empty where the configuration had decided.
    std::string sentence() const;
};

// `before`: "off" or "full", what an earlier life of the run came to, which holds on: the numbers
// of a run do not hang on what else was in memory when it was resumed. Empty: not decided yet.
RecomputeChoice chooseRecompute(
    const RunConfig& config, double available, const std::string& before = {});

// The configuration with "off" or "full" in the place of "auto".
RunConfig withRecompute(RunConfig config, bool full);

} // namespace mooring
