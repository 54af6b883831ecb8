// SPDX-License-Identifier: GPL-3.0-or-later
// The two files of a PEFT adapter.
#pragma once
#include "core/files/safetensors.h"
#include "core/model/peft/adapter_config.h"
#include <ATen/ATen.h>
#include <filesystem>
#include <map>

namespace mooring {

struct AdapterFile {
    AdapterConfig config;
    std::filesystem::path path; // of the tensors
    // By their names in the file, in its own types; experts that stand one by one, as before
    // transformers 5, are stacked under the name that they have now.
    std::map<std::string, at::Tensor> tensors;
    std::shared_ptr<const SafetensorsFile> file; // holds the bytes

    // Errors (Input): a file that is missing or broken, a tensor of integers, a config that is
    // refused (adapter_config.h). `family` is the base's model_type.
    static Result<AdapterFile> open(const std::filesystem::path& folder, const std::string& family);
};

} // namespace mooring
