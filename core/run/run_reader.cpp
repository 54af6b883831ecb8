// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_reader.h"
#include "core/base/object_reader.h"
#include "core/files/atomic_folder.h"
#include "core/routing/frame_file.h"
#include "core/run/manifest_info.h"
#include <algorithm>

namespace mooring {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kLongestManifest = std::uint64_t{8} << 20;

bool isFile(const fs::path& path) {
    std::error_code absent;
    return fs::is_regular_file(path, absent);
}

bool isFolder(const fs::path& path) {
    std::error_code absent;
    return fs::is_directory(path, absent);
}

// Logs only grow, and a resumed run writes some steps again: the later line replaces the earlier
// one, and values stay in step order.
template <typename T, typename Same>
void place(std::vector<T>& values, T value, Same same) {
    const auto before = [](const T& a, const T& b) { return a.step < b.step; };
    auto at = std::lower_bound(values.begin(), values.end(), value, before);
    for (; at != values.end() && at->step == value.step; ++at)
        if (same(*at, value)) {
            *at = std::move(value);
            return;
        }
    values.insert(at, std::move(value));
}

// Reads the new lines of one log into `values`; `take` returns whether it could parse one.
template <typename T, typename Take>
bool follow(
    const fs::path& path, LineFollower& log, std::vector<T>& values, int& broken, Take take) {
    if (!isFile(path))
        return false; // a pipe would wait for a writer
    const auto lines = log.poll();
    if (log.startedAnew())
        values.clear();
    for (const std::string& line : lines) {
        const auto object = parseObject(line);
        if (!object || !take(*object))
            ++broken;
    }
    return !lines.empty() || log.startedAnew();
}

Error notARun(const fs::path& folder) {
    return {ErrorCode::Input, "this is neither a run folder nor a snapshot", folder.string(),
        "give a folder with a manifest.json that Mooring wrote"};
}

} // namespace

RunReader::RunReader(fs::path folder)
    : m_folder(std::move(folder))
    , m_metrics(m_folder / "metrics.jsonl")
    , m_retention(m_folder / "retention.jsonl")
    , m_training(m_folder / "training.jsonl")
    , m_events(m_folder / "events.jsonl") { }

Result<RunReader> RunReader::open(const fs::path& folder) {
    if (isFile(folder) && folder.extension() == ".zip")
        return Error{ErrorCode::Usage, "this is a zip file", folder.string(),
            "unzip it and give the folder"};
    if (!isFolder(folder))
        return notARun(folder);
    RunReader reader(folder);
    const bool base = isFile(reader.framePath(0));
    if (!isFile(folder / "manifest.json") && !isFile(folder / "run.toml") && !base)
        return notARun(folder);
    if (isFile(folder / "manifest.json")) {
        MOORING_TRY(const std::string text, readFile(folder / "manifest.json", kLongestManifest));
        if (!parseObject(text))
            return Error{ErrorCode::Input, "the manifest is not a JSON object",
                (folder / "manifest.json").string(), "copy the folder from its source again"};
    }
    RunInfo& info = reader.m_record.info;
    const fs::path named = fs::absolute(folder).lexically_normal();
    info.path = named.string();
    info.name = (named.has_filename() ? named : named.parent_path()).filename().string();
    // Only a snapshot has tables, and only a trainer leaves a lock file.
    info.snapshot = isFolder(folder / "tables") && !isFile(folder / "run.lock");
    reader.poll();
    if (base && info.layers.empty()) {
        // A folder written by `probe` has no manifest; the frame itself has the model's sizes.
        MOORING_TRY(const FramePtr frame, readFrame(reader.framePath(0)));
        info.layers = frame->layers;
        info.experts = frame->experts;
        info.topK = frame->topK;
        for (const DomainFrame& domain : frame->domains)
            info.probe.domains.push_back(domain.name);
    }
    return reader;
}

fs::path RunReader::framePath(std::int64_t step) const {
    return m_folder / "frames" / frameFileName(step);
}

bool RunReader::readManifest() {
    // The lock is checked first: a trainer writes its last state before it releases the lock.
    const bool held = FileLock::isHeld(m_folder / "run.lock");
    RunInfo& info = m_record.info;
    const RunState before = info.state;
    bool changed = false;
    if (auto text = readFile(m_folder / "manifest.json", kLongestManifest); text.ok())
        if (const auto manifest = parseObject(*text)) {
            changed = *text != m_manifestText;
            readManifestInfo(*manifest, info);
            m_manifestText = std::move(*text);
        }
    if (changed || info.totalSteps == 0)
        readConfigInfo(m_folder / "run.toml", info);
    const bool live = info.state == RunState::Running || info.state == RunState::Paused;
    // Checked again, since a trainer may have started in between.
    if (live && !info.snapshot && !held && !FileLock::isHeld(m_folder / "run.lock"))
        info.state = RunState::Interrupted;
    return changed || info.state != before;
}

bool RunReader::beyondItsEnd(std::int64_t step) const {
    return m_record.info.endedAt >= 0 && step > m_record.info.endedAt;
}

void RunReader::dropWhatIsBeyond() {
    const auto drop = [this](auto& values) {
        std::erase_if(values, [this](const auto& value) { return beyondItsEnd(value.step); });
    };
    drop(m_record.metrics);
    drop(m_record.retention);
    drop(m_record.training);
    if (beyondItsEnd(m_record.lastStep))
        m_record.lastStep = m_record.info.endedAt;
}

bool RunReader::readFrameSteps() {
    std::vector<std::int64_t> steps;
    std::error_code failed;
    for (fs::directory_iterator it(m_folder / "frames", failed), end; !failed && it != end;
         it.increment(failed))
        if (const auto step = frameStep(it->path().filename().string());
            step && *step > 0 && isFile(it->path()))
            steps.push_back(*step);
    std::sort(steps.begin(), steps.end());
    std::erase_if(steps, [this](std::int64_t step) { return beyondItsEnd(step); });
    if (steps == m_record.frameSteps)
        return false;
    m_record.frameSteps = std::move(steps);
    return true;
}

bool RunReader::poll() {
    const auto anyOfTheStep = [](const auto&, const auto&) { return true; };
    const auto sameDomain = [](const auto& a, const auto& b) { return a.domain == b.domain; };
    const auto placeIn = [](auto& values, auto value, auto same) {
        if (!value.ok())
            return false;
        place(values, std::move(*value), same);
        return true;
    };
    bool changed = readManifest();
    const auto readLog = [&](const char* name, LineFollower& log, auto& values, auto take) {
        changed |= follow(m_folder / name, log, values, m_brokenLines, take);
    };
    readLog("metrics.jsonl", m_metrics, m_record.metrics, [&](const auto& line) {
        auto metrics = stepMetricsFromJson(line);
        if (metrics.ok())
            m_record.lastStep = metrics->step;
        return placeIn(m_record.metrics, std::move(metrics), anyOfTheStep);
    });
    readLog("retention.jsonl", m_retention, m_record.retention, [&](const auto& line) {
        return placeIn(m_record.retention, retentionRowFromJson(line), sameDomain);
    });
    readLog("training.jsonl", m_training, m_record.training, [&](const auto& line) {
        return placeIn(m_record.training, trainingFrameFromJson(line), anyOfTheStep);
    });
    readLog("events.jsonl", m_events, m_record.events, [&](const auto& line) {
        auto event = runEventFromJson(line);
        if (event.ok())
            m_record.events.push_back(std::move(*event));
        return event.ok();
    });
    if (changed)
        dropWhatIsBeyond();
    return readFrameSteps() || changed;
}

} // namespace mooring
