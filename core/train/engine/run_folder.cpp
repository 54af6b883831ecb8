// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/engine/run_folder.h"
#include "core/routing/frame_file.h"
#include "core/train/run_reader.h"
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

const char* stateName(RunState state) {
    switch (state) {
    case RunState::Running:
        return "running";
    case RunState::Paused:
        return "paused";
    case RunState::Finished:
        return "finished";
    case RunState::Failed:
        return "failed";
    default:
        return "stopped";
    }
}

namespace {

// A folder holds a run once a trainer wrote its configuration there; control.jsonl may come before.
bool holdsRun(const fs::path& path) {
    return fs::exists(path / "manifest.json") || fs::exists(path / "run.toml");
}

Result<fs::path> freeFolder(const std::string& wish) {
    std::error_code failed;
    fs::path path = fs::absolute(wish, failed).lexically_normal();
    if (path.filename().empty())
        path = path.parent_path();
    const fs::path first = path;
    for (int i = 2; holdsRun(path); ++i)
        path = first.string() + "-" + std::to_string(i);
    fs::create_directories(path / "frames", failed);
    if (failed)
        return Error{ErrorCode::Output, "the run folder cannot be made, " + failed.message(),
            path.string(), "choose a folder that can be written (run.out)"};
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
    MOORING_CHECK(writeFileAtomically(path / "run.toml", writeRunConfig(config)));
    MOORING_TRY(folder.m_metrics, LineWriter::open(path / "metrics.jsonl"));
    MOORING_TRY(folder.m_training, LineWriter::open(path / "training.jsonl"));
    MOORING_TRY(folder.m_retention, LineWriter::open(path / "retention.jsonl"));
    MOORING_TRY(folder.m_events, LineWriter::open(path / "events.jsonl"));
    return folder;
}

Result<void> RunFolder::writeTraining(const TrainingFrame& frame) {
    return m_training->append(toJson(frame));
}
Result<void> RunFolder::writeRetention(const RetentionRow& row) {
    return m_retention->append(toJson(row));
}

Result<void> RunFolder::writeEvent(RunEvent event) {
    event.time = timeNow();
    return m_events->append(toJson(event));
}

Result<void> RunFolder::writeFrame(const RoutingFrame& frame, bool base) {
    return mooring::writeFrame(
        m_path / "frames" / (base ? "base.safetensors" : frameFileName(frame.step)), frame, base);
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
    // The failure itself is reported by the caller; a disk that is full here changes nothing about
    // it.
    (void)writeFileAtomically(folder / "manifest.json", manifest.dump(2) + "\n").ok();
}

} // namespace mooring
