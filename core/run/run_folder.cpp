// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_folder.h"
#include "core/base/object_reader.h"
#include "core/routing/frame_file.h"
#include "core/run/measured_json.h"
#include "core/run/run_reader.h"
#include "core/run/run_state.h"
#include <chrono>
#include <ctime>

namespace mooring {

namespace fs = std::filesystem;

std::string timeNow() {
    const auto now = std::chrono::system_clock::now();
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    std::tm utc = {};
    gmtime_r(&seconds, &utc);
    char text[40];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

namespace {

// A folder holds a run once a trainer wrote its configuration there; control.jsonl may come before.
bool holdsRun(const fs::path& path) {
    return fs::exists(path / "manifest.json") || fs::exists(path / "run.toml");
}

Result<fs::path> freeFolder(const std::string& request) {
    std::error_code failed;
    fs::path path = fs::absolute(request, failed).lexically_normal();
    if (path.filename().empty())
        path = path.parent_path();
    const fs::path first = path;
    for (int i = 2; holdsRun(path); ++i)
        path = first.string() + "-" + std::to_string(i);
    fs::create_directories(path / "frames", failed);
    if (failed)
        return Error{ErrorCode::Output, "the run folder cannot be created, " + failed.message(),
            path.string(), "choose a writable folder (run.out)"};
    return path;
}

} // namespace

RunFolder::RunFolder(fs::path path)
    : m_path(std::move(path))
    , m_control(m_path / "control.jsonl") { }

Result<RunFolder> RunFolder::create(RunConfig& config) {
    if (config.run.out.empty())
        config.run.out = "runs/" + config.run.name;
    MOORING_TRY(auto path, freeFolder(config.run.out));
    config.run.out = path.string();
    RunFolder folder(path);
    MOORING_TRY(folder.m_lock, FileLock::acquire(path / "run.lock"));
    MOORING_RETURN_IF_ERROR(writeFileAtomically(path / "run.toml", writeRunConfig(config)));
    MOORING_RETURN_IF_ERROR(folder.openLogs());
    return folder;
}

Result<void> RunFolder::openLogs() {
    MOORING_TRY(m_metrics, LineWriter::open(m_path / "metrics.jsonl"));
    MOORING_TRY(m_training, LineWriter::open(m_path / "training.jsonl"));
    MOORING_TRY(m_retention, LineWriter::open(m_path / "retention.jsonl"));
    MOORING_TRY(m_transitions, LineWriter::open(m_path / "transitions.jsonl"));
    MOORING_TRY(m_validity, LineWriter::open(m_path / "validity.jsonl"));
    MOORING_TRY(m_events, LineWriter::open(m_path / "events.jsonl"));
    return {};
}

Result<RunFolder> RunFolder::open(const fs::path& path) {
    std::error_code failed;
    if (!fs::is_regular_file(path / "run.toml", failed))
        return Error{ErrorCode::Usage, "is not a run folder: it has no run.toml", path.string(),
            "give the folder that mooring-cli train printed"};
    RunFolder folder(fs::absolute(path, failed).lexically_normal());
    auto lock = FileLock::acquire(folder.m_path / "run.lock");
    if (!lock.ok() && FileLock::isHeld(folder.m_path / "run.lock"))
        return Error{ErrorCode::Output, "another process is training this run", path.string(),
            "wait until it finishes, or control it with the commands set and do"};
    MOORING_TRY(folder.m_lock, std::move(lock));
    if (const auto text = readFile(folder.m_path / "manifest.json"); text.ok())
        folder.manifest = nlohmann::json::parse(*text, nullptr, false);
    if (!folder.manifest.is_object()) // killed before it was written
        folder.manifest = nlohmann::json::object();
    return folder;
}

namespace {

// An event's identity, regardless of its time.
std::string identityOf(const RunEvent& event) {
    auto json = toJson(event);
    json.erase("time");
    json.erase("control_offset");
    return jsonLine(json);
}

// Temporary files and folders of a killed trainer; the lock's owner is the only writer.
void sweep(const fs::path& folder) {
    std::error_code failed;
    std::vector<fs::path> left;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end;
         it.increment(failed)) {
        const std::string name = it->path().filename().string();
        if (name.ends_with(".part") || name.starts_with(".deleted-")
            || (name.starts_with(".") && name.find(".part-") != std::string::npos))
            left.push_back(it->path());
    }
    for (const auto& path : left)
        fs::remove_all(path, failed);
}

} // namespace

Result<void> RunFolder::resumeAfter(
    std::int64_t step, std::uint64_t controlOffset, const RunConfig& config) {
    std::error_code failed;
    fs::create_directories(m_path / "frames", failed);
    for (const char* room : {"", "frames", "checkpoints"})
        sweep(m_path / room);
    for (const char* log : {"metrics.jsonl", "training.jsonl", "retention.jsonl",
             "transitions.jsonl", "validity.jsonl", "events.jsonl", "eval.jsonl", "samples.jsonl"})
        MOORING_RETURN_IF_ERROR(cutTornLine(m_path / log));
    for (const auto& line : LineFollower(m_path / "events.jsonl").poll())
        if (const auto object = parseObject(line))
            if (const auto event = runEventFromJson(*object); event.ok() && event->step > step)
                m_told.insert(identityOf(*event));
    MOORING_RETURN_IF_ERROR(writeFileAtomically(m_path / "run.toml", writeRunConfig(config)));
    m_control = LineFollower(m_path / "control.jsonl", controlOffset);
    return openLogs();
}

Result<void> checkPresence(const fs::path& runFolder) {
    std::error_code failed;
    if (fs::exists(runFolder / "run.lock", failed))
        return {};
    return Error{ErrorCode::Output, "the run folder was removed during the run", runFolder.string(),
        "its checkpoints and logs are lost; start the run again"};
}

std::vector<RunFolder::ControlLine> RunFolder::newControlLines() {
    std::vector<ControlLine> lines;
    for (auto& text : m_control.poll())
        lines.push_back({std::move(text), 0});
    std::uint64_t end = m_control.offset();
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        line->end = end;
        end -= line->text.size() + 1;
    }
    return lines;
}

