// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/base_routing.h"
#include "core/routing/frame_file.h"
#include "core/routing/validity.h"

namespace mooring {

RunConfig probeOfFiles(const std::filesystem::path& model, const std::vector<std::string>& files) {
    RunConfig config;
    config.model.path = model.string();
    for (const auto& file : files) {
        ProbeSet set{std::filesystem::path(file).stem().string(), {file}};
        for (const ProbeSet& before : config.probe.sets)
            if (before.name == set.name)
                set.name.append("-").append(std::to_string(config.probe.sets.size() + 1));
        config.probe.sets.push_back(std::move(set));
    }
    return config;
}

Result<ScopeFigures> measureBaseRouting(
    const RunConfig& config, const std::filesystem::path& folder, const MeasureProgress& progress) {
    MOORING_TRY(const FramePtr frame, probeModel(config, progress));
    auto scope = scopeFigures(*frame);
    const ProbeSettings settings{
        config.probe.rho, config.probe.resolution, config.probe.detectorSeed, {}};
    const auto partitions = partitionDomains(*frame, settings);
    const auto rows = validity(partitions, partitions, settings, quickNullGraphs(*frame),
        [&] { return !progress({.phase = RunPhase::TestingCommunities}); });
    if (!rows)
        return Error{ErrorCode::Interrupted, "canceled", folder.string(), "start it again"};
    scope.verdict = scopeVerdict(scope, rows->back().mean);
    std::error_code failed;
    std::filesystem::create_directories(folder / "frames", failed);
    MOORING_RETURN_IF_ERROR(writeFrame(folder / "frames" / frameFileName(0), *frame, true));
    return scope;
}

} // namespace mooring
