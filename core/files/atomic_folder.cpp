// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/atomic_folder.h"
#include "core/files/file_io.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace mooring {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kNewTag = ".part-";
constexpr std::string_view kOldTag = ".old-";

bool isFolder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(fs::symlink_status(path, ignored));
}

bool isOccupied(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

void removeTree(const fs::path& path) {
    std::error_code ignored;
    fs::remove_all(path, ignored);
}

enum class Lock { Taken, Busy, Unsupported };

// Locks a folder's descriptor, and makes sure that the path still means that folder.
Lock lockFolder(const UniqueFd& folder, const fs::path& path) {
    if (::flock(folder.get(), LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? Lock::Busy : Lock::Unsupported;
    struct stat opened = {};
    struct stat named = {};
    if (::fstat(folder.get(), &opened) != 0 || ::lstat(path.c_str(), &named) != 0
        || opened.st_ino != named.st_ino || opened.st_dev != named.st_dev)
        return Lock::Busy;
    return Lock::Taken;
}

UniqueFd openFolder(const fs::path& path) {
    return UniqueFd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

std::vector<fs::path> besides(const fs::path& place, std::string_view tag) {
    const std::string prefix = "." + place.filename().string() + std::string(tag);
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator it(place.parent_path(), error), end; !error && it != end;
         it.increment(error))
        if (it->path().filename().string().starts_with(prefix) && isFolder(it->path()))
            found.push_back(it->path());
    return found;
}

// Cleans up what a killed process left next to the destination.
void sweep(const fs::path& place) {
    for (const fs::path& old : besides(place, kOldTag)) {
        std::error_code ignored;
        if (isOccupied(place))
            removeTree(old);
        else
            fs::rename(old, place, ignored);
    }
    for (const fs::path& left : besides(place, kNewTag)) {
        const UniqueFd folder = openFolder(left);
        if (folder && lockFolder(folder, left) == Lock::Taken)
            removeTree(left);
    }
}

Result<void> syncTree(const fs::path& root) {
    std::error_code error;
    for (fs::recursive_directory_iterator it(root, error), end; !error && it != end;
         it.increment(error)) {
        const auto status = it->symlink_status(error);
        if (!error && (fs::is_regular_file(status) || fs::is_directory(status)))
            MOORING_RETURN_IF_ERROR(syncPath(it->path()));
    }
    if (error)
        return writeError(root, error.value());
    return syncPath(root);
}

Result<void> replaceFolder(const fs::path& temporary, const fs::path& place) {
    if (!isOccupied(place)) {
        if (::rename(temporary.c_str(), place.c_str()) != 0)
            return writeError(place, errno);
        return syncParent(place);
    }
    if (!isFolder(place))
        return Error{ErrorCode::Output, "is a file, but a folder is to be written there",
            place.string(), "choose another name"};
    // One step: a reader, or a crash, sees the old folder or the new one, never none.
    if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, place.c_str(), RENAME_EXCHANGE) == 0) {
        MOORING_RETURN_IF_ERROR(syncParent(place));
        removeTree(temporary);
        return {};
    }
    if (errno != EINVAL && errno != ENOSYS)
        return writeError(place, errno);
    return replaceFolderInTwoSteps(temporary, place);
}

} // namespace

Result<void> replaceFolderInTwoSteps(const fs::path& temporary, const fs::path& place) {
    const fs::path aside = temporaryBeside(place, kOldTag);
    if (::rename(place.c_str(), aside.c_str()) != 0)
        return writeError(place, errno);
    if (::rename(temporary.c_str(), place.c_str()) != 0) {
        const Error error = writeError(place, errno);
        std::error_code ignored;
        fs::rename(aside, place, ignored);
        return error;
    }
    MOORING_RETURN_IF_ERROR(syncParent(place));
    removeTree(aside);
    return {};
}

AtomicFolder::AtomicFolder(fs::path place, fs::path temporary, int lock)
    : m_place(std::move(place))
    , m_temporary(std::move(temporary))
    , m_lock(lock) { }

AtomicFolder::AtomicFolder(AtomicFolder&& other) noexcept
    : m_place(std::move(other.m_place))
    , m_temporary(std::exchange(other.m_temporary, {}))
    , m_lock(std::exchange(other.m_lock, -1)) { }

AtomicFolder& AtomicFolder::operator=(AtomicFolder&& other) noexcept {
    std::swap(m_place, other.m_place);
    std::swap(m_temporary, other.m_temporary);
    std::swap(m_lock, other.m_lock);
    return *this;
}

AtomicFolder::~AtomicFolder() {
    if (!m_temporary.empty())
        removeTree(m_temporary);
    if (m_lock >= 0)
        ::close(m_lock);
}

Result<AtomicFolder> AtomicFolder::create(const fs::path& place) {
    std::error_code error;
    // A link at the place stays one: what it points to is replaced, on that disk.
    const fs::path full = fs::weakly_canonical(fs::absolute(place), error);
    const fs::path target = full.has_filename() ? full : full.parent_path();
    if (error || !target.has_filename())
        return writeError(place, error ? error.value() : EINVAL);
    if (isOccupied(target) && !isFolder(target))
        return writeError(place, ENOTDIR);
    fs::create_directories(target.parent_path(), error);
    if (error)
        return writeError(target.parent_path(), error.value());
    sweep(target);
    // Another process may clean up our folder between mkdir and flock; then try the next name.
    for (int attempt = 0; attempt < 1000; ++attempt) {
        const fs::path temporary = temporaryBeside(target, kNewTag);
        if (::mkdir(temporary.c_str(), 0755) != 0) {
            if (errno == EEXIST)
                continue;
            return writeError(target, errno);
        }
        UniqueFd folder = openFolder(temporary);
        if (folder && lockFolder(folder, temporary) != Lock::Busy)
            return AtomicFolder(target, temporary, folder.release());
        removeTree(temporary);
    }
    return writeError(target, EEXIST);
}

Result<void> AtomicFolder::commit() {
    if (m_temporary.empty())
        return Error{ErrorCode::Output, "was already committed", m_place.string(), ""};
    MOORING_RETURN_IF_ERROR(syncTree(m_temporary));
    MOORING_RETURN_IF_ERROR(replaceFolder(m_temporary, m_place));
    m_temporary.clear();
    return {};
}

} // namespace mooring
