// SPDX-License-Identifier: GPL-3.0-or-later
// The trainer's side of the run folder (docs/formats.md#run-folder): writes logs, frames and the
// manifest, reads control.jsonl. Used on the trainer's thread, but for the three logs of
// RetentionWorker.
#pragma once
#include "core/base/json_lines.h"
#include "core/config/run_config.h"
#include "core/files/atomic_folder.h"
#include "core/view/run_record.h"
#include "core/view/transitions.h"
#include "core/view/validity.h"
#include <optional>
#include <set>

namespace mooring {

class RunFolder {
public:
    // Creates the folder; if it already has a run, -2, -3, ... is appended. Errors: Output.
    static Result<RunFolder> create(RunConfig& config);
    // Locks the folder of a run and reads its manifest; changes nothing. Errors: Usage if there is
    // no run, Output if another process is training it.
    static Result<RunFolder> open(const std::filesystem::path& path);
    // Continues in an opened folder after `step`: removes what a killed trainer left partially
    // written and opens the logs. Events that they already have are not written again.
    Result<void> resumeAfter(
        std::int64_t step, std::uint64_t controlOffset, const RunConfig& config);

    const std::filesystem::path& path() const { return m_path; }
    Result<void> writeMetrics(const nlohmann::json& line) { return m_metrics->append(line); }
    Result<void> writeTraining(const TrainingFrame& frame);
    Result<void> writeRetention(const RetentionRow& row);
    Result<void> writeTransitions(const TransitionRow& row);
    Result<void> writeValidity(const ValidityRow& row);
    Result<void> writeEvent(RunEvent event); // the time is filled in
    Result<void> writeEvents(std::vector<RunEvent> events); // all of them or none
    std::filesystem::path framePath(std::int64_t step) const;
    Result<void> writeFrame(const RoutingFrame& frame, bool base);

    // manifest.json: `manifest` is what is known of the run; state, error and updated are filled
    // in.
    nlohmann::json manifest;
    Result<void> writeManifest(RunState state, const std::string& error = {});

    struct ControlLine {
        std::string text;
        std::uint64_t end = 0; // where it ends in control.jsonl
    };
    std::vector<ControlLine> newControlLines();
    Result<void> syncLogs(); // before a checkpoint says that their steps are saved
    std::uint64_t controlOffset() const { return m_control.offset(); }

private:
    explicit RunFolder(std::filesystem::path path);
    Result<void> openLogs();
    std::filesystem::path m_path;
    std::optional<FileLock> m_lock;
    std::optional<LineWriter> m_metrics, m_training, m_retention, m_transitions, m_validity,
        m_events;
    LineFollower m_control;
    std::multiset<std::string> m_told; // events of the earlier process after the step of the resume
};

std::string timeNow(); // ISO 8601 UTC

// An Error (Output) if the folder was removed during the run.
Result<void> checkPresence(const std::filesystem::path& runFolder);

// Sets state and error in the manifest of a run whose trainer has ended; best effort.
void markFailed(const std::filesystem::path& folder, const Error& error);

} // namespace mooring
