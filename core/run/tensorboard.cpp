// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/tensorboard.h"
#include "core/files/atomic_folder.h"
#include "core/run/event_file.h"
#include "core/run/run_reader.h"
#include <chrono>
#include <map>

namespace mooring {

namespace fs = std::filesystem;

namespace {

// Seconds since 1970 at which each step ended: the log's last line was written when the file was,
// those before it earlier by the time that steps took. Time spent paused is unknown.
std::map<std::int64_t, double> wallTimes(const fs::path& log, const RunRecord& record) {
    std::error_code failed;
    const auto written
        = std::chrono::file_clock::to_sys(fs::last_write_time(log, failed)).time_since_epoch();
    double at = failed ? 0 : std::chrono::duration<double>(written).count();
    std::map<std::int64_t, double> times;
    for (auto step = record.metrics.rbegin(); step != record.metrics.rend(); ++step) {
        times[step->step] = at;
        at -= step->stepSeconds;
    }
    times.emplace(0, at);
    return times;
}

// The time of the last step that had ended by then.
double timeOf(const std::map<std::int64_t, double>& times, std::int64_t step) {
    const auto after = times.upper_bound(step);
    return after == times.begin() ? after->second : std::prev(after)->second;
}

void addMetrics(EventFile& file, const StepMetrics& m, double time) {
    const auto add
        = [&](const std::string& tag, double value) { file.addScalar(tag, value, m.step, time); };
    if (m.heldOutCe)
        add("loss/held_out_ce", *m.heldOutCe);
    if (m.heldOutCeBiased)
        add("loss/held_out_ce_biased", *m.heldOutCeBiased);
    if (m.step == 0) // before the first step nothing else was measured
        return;
    add("loss/ce", m.ce);
    add("loss/total", m.total);
    for (const auto& [id, term] : m.terms) {
        add("terms/" + id + "/raw", term.raw);
        add("terms/" + id + "/scaled", term.scaled);
    }
    add("control/beta", m.beta);
    for (const auto& [id, strength] : m.strengths)
        add("control/strength/" + id, strength);
    add("control/lr", m.lr);
    add("optimizer/grad_norm", m.gradNorm);
    add("optimizer/clip_factor", m.clipFactor);
    if (m.clipFactorRouter)
        add("optimizer/clip_factor_router", *m.clipFactorRouter);
    add("router/drift", m.routerDrift);
    add("speed/tokens_per_second", m.tokensPerSecond);
    add("speed/step_seconds", m.stepSeconds);
    add("speed/memory_bytes", m.memoryBytes);
}

void addRetention(EventFile& file, const RetentionRow& row, double time) {
    for (const auto& [key, field] : retentionKeys())
        file.addScalar("retention/" + row.domain + "/" + key, row.mean.*field, row.step, time);
}

// One line of the text panel a live change.
std::string changeText(const RunEvent& event) {
    std::string text
        = "step " + std::to_string(event.step) + ", " + event.source + ": " + event.what;
    if (!event.after.empty())
        text += " from " + (event.before.empty() ? "nothing" : event.before) + " to " + event.after;
    if (event.rampSteps > 0)
        text += " over " + std::to_string(event.rampSteps) + " steps";
    return text;
}

EventFile eventsOf(const fs::path& run, const RunRecord& record) {
    EventFile file;
    const auto times = wallTimes(run / "metrics.jsonl", record);
    if (const auto config = readFile(run / "run.toml"); config.ok())
        file.addText("run.toml", "```toml\n" + *config + "\n```", 0, timeOf(times, 0));
    for (const auto& metrics : record.metrics)
        addMetrics(file, metrics, timeOf(times, metrics.step));
    for (const auto& row : record.retention)
        addRetention(file, row, timeOf(times, row.step));
    for (const auto& event : record.events)
        file.addText("changes", changeText(event), event.step, timeOf(times, event.step));
    return file;
}

} // namespace

Result<void> exportTensorBoard(const fs::path& run, const fs::path& out) {
    MOORING_TRY(auto reader, RunReader::open(run));
    reader.poll();
    const RunRecord& record = reader.record();
    if (record.metrics.empty())
        return Error{ErrorCode::Input, "has no finished step", run.string(),
            "export a run whose metrics.jsonl has lines"};
    std::error_code failed;
    if (fs::exists(out, failed) && !fs::is_empty(out, failed))
        return Error{ErrorCode::Output, "already exists", out.string(),
            "choose a folder that does not exist yet"};
    MOORING_TRY(auto folder, AtomicFolder::create(out));
    // TensorBoard takes every file whose name holds "tfevents".
    MOORING_RETURN_IF_ERROR(writeFileAtomically(
        folder.path() / "events.out.tfevents.0.mooring", eventsOf(run, record).bytes()));
    return folder.commit();
}

} // namespace mooring
