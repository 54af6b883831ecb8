// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include "core/config/toml_section.h"

namespace mooring {

// Reads a layer over the values of the layers below it: what it does not set stays. Errors: an
// unknown key, a wrong type.
Result<void> readLayer(const Layer& layer, RunConfig& config);

// Fills in what depends on other values and was not set by any layer: min_lr, beta, strength, out.
void fillDefaults(RunConfig& config, bool hasMinLr);

// An entry of evaluate.tasks; a study has tasks of its own.
TaskConfig readTask(Section& entry);

} // namespace mooring
