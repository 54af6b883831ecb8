// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_lines.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace mooring {

std::string jsonLine(const nlohmann::json& object) {
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<LineWriter> LineWriter::open(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0)
        return Error{ErrorCode::Output, std::string("cannot be written, ") + std::strerror(errno),
            path.string(), "choose a folder that can be written"};
    return LineWriter(file, path);
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
    const std::string line = jsonLine(object) + "\n";
    struct stat before = {};
    ::fstat(m_file, &before);
    std::size_t done = 0;
    while (done < line.size()) {
        const ssize_t n = ::write(m_file, line.data() + done, line.size() - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            const std::string reason = std::strerror(errno);
            // Take back the torn part; where that fails too, readers skip the broken line.
            if (done > 0 && ::ftruncate(m_file, before.st_size) != 0)
                return Error{ErrorCode::Output, "a line was cut off, " + reason, m_path.string(),
                    "free some space"};
            return Error{ErrorCode::Output, "cannot be written, " + reason, m_path.string(),
                "free some space"};
        }
        done += static_cast<std::size_t>(n);
    }
    return {};
}

std::vector<std::string> LineFollower::poll() {
    std::vector<std::string> lines;
    std::ifstream file(m_path, std::ios::binary);
    if (!file)
        return lines;
    file.seekg(0, std::ios::end);
    const auto size = static_cast<std::uint64_t>(file.tellg());
    if (size <= m_offset)
        return lines;
    std::string text(size - m_offset, '\0');
    file.seekg(static_cast<std::streamoff>(m_offset));
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        lines.push_back(text.substr(begin, end - begin));
    m_offset += begin;
    return lines;
}

} // namespace mooring
