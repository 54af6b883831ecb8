// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/atomic_folder.h"
#include "core/files/file_io.h"
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace mooring {

Result<FileLock> FileLock::acquire(const std::filesystem::path& path) {
    UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (!file)
        return writeError(path, errno);
    // isHeld() of a watching window holds the lock for a moment, which must not make a start fail.
    constexpr int kAttempts = 20;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0)
            return FileLock(file.release());
        if (errno != EWOULDBLOCK && errno != EINTR)
            return writeError(path, errno);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return Error{ErrorCode::Output, "is in use by another process", path.string(),
        "wait until it finishes, or choose another folder"};
}

bool FileLock::isHeld(const std::filesystem::path& path) {
    UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    return file && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

FileLock::FileLock(FileLock&& other) noexcept
    : m_file(std::exchange(other.m_file, -1)) { }

FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(m_file, other.m_file);
    return *this;
}

FileLock::~FileLock() {
    if (m_file >= 0)
        ::close(m_file);
}

} // namespace mooring
