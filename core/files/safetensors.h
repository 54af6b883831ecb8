// SPDX-License-Identifier: GPL-3.0-or-later safetensors: an 8-byte header
// length, a JSON header, raw tensors. The reader maps the file and validates all
// of it: length, JSON, dtypes, shapes, offsets, overlaps, gaps and the file's
// size.
#pragma once
#include "core/base/result.h"
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mooring {

enum class DType {
    F64,
    F32,
    F16,
    BF16,
    I64,
    I32,
    I16,
    I8,
    U8,
    Bool,
    U16,
    U32,
    U64,
    F8E4M3,
    F8E5M2
};
std::size_t dtypeSize(DType dtype);
const char* dtypeName(DType dtype); // as in the header: "BF16"

struct TensorInfo {
    std::string name;
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0; // within the data part
    std::uint64_t end = 0;
    std::int64_t elements() const;
};

// A mapped, validated file. Immutable, may be read from any thread; the bytes live as long as this
// does and may be unaligned for their dtype. Shortening a mapped file in place is fatal to its
// readers (SIGBUS): whoever writes replaces files by renaming, as the writer below does.
class SafetensorsFile {
public:
    // Errors (Input): names the file and what is wrong: "is cut off: 120 of 4096 bytes", "header
    // length 2^60 is beyond the file", an overlap with both names, a Git LFS pointer.
    static Result<std::shared_ptr<const SafetensorsFile>> open(const std::filesystem::path& path);
    ~SafetensorsFile();

    const std::filesystem::path& path() const { return m_path; }
    const std::vector<TensorInfo>& tensors() const { return m_tensors; } // in file (offset) order
    const TensorInfo* find(const std::string& name) const;
    std::span<const std::byte> bytes(const TensorInfo& info) const;
    const std::map<std::string, std::string>& metadata() const { return m_metadata; }

private:
    SafetensorsFile() = default;
    std::filesystem::path m_path;
    std::vector<TensorInfo> m_tensors;
    std::map<std::string, std::size_t> m_index;
    std::map<std::string, std::string> m_metadata;
    const std::byte* m_map = nullptr;
    std::size_t m_mapSize = 0;
    std::size_t m_dataBegin = 0;
};

struct TensorSpec {
    std::string name;
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape;
};

// Streams tensors in the order of `specs`; nothing is held in memory. write() may be called several
// times for one tensor. finish() checks that every byte was written, fsyncs and renames into place;
// before that, `path` does not exist. Errors: Output, with the reason.
class SafetensorsWriter {
public:
    static Result<SafetensorsWriter> create(const std::filesystem::path& path,
        std::vector<TensorSpec> specs, const std::map<std::string, std::string>& metadata = {});
    SafetensorsWriter(SafetensorsWriter&&) noexcept;
    SafetensorsWriter& operator=(SafetensorsWriter&&) noexcept;
    ~SafetensorsWriter();
    Result<void> write(const std::string& name, std::span<const std::byte> bytes);
    Result<void> finish();

private:
    struct State;
    explicit SafetensorsWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace mooring
