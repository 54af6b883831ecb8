// SPDX-License-Identifier: GPL-3.0-or-later
// The demo that comes with the program: resources/demo/run.toml, with its run in the user's folder.
#pragma once
#include "core/config/run_config.h"

namespace mooring {

// Errors: Input if the demo or its model's weights are missing.
Result<RunConfig> demoConfig();

std::string userRunsFolder(); // default folder for runs

} // namespace mooring
