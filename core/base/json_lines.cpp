// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_lines.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mooring {

std::string jsonLine(const nlohmann::json& object) {
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

LineWriter::LineWriter(LineWriter&& other) noexcept
    : m_file(std::exchange(other.m_file, -1))
    , m_path(std::move(other.m_path)) { }

LineWriter& LineWriter::operator=(LineWriter&& other) noexcept {
    std::swap(m_file, other.m_file);
    std::swap(m_path, other.m_path);
    return *this;
}

LineWriter::~LineWriter() {
    if (m_file >= 0)
        ::close(m_file);
}

Result<void> LineWriter::append(const nlohmann::json& object) {
    return write(jsonLine(object) + "\n");
}

Result<void> LineWriter::appendAll(const std::vector<nlohmann::json>& objects) {
    std::string text;
    for (const auto& object : objects)
        text += jsonLine(object) + "\n";
    return write(std::move(text));
}

Result<void> LineWriter::write(std::string text) {
    struct stat before = {};
    ::fstat(m_file, &before);
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t n = ::write(m_file, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            const std::string reason = std::strerror(errno);
            // Remove the partial line; if that fails too, readers skip the broken line.
            if (done > 0 && ::ftruncate(m_file, before.st_size) != 0)
                return Error{ErrorCode::Output, "a line was written only in part, " + reason,
                    m_path.string(), "free some space"};
            return Error{ErrorCode::Output, "cannot be written, " + reason, m_path.string(),
                "free some space"};
        }
        done += static_cast<std::size_t>(n);
    }
    return {};
}

Result<void> LineWriter::sync() {
    if (::fsync(m_file) == 0)
        return {};
    return Error{ErrorCode::Output,
        std::string("cannot be flushed to disk, ") + std::strerror(errno), m_path.string(),
        "check the disk"};
}

namespace {

// Where the last whole line ends.
std::uint64_t endOfWholeLines(int file, std::uint64_t size) {
    std::string chunk;
    while (size > 0) {
        const std::uint64_t begin = size - std::min<std::uint64_t>(size, 1 << 16);
        chunk.resize(size - begin);
        const ssize_t n = ::pread(file, chunk.data(), chunk.size(), static_cast<off_t>(begin));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        if (const auto last = chunk.rfind('\n', static_cast<std::size_t>(n) - 1);
            last != std::string::npos)
            return begin + last + 1;
        size = begin;
    }
    return 0;
}

std::uint64_t sizeOf(int file) {
    struct stat status = {};
    return ::fstat(file, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

} // namespace

Result<LineWriter> LineWriter::open(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0)
        return Error{ErrorCode::Output, std::string("cannot be written, ") + std::strerror(errno),
            path.string(), "choose a writable folder"};
    LineWriter writer(file, path);
    if (const auto size = sizeOf(file); size > 0 && endOfWholeLines(file, size) != size)
        MOORING_RETURN_IF_ERROR(writer.write("\n"));
    return writer;
}

Result<void> cutTornLine(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0)
        return {}; // there is none yet
    const auto size = sizeOf(file), whole = endOfWholeLines(file, size);
    const bool cut = whole == size || ::ftruncate(file, static_cast<off_t>(whole)) == 0;
    const std::string reason = std::strerror(errno);
    ::close(file);
    if (cut)
        return {};
    return Error{ErrorCode::Output, "its incomplete last line cannot be removed, " + reason,
        path.string(), "check the file's permissions"};
}

std::vector<std::string> LineFollower::poll() {
    m_startedAnew = false;
    std::vector<std::string> lines;
    const int file = ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return lines;
    struct stat status = {};
    ::fstat(file, &status);
    const auto size = static_cast<std::uint64_t>(std::max<off_t>(0, status.st_size));
    const std::pair identity(
        static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino));
    if (size < m_offset || (m_identity && *m_identity != identity)) {
        m_offset = 0;
        m_startedAnew = true;
    }
    m_identity = identity;
    std::string text(size - m_offset, '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t n = ::pread(
            file, text.data() + done, text.size() - done, static_cast<off_t>(m_offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break; // the rest comes with the next poll
        done += static_cast<std::size_t>(n);
    }
    ::close(file);
    text.resize(done);
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        lines.push_back(text.substr(begin, end - begin));
    m_offset += begin;
    return lines;
}

} // namespace mooring
