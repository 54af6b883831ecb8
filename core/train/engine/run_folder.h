// SPDX-License-Identifier: GPL-3.0-or-later
// The trainer's side of the run folder (interfaces.md section 2): writes logs, frames and the
// manifest, reads control.jsonl. Used on the trainer's thread.
#pragma once
#include "core/base/json_lines.h"
#include "core/config/run_config.h"
#include "core/files/atomic_folder.h"
#include "core/view/run_record.h"
#include <optional>

namespace mooring {

class RunFolder {
public:
    // Makes the folder; where one with a run stands already, -2, -3 .. is appended. Errors: Output.
    static Result<RunFolder> create(RunConfig& config);

    const std::filesystem::path& path() const { return m_path; }
    Result<void> writeMetrics(const nlohmann::json& line) { return m_metrics->append(line); }
    Result<void> writeTraining(const TrainingFrame& frame);
    Result<void> writeRetention(const RetentionRow& row);
    Result<void> writeEvent(RunEvent event); // the time is filled in
    Result<void> writeFrame(const RoutingFrame& frame, bool base);

    // manifest.json: `manifest` is what is known of the run; state, error and updated are filled
    // in.
    nlohmann::json manifest;
    Result<void> writeManifest(RunState state, const std::string& error = {});

    std::vector<std::string> newControlLines() { return m_control.poll(); }
    std::uint64_t controlOffset() const { return m_control.offset(); }

private:
    explicit RunFolder(std::filesystem::path path);
    std::filesystem::path m_path;
    std::optional<FileLock> m_lock;
    std::optional<LineWriter> m_metrics, m_training, m_retention, m_events;
    LineFollower m_control;
};

std::string timeNow(); // ISO 8601 UTC

// Sets state and error in the manifest of a run whose trainer is gone; best effort.
void markFailed(const std::filesystem::path& folder, const Error& error);
const char* stateName(RunState state);

} // namespace mooring
