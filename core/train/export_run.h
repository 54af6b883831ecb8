// SPDX-License-Identifier: GPL-3.0-or-later
// What a run has learned, out of its run folder into a folder that other programs read.
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

// Writes the newest whole checkpoint of a run to `out`, which must not be there yet; `notice` hears
// of each newer one that is passed over. Errors: Usage where the run has no such form, Input,
// Output.
Result<void> exportRun(const std::filesystem::path& run, ExportForm form,
    const std::filesystem::path& out, const std::function<void(const std::string&)>& notice);

} // namespace mooring
