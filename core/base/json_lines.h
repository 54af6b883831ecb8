// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mooring {

// Appends whole lines to a log: one write call a line, so that a reader never sees half of one.
// A full disk gives ErrorCode::Output and leaves the file as it was before the line.
class LineWriter {
public:
    static Result<LineWriter> open(const std::filesystem::path& path);
    LineWriter(LineWriter&& other) noexcept;
    LineWriter& operator=(LineWriter&& other) noexcept;
    ~LineWriter();
    Result<void> append(const nlohmann::json& object);

private:
    LineWriter(int file, std::filesystem::path path)
        : m_file(file)
        , m_path(std::move(path)) { }
    int m_file = -1;
    std::filesystem::path m_path;
};

// Follows a file that others append to: each poll gives the lines completed since the last one.
class LineFollower {
public:
    explicit LineFollower(std::filesystem::path path, std::uint64_t offset = 0)
        : m_path(std::move(path))
        , m_offset(offset) { }
    std::vector<std::string> poll(); // an absent file has no lines
    std::uint64_t offset() const { return m_offset; }

private:
    std::filesystem::path m_path;
    std::uint64_t m_offset;
};

// JSON text with non-finite numbers as null and invalid UTF-8 replaced, on one line.
std::string jsonLine(const nlohmann::json& object);

} // namespace mooring
