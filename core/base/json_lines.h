// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mooring {

// Appends whole lines to a log: one write call per line, so that a reader never sees half of one. A
// full disk gives ErrorCode::Output and leaves the file as it was before the line. A partial line
// from a killed writer is terminated first, so that it damages only itself.
class LineWriter {
public:
    static Result<LineWriter> open(const std::filesystem::path& path);
    LineWriter(LineWriter&& other) noexcept;
    LineWriter& operator=(LineWriter&& other) noexcept;
    ~LineWriter();
    Result<void> append(const nlohmann::json& object);
    Result<void> appendAll(const std::vector<nlohmann::json>& objects); // all of them or none
    Result<void> sync(); // to the disk

private:
    LineWriter(int file, std::filesystem::path path)
        : m_file(file)
        , m_path(std::move(path)) { }
    Result<void> write(std::string text);
    int m_file = -1;
    std::filesystem::path m_path;
};

// Deletes what follows the last complete line, left by a killed writer. Only for a log that nobody
// else writes.
Result<void> cutTornLine(const std::filesystem::path& path);

// Follows a file that others append to: each poll returns the lines completed since the last one. A
// file that was truncated or replaced is read from its start.
class LineFollower {
public:
    explicit LineFollower(std::filesystem::path path, std::uint64_t offset = 0)
        : m_path(std::move(path))
        , m_offset(offset) { }
    std::vector<std::string> poll(); // an absent file has no lines
    std::uint64_t offset() const { return m_offset; }
    bool startedAnew() const { return m_startedAnew; } // by the last poll

private:
    std::filesystem::path m_path;
    std::uint64_t m_offset;
    std::optional<std::pair<std::uint64_t, std::uint64_t>> m_identity; // device and inode
    bool m_startedAnew = false;
};

// JSON text with non-finite numbers as null and invalid UTF-8 replaced, on one line.
std::string jsonLine(const nlohmann::json& object);

} // namespace mooring
