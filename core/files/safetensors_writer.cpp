// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/file_io.h"
#include "core/files/safetensors.h"
#include "core/files/safetensors_header.h"
#include <cerrno>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <unistd.h>

namespace mooring {

// Bytes go to a hidden file next to the destination, so that a reader of the run folder never maps
// a file that is still growing.
struct SafetensorsWriter::State {
    struct Pending {
        std::string name;
        std::uint64_t left = 0;
    };
    UniqueFd file;
    std::filesystem::path path;
    std::filesystem::path temporary;
    std::vector<Pending> tensors;
    std::size_t current = 0;

    ~State() {
        if (file)
            ::unlink(temporary.c_str());
    }
    std::string where() const { return path.string(); }
    void skipComplete() {
        while (current < tensors.size() && tensors[current].left == 0)
            ++current;
    }
};

namespace {

using Json = nlohmann::ordered_json;

Error refused(std::string what, const std::filesystem::path& path) {
    return {ErrorCode::Output, std::move(what), path.string(), ""};
}

Result<std::string> headerText(const std::vector<TensorSpec>& specs,
    const std::map<std::string, std::string>& metadata, const std::filesystem::path& path) {
    Json::object_t header;
    if (!metadata.empty())
        header.emplace_back("__metadata__", Json(metadata));
    std::set<std::string> names = {"__metadata__"};
    std::uint64_t offset = 0;
    for (const TensorSpec& spec : specs) {
        if (!names.insert(spec.name).second)
            return refused("would hold the tensor " + quotedName(spec.name) + " twice", path);
        const auto bytes = tensorBytes(spec.dtype, spec.shape);
        constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        if (!bytes || *bytes > kMax - offset)
            return refused("cannot hold the shape " + quotedName(shapeText(spec.shape)) + " of "
                    + quotedName(spec.name),
                path);
        Json entry;
        entry["dtype"] = dtypeName(spec.dtype);
        entry["shape"] = spec.shape;
        entry["data_offsets"] = {offset, offset + *bytes};
        header.emplace_back(spec.name, std::move(entry));
        offset += *bytes;
    }
    std::string text;
    try {
        text = Json(std::move(header)).dump();
    } catch (const nlohmann::json::exception&) {
        return refused("would hold a name or metadata that is not UTF-8", path);
    }
    text.append((8 - text.size() % 8) % 8, ' ');
    if (text.size() > kMaxHeaderBytes)
        return refused("needs a header above the format's limit of 100 MB", path);
    return text;
}

} // namespace

SafetensorsWriter::SafetensorsWriter(std::unique_ptr<State> state)
    : m_state(std::move(state)) { }
SafetensorsWriter::SafetensorsWriter(SafetensorsWriter&&) noexcept = default;
SafetensorsWriter& SafetensorsWriter::operator=(SafetensorsWriter&&) noexcept = default;
SafetensorsWriter::~SafetensorsWriter() = default;

Result<SafetensorsWriter> SafetensorsWriter::create(const std::filesystem::path& path,
    std::vector<TensorSpec> specs, const std::map<std::string, std::string>& metadata) {
    MOORING_TRY(const std::string header, headerText(specs, metadata, path));
    auto state = std::make_unique<State>();
    state->path = path;
    for (TensorSpec& spec : specs)
        state->tensors.push_back({std::move(spec.name), *tensorBytes(spec.dtype, spec.shape)});
    state->skipComplete();
    MOORING_TRY(state->file, createTemporary(path, state->temporary));
    const std::uint64_t length = header.size();
    MOORING_RETURN_IF_ERROR(
        writeAll(state->file.get(), std::as_bytes(std::span(&length, 1)), path));
    MOORING_RETURN_IF_ERROR(writeAll(state->file.get(), std::as_bytes(std::span(header)), path));
    return SafetensorsWriter(std::move(state));
}

Result<void> SafetensorsWriter::write(const std::string& name, std::span<const std::byte> bytes) {
    if (!m_state || !m_state->file)
        return Error{ErrorCode::Output, "got the tensor " + quotedName(name) + " after its end",
            m_state ? m_state->where() : "", ""};
    if (bytes.empty())
        return {};
    State& state = *m_state;
    if (state.current == state.tensors.size() || state.tensors[state.current].name != name)
        return refused("got the tensor " + quotedName(name) + " where "
                + (state.current == state.tensors.size()
                        ? "no more"
                        : quotedName(state.tensors[state.current].name))
                + " was expected",
            state.path);
    if (bytes.size() > state.tensors[state.current].left)
        return refused("got " + std::to_string(bytes.size()) + " bytes of the tensor "
                + quotedName(name) + ", only " + std::to_string(state.tensors[state.current].left)
                + " were expected",
            state.path);
    MOORING_RETURN_IF_ERROR(writeAll(state.file.get(), bytes, state.path));
    state.tensors[state.current].left -= bytes.size();
    state.skipComplete();
    return {};
}

Result<void> SafetensorsWriter::finish() {
    if (!m_state || !m_state->file)
        return Error{ErrorCode::Output, "was finished twice", m_state ? m_state->where() : "", ""};
    State& state = *m_state;
    if (state.current < state.tensors.size())
        return refused("still lacks " + std::to_string(state.tensors[state.current].left)
                + " bytes of the tensor " + quotedName(state.tensors[state.current].name),
            state.path);
    if (::fsync(state.file.get()) != 0
        || ::rename(state.temporary.c_str(), state.path.c_str()) != 0)
        return writeError(state.path, errno);
    // The file is in place now: only closing is left, and nothing to unlink.
    state.file = UniqueFd();
    return syncParent(state.path);
}

} // namespace mooring
