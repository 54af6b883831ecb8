// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/presets.h"
#include "core/config/closest_word.h"
#include "core/config/text_forms.h"
#include <algorithm>
#include <cstdlib>
#include <set>

namespace mooring {

namespace fs = std::filesystem;

std::vector<fs::path> resourceFolders() {
    std::vector<fs::path> folders;
    if (const char* chosen = std::getenv("MOORING_RESOURCES"); chosen && *chosen)
        folders.emplace_back(chosen);
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    if (!failed) {
        const fs::path folder = program.parent_path();
        folders.push_back((folder / "../share/mooring").lexically_normal());
        folders.push_back((folder / "../../../resources").lexically_normal());
    }
    folders.emplace_back(MOORING_SOURCE_RESOURCES);
    return folders;
}

std::vector<std::string> presetNames() {
    std::set<std::string> names;
    for (const fs::path& folder : resourceFolders()) {
        std::error_code failed;
        for (const auto& entry : fs::directory_iterator(folder / "presets", failed))
            if (entry.path().extension() == ".toml")
                names.insert(entry.path().stem().string());
    }
    return {names.begin(), names.end()};
}

Result<fs::path> findPreset(const std::string& name) {
    // A name is a plain word, so that it cannot lead out of the presets folder.
    const bool isWord = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || c == '-' || c == '_';
    });
    if (isWord)
        for (const fs::path& folder : resourceFolders()) {
            std::error_code failed;
            const fs::path file = folder / "presets" / (name + ".toml");
            if (fs::is_regular_file(file, failed))
                return file;
        }
    const std::vector<std::string> names = presetNames();
    std::string hint
        = "no presets found; set MOORING_RESOURCES to the folder that contains presets/";
    if (const auto meant = closestWord(name, names)) {
        hint = "did you mean " + quotedText(*meant) + "?";
    } else if (!names.empty()) {
        hint = "available presets:";
        for (const std::string& known : names)
            hint += " " + known;
    }
    return Error{ErrorCode::Usage, "the preset " + quotedText(name) + " is unknown", "", hint};
}

} // namespace mooring
