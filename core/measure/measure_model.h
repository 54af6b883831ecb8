// SPDX-License-Identifier: GPL-3.0-or-later
// Work on a model without training it, without torch in the header: for the command line and the
// window.
#pragma once
#include "core/config/run_config.h"
#include "core/evaluate/evaluate.h"
#include "core/view/routing_frame.h"
#include "core/view/run_progress.h"
#include <filesystem>

namespace mooring {

using MeasureProgress = std::function<bool(const RunProgress&)>; // false: stop

using MeasureNotice = std::function<void(const std::string& sentence)>;

// The base frame of a model on probe sets (`probe`). model.path, model.device, model.compute and
// probe are read. `notice`, where there is one, hears what people should know about the model.
Result<FramePtr> probeModel(
    const RunConfig& config, const MeasureProgress& progress, const MeasureNotice& notice = {});

// Accuracy on tasks (`eval`), of the model with the adapter in a folder on top of it where one is
// named. model, evaluate and run.seed are read.
Result<std::vector<TaskResult>> evaluateModel(const RunConfig& config,
    const MeasureProgress& progress, const MeasureNotice& notice = {},
    const std::filesystem::path& adapter = {});

} // namespace mooring