Result<void> RunFolder::syncLogs() {
    for (auto* log :
        {&m_metrics, &m_training, &m_retention, &m_transitions, &m_validity, &m_events})
        MOORING_RETURN_IF_ERROR((*log)->sync());
    return {};
}

Result<void> RunFolder::writeTraining(const TrainingFrame& frame) {
    return m_training->append(toJson(frame));
}
Result<void> RunFolder::writeRetention(const RetentionRow& row) {
    return m_retention->append(toJson(row));
}
Result<void> RunFolder::writeTransitions(const TransitionRow& row) {
    return m_transitions->append(toJson(row));
}
Result<void> RunFolder::writeValidity(const ValidityRow& row) {
    return m_validity->append(toJson(row));
}

Result<void> RunFolder::writeEvent(RunEvent event) {
    return writeEvents({std::move(event)});
}

Result<void> RunFolder::writeEvents(std::vector<RunEvent> events) {
    std::vector<nlohmann::json> lines;
    for (auto& event : events) {
        if (const auto told = m_told.find(identityOf(event)); told != m_told.end()) {
            m_told.erase(told);
            continue;
        }
        event.time = timeNow();
        lines.push_back(toJson(event));
    }
    return lines.empty() ? Result<void>() : m_events->appendAll(lines);
}

fs::path RunFolder::framePath(std::int64_t step) const {
    return m_path / "frames" / frameFileName(step); // 0: the base
}

Result<void> RunFolder::writeFrame(const RoutingFrame& frame, bool base) {
    return mooring::writeFrame(framePath(base ? 0 : frame.step), frame, base);
}

Result<void> RunFolder::writeManifest(RunState state, const std::string& error) {
    manifest["state"] = stateName(state);
    manifest["error"] = error;
    manifest["updated"] = timeNow();
    return writeFileAtomically(m_path / "manifest.json",
        manifest.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void markFailed(const fs::path& folder, const Error& error) {
    const auto text = readFile(folder / "manifest.json");
    auto manifest
        = text.ok() ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json::object();
    if (!manifest.is_object())
        manifest = nlohmann::json::object();
    manifest["state"] = stateName(RunState::Failed);
    manifest["error"] = error.message();
    manifest["exit_code"] = static_cast<int>(error.code); // a full disk is not a run's own failure
    manifest["updated"] = timeNow();
    // The caller reports the failure itself; a full disk here does not change
    // that.
    (void)writeFileAtomically(folder / "manifest.json", manifest.dump(2) + "\n").ok();
}

} // namespace mooring
