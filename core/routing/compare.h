// SPDX-License-Identifier: GPL-3.0-or-later
// Retention between two frame files, for `mooring-cli compare` and the window.
#pragma once
#include "core/base/result.h"
#include "core/view/run_record.h"
#include "core/view/transitions.h"
#include "core/view/validity.h"
#include <filesystem>

namespace mooring {

// One row per domain, the pooled one last; transitions have two, one a kind.
struct FrameComparison {
    std::vector<RetentionRow> retention;
    std::vector<ValidityRow> validity; // of b
    std::vector<TransitionRow> transitions; // without pairs where a does not say what answers are
};

// Frame a is taken as the base, b as the tuned one. Refuses (Input) frames that cannot be compared:
// other layers, experts, top-k or domains, or a probe of other tokens.
Result<FrameComparison> compareFrames(
    const std::filesystem::path& a, const std::filesystem::path& b, const ProbeSettings& probe);

// The same for frames in memory; the names are in the message.
Result<void> checkComparable(const RoutingFrame& a, const RoutingFrame& b, const std::string& nameA,
    const std::string& nameB);

// NMI and modularity depend on rho and on the resolution: figures found with others are not
// compared (Usage). The detector's seed is noise, which the spread over seeds tells.
Result<void> checkSameGraphs(const ProbeSettings& a, const ProbeSettings& b,
    const std::string& nameA, const std::string& nameB);

} // namespace mooring
