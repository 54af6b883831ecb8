// SPDX-License-Identifier: GPL-3.0-or-later
// Runs side by side: means and sample standard deviations over the seeds of each condition, and
// which differences exceed the noise.
#pragma once
#include "core/base/result.h"
#include "core/view/study_table.h"
#include <filesystem>
#include <optional>
#include <span>

namespace mooring {

// The standard error of a difference of two means, twice: |a - b| <= 2 sqrt(sd_a^2/n_a +
// sd_b^2/n_b) is inside the noise. Without two runs a side nothing is known, and everything is
// inside.
bool beyondNoise(const ComparedCell& a, const ComparedCell& b);

ComparedCell cellOf(std::span<const double> values); // NaNs are left out

// Rows in the order in which their first run stands; `base` is the base model's own point. A run
// with a problem counts in no mean. NMI and Q of runs with different rho, resolution or detector
// seed are not compared: their cells stay empty and a notice says why.
ComparedTable compareRuns(std::vector<ComparedRun> runs, std::optional<ComparedPoint> base = {});

std::string markdownOf(const ComparedTable& table);

// study.csv (mean, sd and n of each metric), runs.csv (one line per run), scatter.csv (one line per
// run and evaluated step: ID against OOD and against overlap) and study.md, each replaced whole.
Result<void> writeComparedTables(const std::filesystem::path& folder, const ComparedTable& table);

} // namespace mooring
