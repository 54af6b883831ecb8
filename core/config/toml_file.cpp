// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/toml_file.h"
#include "core/config/toml_section.h"
#include <fstream>

namespace mooring {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestFile = 16u << 20;

} // namespace

Result<std::string> readTomlText(const fs::path& file) {
    std::error_code failed;
    if (!fs::is_regular_file(file, failed))
        return Error{ErrorCode::Usage, "the configuration file does not exist", file.string(),
            "give the path of a .toml file"};
    if (fs::file_size(file, failed) > kLargestFile)
        return Error{ErrorCode::Usage,
            "the file is larger than 16 MiB, too large for a configuration", file.string(), ""};
    std::ifstream stream(file, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (!stream)
        return Error{ErrorCode::Usage, "the configuration file cannot be read", file.string(),
            "check its permissions"};
    return text;
}

Result<toml::table> parseToml(const std::string& text, const std::string& name) {
    try {
        return toml::parse(text, name);
    } catch (const toml::parse_error& error) {
        return Error{ErrorCode::Usage, "not valid TOML, " + std::string(error.description()),
            placeText(error.source(), name, ""), ""};
    }
}

} // namespace mooring
