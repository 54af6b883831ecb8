// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/command.h"
#include "core/train/run.h"

namespace mooring::cli {

// Trains with a progress line on standard error until done, stopped or Ctrl-C; prints the run
// folder.
Result<void> trainAndReport(const RunRequest& request, std::int64_t stopAfter, bool json);

// The words of --set key=value.
Result<Overrides> parseOverrides(const std::vector<std::string>& words);

void addStopAfter(CLI::App& command, std::int64_t& step);

} // namespace mooring::cli
