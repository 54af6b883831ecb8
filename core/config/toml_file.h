// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a configuration file and its TOML, with errors as sentences (Usage).
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <string>
#include <toml++/toml.h>

namespace mooring {

Result<std::string> readTomlText(const std::filesystem::path& file);

// `name` is how errors name the text.
Result<toml::table> parseToml(const std::string& text, const std::string& name);

} // namespace mooring
