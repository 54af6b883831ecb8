// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/raw_rows.h"
#include <algorithm>
#include <filesystem>
#include <fstream>

namespace mooring {
namespace {

struct FileKind {
    const char* extension;
    Result<void> (*read)(const std::string&, const TakeRaw&);
};
constexpr FileKind kKinds[] = {{".jsonl", readJsonLines}, {".ndjson", readJsonLines},
    {".json", readJsonList}, {".csv", readSeparated}, {".tsv", readSeparated},
    {".parquet", readParquet}, {".txt", readTextLines}};

std::string lowerCase(std::string text) {
    for (char& c : text)
        c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return text;
}

// The extension of the content: .jsonl for rows.jsonl.gz.
std::string extensionOf(const std::filesystem::path& path) {
    const std::string extension = lowerCase(path.extension().string());
    return extension == ".gz" ? lowerCase(path.stem().extension().string()) : extension;
}

// Files of other formats, whatever their name says.
Result<void> checkStart(const std::string& start, const std::string& path) {
    struct Other {
        std::string_view start;
        const char* what;
        const char* hint;
    };
    static constexpr Other kOthers[] = {
        {"version https://git-lfs", "this is a Git LFS pointer, not the file itself",
            "run `git lfs pull` in its folder"},
        {"PK\x03\x04", "the file is a zip archive", "unpack it"},
        {"\x28\xB5\x2F\xFD", "the file is compressed (zstd)", "unpack it with unzstd"},
        {"\xFD"
         "7zXZ",
            "the file is compressed (xz)", "unpack it with unxz"},
        {"BZh", "the file is compressed (bzip2)", "unpack it with bunzip2"},
        {"\xFF\xFE", "the text is UTF-16", "save the file as UTF-8"},
        {"\xFE\xFF", "the text is UTF-16", "save the file as UTF-8"},
        {"ARROW1", "this is an Arrow file",
            "save the data set as Parquet, with to_parquet of datasets"},
    };
    for (const Other& other : kOthers)
        if (start.starts_with(other.start))
            return Error{ErrorCode::Input, other.what, path, other.hint};
    return {};
}

Result<std::string> startOf(const std::string& path) {
    std::error_code code;
    if (!std::filesystem::exists(path, code))
        return Error{ErrorCode::Input, "the data file does not exist", path, "check the path"};
    std::ifstream stream(path, std::ios::binary);
    if (!stream || std::filesystem::is_directory(path, code))
        return Error{
            ErrorCode::Input, "the data file cannot be read", path, "choose a readable file"};
    std::string start(64, '\0');
    stream.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(stream.gcount()));
    return start;
}

} // namespace

Result<void> readRawRows(const std::string& path, const TakeRaw& take) {
    MOORING_TRY(const auto start, startOf(path));
    MOORING_RETURN_IF_ERROR(checkStart(start, path));
    if (start.starts_with("PAR1"))
        return readParquet(path, take);
    const std::string extension = extensionOf(path);
    for (const FileKind& kind : kKinds)
        if (extension == kind.extension)
            return kind.read(path, take);
    return Error{ErrorCode::Input, "the file type is unknown", path,
        "data files are .jsonl, .json, .csv, .tsv, .parquet or .txt; the first four may be .gz"};
}

} // namespace mooring
