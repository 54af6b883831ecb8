// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about a model folder, without loading its weights. No Qt; runs on a worker thread.
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <utility>
#include <vector>

namespace mooring {

struct ModelFacts {
    std::vector<std::pair<std::string, std::string>> lines; // title and finding, in order
    std::vector<std::string> problems; // why it cannot be trained
};

// Errors: Input if it is not a readable model folder.
Result<ModelFacts> modelFacts(const std::filesystem::path& folder);

} // namespace mooring
