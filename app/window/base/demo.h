// SPDX-License-Identifier: GPL-3.0-or-later
// The demo that comes with the program: resources/demo/run.toml, with its run in the user's folder.
#pragma once
#include "core/config/run_config.h"

namespace mooring {

// Errors: Input where the demo, or the weights of its model, are not there.
Result<RunConfig> demoConfig();

std::string userRunsFolder(); // where runs go that nobody gave a place

} // namespace mooring
