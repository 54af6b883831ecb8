// SPDX-License-Identifier: GPL-3.0-or-later
// Retention between two frame files, for `mooring-cli compare` and the window.
#pragma once
#include "core/base/result.h"
#include "core/view/run_record.h"
#include <filesystem>

namespace mooring {

// Frame a is taken as the base, b as the tuned one. Refuses (Input) frames that cannot be compared:
// other layers, experts, top-k or domains, or a probe of other tokens.
Result<std::vector<RetentionRow>> compareFrames(
    const std::filesystem::path& a, const std::filesystem::path& b, const ProbeSettings& probe);

// The same for frames in memory; the names stand in the message.
Result<void> checkComparable(const RoutingFrame& a, const RoutingFrame& b, const std::string& nameA,
    const std::string& nameB);

} // namespace mooring
