// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a run folder or a snapshot folder, live or finished, without taking a lock.
#pragma once
#include "core/base/json_lines.h"
#include "core/run/measured_json.h"
#include "core/view/run_record.h"

namespace mooring {

// The lines of the logs. What was not measured is NaN or empty in a value, absent or null in its
// JSON. Errors (Input) name the key.
nlohmann::json toJson(const StepMetrics& metrics);
nlohmann::json toJson(const TrainingFrame& frame);
nlohmann::json toJson(const RunEvent& event);
Result<StepMetrics> stepMetricsFromJson(const nlohmann::json& object);
Result<TrainingFrame> trainingFrameFromJson(const nlohmann::json& object);
Result<RunEvent> runEventFromJson(const nlohmann::json& object);

// The `what` of a line of control.jsonl that was not understood; `after` is then the line, as the
// JSON text of a string.
inline constexpr const char* kRejected = "rejected";

// Follows one folder. poll() reads what was added since the last call; the last line of a step (and
// domain) counts. Logs only grow: a run that was resumed and ended earlier than its life before has
// lines and frames of later steps, which are no part of it and are not in the record. Invalid lines
// are skipped and counted. Used from one thread.
class RunReader {
public:
    // Errors: Usage for a zip, Input for a folder that holds neither a run nor a snapshot.
    static Result<RunReader> open(const std::filesystem::path& folder);
    bool poll(); // true: something is new
    const RunRecord& record() const { return m_record; }
    std::filesystem::path framePath(std::int64_t step) const; // 0: the base frame
    int brokenLines() const { return m_brokenLines; }

private:
    RunReader(std::filesystem::path folder);
    bool readManifest();
    bool readFrameSteps();
    bool beyondItsEnd(std::int64_t step) const; // where the manifest says how far it came
    void dropWhatIsBeyond();
    std::filesystem::path m_folder;
    RunRecord m_record;
    LineFollower m_metrics, m_retention, m_training, m_events;
    std::string m_manifestText;
    int m_brokenLines = 0;
};

} // namespace mooring
