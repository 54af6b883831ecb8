// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include <vector>

namespace mooring {

class Rules;

// One part of it: what trains and how it is saved.
void checkTrain(const RunConfig& config, Rules& rules);

// Every rule that a configuration breaks by its values alone: impossible values, conflicting ones,
// unsupported ones. Files are not checked.
std::vector<ConfigProblem> valueProblems(const RunConfig& config);

// Letters, digits, - and _: valid in file names and log keys.
bool isPlainName(const std::string& name);

} // namespace mooring
