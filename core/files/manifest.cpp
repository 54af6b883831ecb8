// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/files/atomic_folder.h"
#include "core/files/file_io.h"
#include "core/files/strict_json.h"
#include <algorithm>
#include <vector>

namespace mooring {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kName = "manifest.json";
constexpr std::uint64_t kMaxManifestBytes = 16 << 20;

// Names relative to the folder with '/', sorted.
Result<std::vector<std::string>> filesIn(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error)) {
        const auto status = it->symlink_status(error);
        const std::string name = it->path().lexically_relative(folder).generic_string();
        if (!error && fs::is_regular_file(status) && name != kName)
            names.push_back(name);
    }
    if (error)
        return writeError(folder, error.value());
    std::sort(names.begin(), names.end());
    return names;
}

bool staysInside(const fs::path& name) {
    return !name.empty() && name.is_relative()
        && std::find(name.begin(), name.end(), "..") == name.end()
        && name.native().find('\0') == std::string::npos;
}

Error damaged(std::string what, const fs::path& where) {
    return {ErrorCode::Input, std::move(what), where.string(), "use an earlier checkpoint"};
}

struct Listed {
    fs::path path;
    std::string sha256;
};

// Presence and size, which cost nothing, of all files before the first hash.
Result<std::vector<Listed>> checkSizes(const Json& files, const fs::path& folder) {
    std::vector<Listed> listed;
    for (const auto& [name, entry] : files.items()) {
        if (!staysInside(name) || !entry.is_object() || !entry.contains("size")
            || !entry.contains("sha256") || !entry["size"].is_number_unsigned()
            || !entry["sha256"].is_string())
            return damaged("has an invalid entry, " + quotedName(name), folder / kName);
        if (!isThere(folder / name))
            return damaged("is missing but listed in the manifest", folder / name);
        MOORING_TRY(const OpenedFile opened, openRegular(folder / name));
        const auto size = entry["size"].get<std::uint64_t>();
        if (opened.size != size)
            return damaged("has " + std::to_string(opened.size) + " bytes, but the manifest says "
                    + std::to_string(size),
                folder / name);
        listed.push_back({folder / name, entry["sha256"].get<std::string>()});
    }
    return listed;
}

} // namespace

Result<void> writeManifest(const fs::path& folder, const std::string& extraJson) {
    MOORING_TRY(const Json extra, parseStrictJson(extraJson, kName));
    if (!extra.is_object() || extra.contains("files"))
        return Error{ErrorCode::Output, "needs an object without the key 'files'",
            (folder / kName).string(), ""};
    MOORING_TRY(const std::vector<std::string> names, filesIn(folder));
    Json manifest;
    Json& files = manifest["files"] = Json::object();
    for (const std::string& name : names) {
        MOORING_TRY(const std::string hash, sha256File(folder / name));
        std::error_code error;
        const auto size = fs::file_size(folder / name, error);
        if (error)
            return writeError(folder / name, error.value());
        files[name] = {{"size", size}, {"sha256", hash}};
    }
    for (const auto& [key, value] : extra.items())
        manifest[key] = value;
    const std::string text = manifest.dump(2, ' ', false, Json::error_handler_t::replace);
    return writeFileAtomically(folder / kName, text + "\n");
}

Result<void> verifyManifest(const fs::path& folder) {
    const fs::path path = folder / kName;
    MOORING_TRY(const std::string text, readFile(path, kMaxManifestBytes));
    MOORING_TRY(const Json manifest, parseStrictJson(text, path.string()));
    if (!manifest.is_object() || !manifest.contains("files") || !manifest["files"].is_object())
        return damaged("lists no files", path);
    MOORING_TRY(const std::vector<Listed> listed, checkSizes(manifest["files"], folder));
    for (const Listed& file : listed) {
        MOORING_TRY(const std::string hash, sha256File(file.path));
        if (hash != file.sha256)
            return damaged("does not match the SHA-256 in the manifest", file.path);
    }
    return {};
}

} // namespace mooring
