// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace mooring {

// Writes to a temporary file, fsyncs and renames: readers see the old or the new file, never a
// part.
Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);
// A whole regular file of at most `limit` bytes.
inline constexpr std::uint64_t kMaxReadBytes = std::uint64_t(1) << 30;
Result<std::string> readFile(
    const std::filesystem::path& path, std::uint64_t limit = kMaxReadBytes);

// A folder written under a temporary name next to its destination and renamed when complete.
// Destroyed before commit(), it leaves nothing behind; what was at the destination stays until the
// rename, which exchanges the two. The temporary is locked (flock), so that create() can recognize
// and remove what a killed process left there.
class AtomicFolder {
public:
    static Result<AtomicFolder> create(const std::filesystem::path& place);
    AtomicFolder(AtomicFolder&&) noexcept;
    AtomicFolder& operator=(AtomicFolder&&) noexcept;
    ~AtomicFolder();
    const std::filesystem::path& path() const { return m_temporary; } // write here
    Result<void> commit(); // fsyncs every file and the folder, renames, fsyncs the parent

private:
    AtomicFolder(std::filesystem::path place, std::filesystem::path temporary, int lock);
    std::filesystem::path m_place;
    std::filesystem::path m_temporary; // empty once committed
    int m_lock = -1;
};

// What commit() falls back to where the file system cannot exchange two folders: the old one aside,
// the new one in, the old one deleted. Killed in between, create() puts the old one back.
Result<void> replaceFolderInTwoSteps(
    const std::filesystem::path& temporary, const std::filesystem::path& place);

// manifest.json of a checkpoint: {"files": {name: {"size", "sha256"}}, ...extra}. verifyManifest
// names the first file that is missing, of another size or of another hash. extraJson is an object
// without the key "files".
Result<void> writeManifest(const std::filesystem::path& folder, const std::string& extraJson);
Result<void> verifyManifest(const std::filesystem::path& folder);

// Advisory lock on a file (flock), released with the process: shows whether a run is alive.
class FileLock {
public:
    static Result<FileLock> acquire(
        const std::filesystem::path& path); // Output error where another holds it
    static bool isHeld(const std::filesystem::path& path);
    FileLock(FileLock&&) noexcept;
    FileLock& operator=(FileLock&&) noexcept;
    ~FileLock();

private:
    explicit FileLock(int file)
        : m_file(file) { }
    int m_file = -1;
};

} // namespace mooring
