// SPDX-License-Identifier: GPL-3.0-or-later
// Where a model folder keeps its chat template.
#include "core/text/chat_template.h"
#include <fstream>

namespace mooring {

namespace {

constexpr std::uintmax_t kMaxFile = 64u << 20; // of a tokenizer_config.json

Result<std::string> readText(const std::filesystem::path& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error || !std::filesystem::is_regular_file(path))
        return Error{ErrorCode::Input, "the file cannot be read", path.string(),
            "give a chat template file, or use template = \"auto\""};
    if (size > kMaxFile)
        return Error{ErrorCode::Input, "the file is too large for a chat template", path.string(),
            "choose the file with the chat template"};
    std::ifstream file(path, std::ios::binary);
    std::string text(static_cast<std::size_t>(size), '\0');
    if (!file.read(text.data(), static_cast<std::streamsize>(text.size())))
        return Error{ErrorCode::Input, "the file cannot be read", path.string(), ""};
    if (text.starts_with("version https://git-lfs"))
        return Error{ErrorCode::Input, "the file is a Git LFS pointer, not the text itself",
            path.string(), "download it with git lfs pull"};
    if (text.starts_with("\xEF\xBB\xBF"))
        text.erase(0, 3);
    return text;
}

struct Named {
    std::string standard; // for conversations
    std::string forTools; // the one named tool_use
};

// chat_template: a string, or a list of {name, template}. Nothing where there is none.
Result<Named> templatesOf(const nlohmann::ordered_json& config, const std::string& where) {
    if (!config.is_object() || !config.contains("chat_template")
        || config["chat_template"].is_null())
        return Named{};
    const auto& value = config["chat_template"];
    const auto wrong = [&](std::string what) {
        return Error{ErrorCode::Input, std::move(what), where + ", chat_template",
            "write a string, or a list of {\"name\", \"template\"}"};
    };
    if (value.is_string())
        return Named{value.get<std::string>(), ""};
    if (!value.is_array())
        return wrong("the chat template is neither a string nor a list");
    Named named;
    for (const auto& entry : value) {
        const bool complete = entry.is_object() && entry.contains("name")
            && entry["name"].is_string() && entry.contains("template")
            && entry["template"].is_string();
        if (!complete)
            return wrong("a named chat template has no name or no template");
        if (entry["name"] == "default")
            named.standard = entry["template"].get<std::string>();
        if (entry["name"] == "tool_use")
            named.forTools = entry["template"].get<std::string>();
    }
    if (named.standard.empty() && value.size() == 1)
        named.standard = value[0]["template"].get<std::string>();
    if (named.standard.empty())
        return wrong("none of the named chat templates is called \"default\"");
    return named;
}

Result<Named> templatesOfFile(const std::filesystem::path& path) {
    MOORING_TRY(const std::string text, readText(path));
    const auto config = nlohmann::ordered_json::parse(text, nullptr, false);
    if (config.is_discarded())
        return Error{
            ErrorCode::Input, "the file is not JSON", path.string(), "fix it or download it again"};
    return templatesOf(config, path.string());
}

} // namespace

Result<std::shared_ptr<const ChatTemplate>> ChatTemplate::forModel(
    const std::filesystem::path& folder, const std::string& fileOrAuto) {
    const bool automatic = fileOrAuto.empty() || fileOrAuto == "auto";
    const std::filesystem::path plain
        = automatic ? folder / "chat_template.jinja" : std::filesystem::path(fileOrAuto);
    if (!automatic && plain.extension() == ".json") {
        MOORING_TRY(const Named named, templatesOfFile(plain));
        if (named.standard.empty())
            return Error{ErrorCode::Input, "the file has no chat_template", plain.string(),
                "give a file that has one, or use template = \"auto\""};
        return parseBoth(named.standard, named.forTools, plain.filename().string());
    }
    if (!automatic || std::filesystem::exists(plain)) {
        MOORING_TRY(const std::string source, readText(plain));
        return parse(source, plain.filename().string());
    }
    for (const char* name : {"tokenizer_config.json", "chat_template.json"}) {
        if (!std::filesystem::exists(folder / name))
            continue;
        MOORING_TRY(const Named named, templatesOfFile(folder / name));
        if (!named.standard.empty())
            return parseBoth(named.standard, named.forTools, name);
    }
    return plainDefault();
}

} // namespace mooring
