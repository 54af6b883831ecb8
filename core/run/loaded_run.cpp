// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/loaded_run.h"
#include "core/routing/routing_findings.h"
#include "core/run/run_files.h"
#include <algorithm>

namespace mooring {

std::int64_t frameStepAt(const std::vector<std::int64_t>& steps, std::int64_t step) {
    if (steps.empty())
        return 0;
    if (step < 0)
        return steps.back();
    const auto after = std::upper_bound(steps.begin(), steps.end(), step);
    return after == steps.begin() ? 0 : *std::prev(after);
}

Result<LoadedRun> loadRun(const std::filesystem::path& folder, std::int64_t step) {
    MOORING_TRY(RunFiles files, RunFiles::open(folder));
    LoadedRun run;
    run.record = std::make_shared<const RunRecord>(files.record());
    MOORING_TRY(run.base, files.frame(0));
    if (const auto at = frameStepAt(run.record->frameSteps, step); at > 0) {
        MOORING_TRY(run.tuned, files.frame(at));
    }
    run.communities = RoutingFindings().find(run.base, run.tuned, requestOf(run.record->info.probe),
        neverCancel, [](const CommunitiesPtr&) {});
    return run;
}

} // namespace mooring
