// SPDX-License-Identifier: GPL-3.0-or-later
// A snapshot folder from a run folder or another snapshot (docs/formats.md#snapshot), without
// plots. No torch.
#pragma once
#include "core/base/result.h"
#include "core/view/run_record.h"
#include <filesystem>
#include <optional>

namespace mooring {

// step: base and that frame only; absent: all frames. The folder appears complete or not at all.
Result<void> writeSnapshot(const std::filesystem::path& runFolder, const std::filesystem::path& out,
    std::optional<std::int64_t> step);

// Only an empty folder or an older snapshot may be replaced: a wrong --out must never destroy a
// folder. Errors: Output.
Result<void> checkSnapshotPlace(const std::filesystem::path& out);

// tables/*.csv for the given frames, and graphs/*.graphml of the last one, into `folder`.
Result<void> writeTables(const std::filesystem::path& folder, const RoutingFrame& base,
    const std::vector<FramePtr>& frames, const ProbeSettings& probe);
std::string graphMl(const RoutingFrame& frame, int layerOrdinal, const ProbeSettings& probe);

} // namespace mooring
