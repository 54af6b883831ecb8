// SPDX-License-Identifier: GPL-3.0-or-later
// eval.jsonl and samples.jsonl of a run folder.
#pragma once
#include "core/base/result.h"
#include "core/run/task_result.h"
#include <filesystem>
#include <nlohmann/json.hpp>

namespace mooring {

// One line per task in eval.jsonl, and up to `samples` generations of each in samples.jsonl.
Result<void> writeEvaluation(const std::filesystem::path& folder, std::int64_t step,
    const std::vector<TaskResult>& results, std::int64_t samples);

nlohmann::json toJson(const TaskScore& score);

// The scores of a folder by step; the last line of a step and task counts. Lines that are no scores
// are skipped; no file: no scores.
std::vector<TaskScore> readEvaluation(const std::filesystem::path& folder);

} // namespace mooring
