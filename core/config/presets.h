// SPDX-License-Identifier: GPL-3.0-or-later
// Presets: TOML files in resources/presets/ that a configuration extends by name.
#pragma once
#include "core/base/result.h"
#include "core/config/run_config.h"
#include <filesystem>
#include <string>
#include <vector>

namespace mooring {

// Folders that may hold the program's resources, in order: MOORING_RESOURCES, ../share/mooring and
// ../../../resources from the executable, the source tree.
std::vector<std::filesystem::path> resourceFolders();

std::vector<std::string> presetNames(); // sorted
Result<std::filesystem::path> findPreset(const std::string& name);

// The values of a preset for a dialog: complete but for the model and the data, which no preset
// has.
Result<RunConfig> presetConfig(const std::string& name);

} // namespace mooring
