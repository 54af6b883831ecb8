// SPDX-License-Identifier: GPL-3.0-or-later
// How the model's publisher would sample. Offered, never applied: scores are those of the run's own
// settings.
#pragma once
#include "core/config/run_config.h"
#include <filesystem>

namespace mooring {

// A sentence where generation_config.json of the folder samples otherwise than the tasks of the
// configuration do; empty where it does not, or where there is no task.
std::string suggestedSampling(const std::filesystem::path& folder, const EvaluateConfig& evaluate);

} // namespace mooring
