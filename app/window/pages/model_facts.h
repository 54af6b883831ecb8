// SPDX-License-Identifier: GPL-3.0-or-later
// What a model folder is, without loading its weights. No Qt; runs on a worker thread.
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <utility>
#include <vector>

namespace mooring {

struct ModelFacts {
    std::vector<std::pair<std::string, std::string>> lines; // title and finding, in order
    std::vector<std::string> problems; // what stands in the way of training it
};

// Errors: Input, where it is no model folder that can be read.
Result<ModelFacts> modelFacts(const std::filesystem::path& folder);

} // namespace mooring
