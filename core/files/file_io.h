// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by this folder: file descriptors that close themselves, and errno as text.
#pragma once
#include "core/base/result.h"
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace mooring {

class UniqueFd {
public:
    explicit UniqueFd(int file = -1)
        : m_file(file) { }
    UniqueFd(UniqueFd&& other) noexcept
        : m_file(std::exchange(other.m_file, -1)) { }
    UniqueFd& operator=(UniqueFd&& other) noexcept {
        std::swap(m_file, other.m_file);
        return *this;
    }
    ~UniqueFd();
    int get() const { return m_file; }
    int release() { return std::exchange(m_file, -1); }
    explicit operator bool() const { return m_file >= 0; }

private:
    int m_file;
};

// Input and Output errors with errno as text and a matching hint.
Error readError(const std::filesystem::path& path, int number);
Error writeError(const std::filesystem::path& path, int number);

struct OpenedFile {
    UniqueFd file;
    std::uint64_t size = 0;
};
// Never blocks: a pipe or device instead of a file is rejected (Input).
Result<OpenedFile> openRegular(const std::filesystem::path& path);

Result<void> writeAll(
    int file, std::span<const std::byte> bytes, const std::filesystem::path& path);

// A new file that nobody else uses, under temporaryBeside(path); `temporary` receives its name.
Result<UniqueFd> createTemporary(
    const std::filesystem::path& path, std::filesystem::path& temporary);
// ".name.part-PID-N" in the folder of `path`: hidden, on the same disk, unused in this process.
std::filesystem::path temporaryBeside(
    const std::filesystem::path& path, std::string_view tag = ".part-");

bool isThere(const std::filesystem::path& path); // false for a link to nothing
Result<void> syncPath(const std::filesystem::path& path);
Result<void> syncParent(const std::filesystem::path& path);

bool isLfsPointer(std::string_view beginning);
Error lfsPointerError(const std::filesystem::path& path);

// A name from an untrusted file, made safe for a message: in quotes, one line, shortened.
std::string quotedName(std::string_view name);

} // namespace mooring
