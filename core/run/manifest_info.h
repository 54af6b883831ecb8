// SPDX-License-Identifier: GPL-3.0-or-later
// manifest.json and run.toml as the figures that views show. Both are untrusted.
#pragma once
#include "core/view/run_record.h"
#include <filesystem>
#include <nlohmann/json.hpp>

namespace mooring {

// Applies what the manifest says; a key with the wrong type, or a value out of range, leaves the
// figure unchanged.
void readManifestInfo(const nlohmann::json& manifest, RunInfo& info);

// The name and, where the manifest has none, the steps, from run.toml; nothing where it is absent.
void readConfigInfo(const std::filesystem::path& file, RunInfo& info);

} // namespace mooring
