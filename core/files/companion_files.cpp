// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/atomic_folder.h"
#include "core/files/file_io.h"
#include "core/files/model_folder.h"
#include <algorithm>
#include <array>

namespace mooring {
namespace {

constexpr std::uint64_t kMaxCompanionBytes = 64'000'000;

bool isCompanion(const std::filesystem::directory_entry& entry) {
    static constexpr std::array<std::string_view, 4> kWeights
        = {".safetensors", ".bin", ".pt", ".gguf"};
    std::error_code error;
    if (!entry.is_regular_file(error) || entry.file_size(error) >= kMaxCompanionBytes || error)
        return false;
    const std::string extension = entry.path().extension().string();
    return std::find(kWeights.begin(), kWeights.end(), extension) == kWeights.end()
        && entry.path().filename() != "manifest.json";
}

} // namespace

Result<void> copyCompanionFiles(
    const std::filesystem::path& from, const std::filesystem::path& to) {
    std::error_code error;
    std::vector<std::filesystem::path> paths;
    for (std::filesystem::directory_iterator it(from, error), end; !error && it != end;
         it.increment(error))
        if (isCompanion(*it))
            paths.push_back(it->path());
    if (error)
        return readError(from, error.value());
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) {
        MOORING_TRY(const std::string bytes, readFile(path, kMaxCompanionBytes));
        MOORING_RETURN_IF_ERROR(writeFileAtomically(to / path.filename(), bytes));
    }
    return {};
}

} // namespace mooring
