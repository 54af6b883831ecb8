// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/config/run_config.h"
#include "core/view/study_table.h"
#include <filesystem>

namespace mooring {

// What a run folder or a snapshot says for a comparison: its condition from run.toml, its values
// from the logs (retention of the probe sets pooled). Errors: Input for a folder that holds no run.
Result<ComparedRun> summariseRun(const std::filesystem::path& folder);

// The means of docs/methods.md#accuracy from the scores of one step: tasks set apart are in
// neither.
void addAccuracies(const std::vector<TaskScore>& scores, ComparedPoint& point);

// "0.5", "1 scheduled", "0.1 token", "1 + lbl 0.001"; empty where the method has no strength.
std::string strengthText(const RunConfig& config);

} // namespace mooring
