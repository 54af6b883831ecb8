// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/traced_snapshot.h"
#include "core/files/atomic_folder.h"
#include "core/routing/compare.h"
#include "core/routing/frame_file.h"
#include "core/run/measured_json.h"
#include "core/run/run_reader.h"
#include "core/run/run_state.h"
#include "core/run/snapshot.h"
#include "core/run/tables.h"

namespace mooring {

namespace fs = std::filesystem;

namespace {

nlohmann::json manifestOf(
    const RoutingFrame& frame, const ProbeSettings& probe, const std::string& name) {
    std::vector<std::string> domains;
    for (const auto& domain : frame.domains)
        domains.push_back(domain.name);
    return {{"mooring", "trace"}, {"name", name}, {"state", stateName(RunState::Finished)},
        {"layers", frame.layers}, {"E", frame.experts}, {"K", frame.topK}, {"steps", frame.step},
        {"probe",
            {{"rho", probe.rho}, {"resolution", probe.resolution},
                {"detector_seed", probe.detectorSeed}, {"domains", domains}}}};
}

template <typename Rows>
Result<void> writeLines(const fs::path& path, std::int64_t step, Rows& rows) {
    MOORING_TRY(auto log, LineWriter::open(path));
    for (auto& row : rows) {
        row.step = step;
        MOORING_RETURN_IF_ERROR(log.append(toJson(row)));
    }
    return {};
}

// The tuned frame with its agreement with the base, as a run's own frames have it.
RoutingFrame withOverlap(const RoutingFrame& frame, const std::vector<RetentionRow>& rows) {
    RoutingFrame with = frame;
    for (auto& domain : with.domains)
        for (const auto& row : rows)
            if (row.domain == domain.name) {
                domain.overlap_L.clear();
                for (const auto& layer : row.values)
                    domain.overlap_L.push_back(static_cast<float>(layer.overlap));
            }
    return with;
}

} // namespace

Result<void> writeTracedSnapshot(const RoutingFrame& base, const RoutingFrame& tuned,
    const ProbeSettings& probe, const std::string& name, const fs::path& out) {
    MOORING_RETURN_IF_ERROR(checkSnapshotPlace(out));
    MOORING_TRY(auto folder, AtomicFolder::create(out));
    const auto frames = folder.path() / "frames";
    std::error_code failed;
    fs::create_directory(frames, failed);
    const auto baseFile = frames / frameFileName(0), tunedFile = frames / frameFileName(tuned.step);
    MOORING_RETURN_IF_ERROR(writeFrame(baseFile, base, true));
    MOORING_RETURN_IF_ERROR(writeFrame(tunedFile, tuned, false));
    MOORING_TRY(auto found, compareFrames(baseFile, tunedFile, probe));
    MOORING_RETURN_IF_ERROR(writeFrame(tunedFile, withOverlap(tuned, found.retention), false));
    MOORING_RETURN_IF_ERROR(writeFileAtomically(
        folder.path() / "manifest.json", manifestOf(tuned, probe, name).dump(2) + "\n"));
    MOORING_RETURN_IF_ERROR(
        writeLines(folder.path() / "retention.jsonl", tuned.step, found.retention));
    MOORING_RETURN_IF_ERROR(
        writeLines(folder.path() / "validity.jsonl", tuned.step, found.validity));
    MOORING_RETURN_IF_ERROR(
        writeLines(folder.path() / "transitions.jsonl", tuned.step, found.transitions));
    MOORING_TRY(const FramePtr first, readFrame(baseFile));
    MOORING_TRY(FramePtr last, readFrame(tunedFile));
    MOORING_TRY(auto tables,
        TableWriter::create(folder.path(), first, probe, {found.validity, found.transitions}));
    MOORING_RETURN_IF_ERROR(tables.add(std::move(last)));
    MOORING_RETURN_IF_ERROR(tables.finish());
    return folder.commit();
}

} // namespace mooring
