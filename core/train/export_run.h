// SPDX-License-Identifier: GPL-3.0-or-later
// Exports what a run has learned from its run folder into a folder that other programs read.
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <functional>

namespace mooring {

enum class ExportForm {
    HuggingFace, // the whole model, the adapters of a LoRA run merged into its base
    Adapter, // a LoRA run's adapter for PEFT
    GgufReady // HuggingFace with what llama.cpp's converter needs besides
};

// Writes the newest complete checkpoint of a run to `out`, which must not exist; `notice`
// reports each newer one that is skipped. Errors: Usage if the run has no such form, Input,
// Output.
Result<void> exportRun(const std::filesystem::path& run, ExportForm form,
    const std::filesystem::path& out, const std::function<void(const std::string&)>& notice);

// Writes a model with a PEFT adapter of it merged in to `out`, which must not be there yet;
// `notice` hears what people should know. Errors: Input, Output; Device where memory is short.
Result<void> mergeAdapter(const std::filesystem::path& base, const std::filesystem::path& adapter,
    const std::filesystem::path& out, const std::function<void(const std::string&)>& notice);

} // namespace mooring
