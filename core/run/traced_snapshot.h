// SPDX-License-Identifier: GPL-3.0-or-later
// Two frames of one model, base and tuned, as a snapshot folder: what was trained elsewhere is
// opened in the window like a run.
#pragma once
#include "core/base/result.h"
#include "core/view/run_record.h"
#include <filesystem>

namespace mooring {

// Frames, manifest, retention, tables and graphs. The tuned frame's step must be above 0. `out`
// must not be there yet, or be such a snapshot. Errors: Input where the frames cannot be compared,
// Output.
Result<void> writeTracedSnapshot(const RoutingFrame& base, const RoutingFrame& tuned,
    const ProbeSettings& probe, const std::string& name, const std::filesystem::path& out);

} // namespace mooring
