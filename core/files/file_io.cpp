// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/file_io.h"
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace mooring {
namespace {

std::string reason(int number) {
    return std::generic_category().message(number);
}

} // namespace

UniqueFd::~UniqueFd() {
    if (m_file >= 0)
        ::close(m_file);
}

Error readError(const std::filesystem::path& path, int number) {
    if (number == ENOENT || number == ENOTDIR)
        return {ErrorCode::Input, "does not exist", path.string(), "check the path"};
    return {ErrorCode::Input, "cannot be read, " + reason(number), path.string(),
        number == EACCES ? "check the permissions" : "check the disk"};
}

Error writeError(const std::filesystem::path& path, int number) {
    const char* hint = "choose a writable folder";
    if (number == ENOSPC || number == EDQUOT || number == EFBIG)
        hint = "free some space or choose another disk";
    return {ErrorCode::Output, "cannot be written, " + reason(number), path.string(), hint};
}

Result<OpenedFile> openRegular(const std::filesystem::path& path) {
    UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file)
        return readError(path, errno);
    struct stat info = {};
    if (::fstat(file.get(), &info) != 0)
        return readError(path, errno);
    if (!S_ISREG(info.st_mode))
        return Error{ErrorCode::Input, S_ISDIR(info.st_mode) ? "is a folder" : "is not a file",
            path.string(), "choose a regular file"};
    return OpenedFile{std::move(file), static_cast<std::uint64_t>(info.st_size)};
}

Result<void> writeAll(
    int file, std::span<const std::byte> bytes, const std::filesystem::path& path) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(file, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return writeError(path, n < 0 ? errno : ENOSPC);
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    return {};
}

std::filesystem::path temporaryBeside(const std::filesystem::path& path, std::string_view tag) {
    static std::atomic<unsigned> counter = 0;
    const std::string name = "." + path.filename().string() + std::string(tag)
        + std::to_string(::getpid()) + "-" + std::to_string(counter++);
    return path.parent_path() / name;
}

Result<UniqueFd> createTemporary(
    const std::filesystem::path& path, std::filesystem::path& temporary) {
    // A file of this name is left over from a killed process that had our id.
    for (int attempt = 0; attempt < 1000; ++attempt) {
        temporary = temporaryBeside(path);
        UniqueFd file(
            ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
        if (file)
            return file;
        if (errno != EEXIST)
            break;
    }
    return writeError(path, errno);
}

bool isThere(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

Result<void> syncPath(const std::filesystem::path& path) {
    UniqueFd file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file)
        return writeError(path, errno);
    // Some file systems cannot sync a folder and say EINVAL; there is nothing more to ask of them.
    if (::fsync(file.get()) != 0 && errno != EINVAL)
        return writeError(path, errno);
    return {};
}

Result<void> syncParent(const std::filesystem::path& path) {
    const auto parent = path.parent_path();
    UniqueFd file(
        ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!file || (::fsync(file.get()) != 0 && errno != EINVAL))
        return writeError(parent, errno);
    return {};
}

bool isLfsPointer(std::string_view beginning) {
    return beginning.starts_with("version https://git-lfs");
}

Error lfsPointerError(const std::filesystem::path& path) {
    return {ErrorCode::Input, "is a Git LFS pointer, not the file itself", path.string(),
        "run 'git lfs pull' in the folder"};
}

std::string quotedName(std::string_view name) {
    constexpr std::size_t kLongest = 160;
    std::string text = "'";
    for (const char c : name.substr(0, kLongest)) {
        const auto byte = static_cast<unsigned char>(c);
        text += byte < 0x20 || byte == 0x7f ? '?' : c;
    }
    // A cut through a character's bytes would make the message invalid UTF-8.
    while (name.size() > kLongest && (text.back() & 0x80) != 0)
        text.pop_back();
    return text + (name.size() > kLongest ? "...'" : "'");
}

} // namespace mooring
