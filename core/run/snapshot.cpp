// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/snapshot.h"
#include "core/files/atomic_folder.h"
#include "core/routing/frame_file.h"
#include "core/run/run_reader.h"
#include "core/run/tables.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace mooring {

namespace fs = std::filesystem;

namespace {

bool isFile(const fs::path& path) {
    std::error_code absent;
    return fs::is_regular_file(path, absent);
}

Error notWritten(const fs::path& path, const std::string& reason) {
    return {ErrorCode::Output, "the snapshot cannot be written, " + reason, path.string(),
        "free some space or choose another folder"};
}

// How many bytes of a log end with a whole line. A trainer may be appending to it right now.
std::uint64_t wholeLines(std::ifstream& file) {
    file.seekg(0, std::ios::end);
    auto end = static_cast<std::uint64_t>(std::max<std::streamoff>(file.tellg(), 0));
    std::string chunk;
    while (end > 0) {
        const std::uint64_t begin = end - std::min<std::uint64_t>(end, 1 << 16);
        chunk.resize(end - begin);
        file.seekg(static_cast<std::streamoff>(begin));
        if (!file.read(chunk.data(), static_cast<std::streamsize>(chunk.size())))
            return 0;
        if (const auto last = chunk.rfind('\n'); last != std::string::npos)
            return begin + last + 1;
        end = begin;
    }
    return 0;
}

Result<void> copyLog(const fs::path& from, const fs::path& to) {
    std::ifstream source(from, std::ios::binary);
    if (!source)
        return Error{ErrorCode::Input, "the log cannot be read", from.string(),
            "check the file's permissions"};
    std::uint64_t left = wholeLines(source);
    source.seekg(0);
    std::ofstream copy(to, std::ios::binary);
    std::string chunk(1 << 20, '\0');
    errno = 0;
    while (left > 0 && copy) {
        const auto part = static_cast<std::streamsize>(std::min<std::uint64_t>(left, chunk.size()));
        if (!source.read(chunk.data(), part))
            return Error{ErrorCode::Input, "the log was truncated while it was being read",
                from.string(), "try again"};
        copy.write(chunk.data(), part);
        left -= static_cast<std::uint64_t>(part);
    }
    copy.close();
    if (copy.fail())
        return notWritten(to, std::strerror(errno ? errno : EIO));
    return {};
}

Result<void> copyFile(const fs::path& from, const fs::path& to) {
    std::error_code failed;
    fs::copy_file(from, to, failed);
    if (failed)
        return notWritten(to, failed.message());
    return {};
}

Result<void> copyTexts(const fs::path& from, const fs::path& to) {
    for (const char* name : {"manifest.json", "run.toml"})
        if (isFile(from / name))
            MOORING_RETURN_IF_ERROR(copyFile(from / name, to / name));
    for (const char* name : {"events.jsonl", "metrics.jsonl", "retention.jsonl", "training.jsonl",
             "transitions.jsonl", "validity.jsonl"})
        if (isFile(from / name))
            MOORING_RETURN_IF_ERROR(copyLog(from / name, to / name));
    return {};
}

// The frames to take, the base not among them.
Result<std::vector<std::int64_t>> chosenSteps(
    const RunReader& run, const fs::path& folder, std::optional<std::int64_t> step) {
    const auto& steps = run.record().frameSteps;
    if (!step)
        return steps;
    if (*step == 0)
        return std::vector<std::int64_t>{};
    if (std::binary_search(steps.begin(), steps.end(), *step))
        return std::vector{*step};
    return Error{ErrorCode::Input, "no probe frame at step " + std::to_string(*step),
        folder.string(),
        steps.empty() ? std::string("only the base was probed; use step 0")
                      : "probe frames exist from step " + std::to_string(steps.front()) + " to "
                + std::to_string(steps.back()) + ", one per probe"};
}

// Copies a frame and reads the copy, so that unreadable frames never enter a snapshot.
Result<FramePtr> takeFrame(const RunReader& run, std::int64_t step, const fs::path& folder) {
    const fs::path copy = folder / "frames" / frameFileName(step);
    if (!isFile(run.framePath(step)))
        return Error{ErrorCode::Input, "the probe frame is missing", run.framePath(step).string(),
            "a snapshot needs a run with probe sets (probe.sets)"};
    MOORING_RETURN_IF_ERROR(copyFile(run.framePath(step), copy));
    return readFrame(copy);
}

} // namespace

Result<void> checkSnapshotPlace(const fs::path& out) {
    std::error_code failed;
    if (!fs::exists(fs::symlink_status(out, failed)) || fs::is_empty(out, failed))
        return {};
    const auto standing = RunReader::open(out);
    if (standing.ok() && standing->record().info.snapshot)
        return {};
    return Error{ErrorCode::Output, "the folder already exists and is not a snapshot", out.string(),
        "choose another name"};
}

Result<void> writeSnapshot(
    const fs::path& runFolder, const fs::path& out, std::optional<std::int64_t> step) {
    MOORING_TRY(const RunReader run, RunReader::open(runFolder));
    MOORING_RETURN_IF_ERROR(checkSnapshotPlace(out));
    MOORING_TRY(const auto steps, chosenSteps(run, runFolder, step));
    MOORING_TRY(auto folder, AtomicFolder::create(out));
    std::error_code failed;
    fs::create_directory(folder.path() / "frames", failed);
    if (failed)
        return notWritten(out, failed.message());
    MOORING_RETURN_IF_ERROR(copyTexts(runFolder, folder.path()));
    MOORING_TRY(FramePtr base, takeFrame(run, 0, folder.path()));
    const ProbeSettings& probe = run.record().info.probe;
    MOORING_TRY(auto tables,
        TableWriter::create(
            folder.path(), std::move(base), probe, readKnownRows(folder.path(), probe)));
    for (const std::int64_t each : steps) {
        MOORING_TRY(FramePtr frame, takeFrame(run, each, folder.path()));
        MOORING_RETURN_IF_ERROR(tables.add(std::move(frame)));
    }
    MOORING_RETURN_IF_ERROR(tables.finish());
    return folder.commit();
}

} // namespace mooring
