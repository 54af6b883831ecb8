// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace mooring {

struct ForwardOptions {
    std::filesystem::path model;
    std::vector<std::vector<std::int32_t>> ids; // rows may differ in length
    std::filesystem::path out;
    std::filesystem::path adapter; // the folder of a PEFT adapter; empty: none
    bool grads = false; // of the adapter alone where there is one
    std::string compute = "fp32";
    std::string device = "cpu";
    std::function<void(const std::string&)> notice = {}; // hears what people should know
};

// One bias-free forward of token rows, written as safetensors (docs/formats.md#forward):
// logits, raw router logits, choices, combine weights, loss and, where asked, the gradient of every
// tensor that trains.
Result<void> forwardToFile(const ForwardOptions& options);

} // namespace mooring
