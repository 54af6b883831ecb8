// SPDX-License-Identifier: GPL-3.0-or-later
// A base model's routing on texts, without a run: for people who wait for it in the window.
#pragma once
#include "core/measure/measure_model.h"
#include "core/routing/scope.h"

namespace mooring {

// A probe of `model` on files, one domain each, named by the file.
RunConfig probeOfFiles(const std::filesystem::path& model, const std::vector<std::string>& files);

// Measures config.probe.sets and leaves the frame in `folder`, where a RunReader finds it. Quick
// null graphs decide the verdict. Errors: Interrupted where progress returned false.
Result<ScopeFigures> measureBaseRouting(
    const RunConfig& config, const std::filesystem::path& folder, const MeasureProgress& progress);

} // namespace mooring
