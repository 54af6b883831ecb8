// SPDX-License-Identifier: GPL-3.0-or-later
// What part of a model trains ([train] of a run), as a table by parameter group. No torch, so that
// the window can show it before a run.
#pragma once
#include "core/config/run_config.h"
#include "core/view/trainable_table.h"
#include <filesystem>

namespace mooring {

// From a config.json alone (a model folder, or the file itself); no weights are read. Errors: Input
// as loading would give them, Usage where a group or target matches nothing in this model.
Result<TrainableTable> trainableTable(const std::filesystem::path& model, const TrainConfig& train);

} // namespace mooring
