// SPDX-License-Identifier: GPL-3.0-or-later
// Which settings of two effective configurations differ, for the question a resume asks.
#pragma once
#include "core/config/run_config.h"

namespace mooring {

// Their keys ("optimizer.lr"), in alphabetical order. run.out does not count: a folder may move.
std::vector<std::string> differingKeys(const RunConfig& a, const RunConfig& b);

} // namespace mooring
