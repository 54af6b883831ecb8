// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/safetensors.h"
#include "core/files/file_io.h"
#include "core/files/safetensors_header.h"
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace mooring {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

constexpr std::uint64_t kLengthBytes = 8;

Error cutOff(std::uint64_t have, std::uint64_t need, const std::string& where) {
    return {ErrorCode::Input,
        "is truncated: it has " + std::to_string(have) + " of " + std::to_string(need) + " bytes",
        where, "download or copy the file again"};
}

// Short only where the file ends early: it may have shrunk since its size was asked.
Result<std::string> readAt(
    int file, std::uint64_t offset, std::uint64_t size, const std::filesystem::path& path) {
    std::string text(size, '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t n = ::pread(
            file, text.data() + done, text.size() - done, static_cast<off_t>(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return readError(path, errno);
        if (n == 0)
            break;
        done += static_cast<std::size_t>(n);
    }
    text.resize(done);
    return text;
}

// The header's length, after which the header itself is known to lie within the file.
Result<std::uint64_t> readHeaderLength(
    const OpenedFile& opened, const std::filesystem::path& path) {
    constexpr std::uint64_t kBeginning = 64;
    const std::string where = path.string();
    MOORING_TRY(const std::string beginning,
        readAt(opened.file.get(), 0, std::min(opened.size, kBeginning), path));
    if (isLfsPointer(beginning))
        return lfsPointerError(path);
    if (beginning.size() < kLengthBytes)
        return Error{ErrorCode::Input,
            "is truncated: it has " + std::to_string(beginning.size())
                + " bytes, fewer than the 8 of the header length",
            where, "download or copy the file again"};
    std::uint64_t length = 0;
    std::memcpy(&length, beginning.data(), sizeof length);
    if (length > kMaxHeaderBytes) {
        const char* limit = length > opened.size - kLengthBytes
            ? " bytes, which is past the end of the file"
            : " bytes, which is above the format's limit of 100 MB";
        return Error{ErrorCode::Input, "has a header length of " + std::to_string(length) + limit,
            where, "the file is damaged or is not a safetensors file"};
    }
    if (length > opened.size - kLengthBytes)
        return cutOff(opened.size, kLengthBytes + length, where);
    return length;
}

} // namespace

std::int64_t TensorInfo::elements() const {
    std::int64_t product = 1;
    for (const std::int64_t dimension : shape)
        product *= dimension;
    return product;
}

Result<std::shared_ptr<const SafetensorsFile>> SafetensorsFile::open(
    const std::filesystem::path& path) {
    const std::string where = path.string();
    MOORING_TRY(const OpenedFile opened, openRegular(path));
    MOORING_TRY(const std::uint64_t length, readHeaderLength(opened, path));
    MOORING_TRY(const std::string text, readAt(opened.file.get(), kLengthBytes, length, path));
    if (text.size() < length)
        return cutOff(kLengthBytes + text.size(), opened.size, where);
    MOORING_TRY(SafetensorsHeader header, parseSafetensorsHeader(text, where));
    const std::uint64_t need = kLengthBytes + length + header.dataBytes;
    if (opened.size < need)
        return cutOff(opened.size, need, where);
    if (opened.size > need)
        return Error{ErrorCode::Input,
            "has " + std::to_string(opened.size - need) + " bytes after its last tensor", where,
            "the file is damaged"};

    std::shared_ptr<SafetensorsFile> file(new SafetensorsFile);
    void* map = ::mmap(nullptr, opened.size, PROT_READ, MAP_PRIVATE, opened.file.get(), 0);
    if (map == MAP_FAILED)
        return readError(path, errno);
    file->m_path = path;
    file->m_map = static_cast<const std::byte*>(map);
    file->m_mapSize = opened.size;
    file->m_dataBegin = kLengthBytes + length;
    file->m_tensors = std::move(header.tensors);
    file->m_metadata = std::move(header.metadata);
    for (std::size_t i = 0; i < file->m_tensors.size(); ++i)
        file->m_index.emplace(file->m_tensors[i].name, i);
    return std::shared_ptr<const SafetensorsFile>(std::move(file));
}

SafetensorsFile::~SafetensorsFile() {
    if (m_map)
        ::munmap(const_cast<std::byte*>(m_map), m_mapSize);
}

const TensorInfo* SafetensorsFile::find(const std::string& name) const {
    const auto found = m_index.find(name);
    return found == m_index.end() ? nullptr : &m_tensors[found->second];
}

std::span<const std::byte> SafetensorsFile::bytes(const TensorInfo& info) const {
    assert(info.begin <= info.end && info.end <= m_mapSize - m_dataBegin);
    return {m_map + m_dataBegin + info.begin, info.end - info.begin};
}

} // namespace mooring
