// SPDX-License-Identifier: GPL-3.0-or-later
// What a model folder is, without loading its weights.
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <optional>
#include <vector>

namespace mooring {

// By its config.json, the headers of its weights and its text files. What the folder does not say
// is absent or empty.
struct ModelFacts {
    std::string family; // model_type
    std::optional<std::int64_t> layers, experts, topK, width, longestText;
    std::int64_t parameters = 0; // packed ones counted one by one
    std::vector<std::string> types; // of the weights: "BF16", "MXFP4"
    double bytes = 0; // of the weights
    std::size_t files = 0;
    std::optional<std::int64_t> vocabulary; // absent: the tokenizer cannot be read
    std::string chatTemplate; // its name; empty: it cannot be read
    std::vector<std::string> problems; // what stands in the way of training it, as sentences
};

// Errors: Input, where it is no model folder that can be read.
Result<ModelFacts> modelFacts(const std::filesystem::path& folder);

} // namespace mooring
