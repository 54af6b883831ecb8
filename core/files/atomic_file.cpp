// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/atomic_folder.h"
#include "core/files/file_io.h"
#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace mooring {
namespace {

Result<void> fillAndRename(const UniqueFd& file, const std::filesystem::path& temporary,
    const std::filesystem::path& path, std::string_view bytes) {
    MOORING_RETURN_IF_ERROR(writeAll(file.get(), std::as_bytes(std::span(bytes)), path));
    if (::fsync(file.get()) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0)
        return writeError(path, errno);
    return syncParent(path);
}

Error tooLarge(const std::filesystem::path& path, std::uint64_t limit) {
    return {ErrorCode::Input,
        "is larger than the " + std::to_string(limit) + " bytes that can be read", path.string(),
        "check that it is the right file"};
}

} // namespace

Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view bytes) {
    std::filesystem::path temporary;
    MOORING_TRY(const UniqueFd file, createTemporary(path, temporary));
    const auto result = fillAndRename(file, temporary, path, bytes);
    if (!result)
        ::unlink(temporary.c_str());
    return result;
}

Result<std::string> readFile(const std::filesystem::path& path, std::uint64_t limit) {
    MOORING_TRY(const OpenedFile opened, openRegular(path));
    if (opened.size > limit)
        return tooLarge(path, limit);
    // To the end, not to the size: files under /proc say 0, and a log may have grown meanwhile.
    constexpr std::size_t kPiece = 1 << 16;
    std::string text(static_cast<std::size_t>(opened.size) + 1, '\0');
    std::size_t done = 0;
    for (;;) {
        if (done == text.size())
            text.resize(std::max(text.size() * 2, kPiece));
        const ssize_t n = ::read(opened.file.get(), text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return readError(path, errno);
        if (n == 0)
            break;
        done += static_cast<std::size_t>(n);
        if (done > limit)
            return tooLarge(path, limit);
    }
    text.resize(done);
    return text;
}

} // namespace mooring
