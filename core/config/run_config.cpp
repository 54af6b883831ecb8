// SPDX-License-Identifier: GPL-3.0-or-later
// Layers a configuration: presets below, then the file, then the overrides of a command line.
#include "core/config/run_config.h"
#include "core/config/config_rules.h"
#include "core/config/presets.h"
#include "core/config/read_config.h"
#include "core/config/text_forms.h"
#include "core/config/toml_file.h"
#include <algorithm>

namespace mooring {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kDeepestPreset = 8;

Result<void> addLayers(const std::string& text, const std::string& name, const fs::path& folder,
    std::size_t depth, std::vector<Layer>& layers) {
    Layer layer{.name = name, .folder = folder};
    MOORING_TRY(layer.table, parseToml(text, name));
    if (const toml::node* extends = layer.table.get("extends")) {
        const std::string place = placeText(extends->source(), name, "extends");
        if (!extends->is_string())
            return Error{ErrorCode::Usage, "extends must be a preset name in quotes", place,
                "as in extends = \"paper\""};
        if (depth == kDeepestPreset)
            return Error{ErrorCode::Usage, "the presets extend each other in a cycle", place, ""};
        const auto preset = findPreset(*extends->value<std::string>());
        if (!preset)
            return Error{ErrorCode::Usage, preset.error().what, place, preset.error().hint};
        MOORING_TRY(const std::string below, readTomlText(*preset));
        MOORING_RETURN_IF_ERROR(
            addLayers(below, preset->string(), preset->parent_path(), depth + 1, layers));
    }
    layers.push_back(std::move(layer));
    return {};
}

bool isDottedKey(const std::string& key) {
    const bool letters = std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || c == '_' || c == '-' || c == '.';
    });
    return letters && !key.empty() && key.front() != '.' && key.back() != '.'
        && key.find("..") == std::string::npos;
}

// Nodes are moved, never copied: a copy forgets where it came from.
void mergeInto(toml::table& target, toml::table&& source) {
    for (auto&& [key, value] : source) {
        const toml::key& name = key;
        toml::table* inner = value.as_table();
        toml::table* present = target[name.str()].as_table();
        if (inner && present)
            mergeInto(*present, std::move(*inner));
        else
            value.visit([&](auto& node) { target.insert_or_assign(name, std::move(node)); });
    }
}

Result<Layer> overrideLayer(const Overrides& overrides, const fs::path& folder) {
    Layer layer{.name = std::string(kOverridePrefix), .folder = folder};
    for (const auto& [key, value] : overrides) {
        const std::string name = std::string(kOverridePrefix) + key;
        if (!isDottedKey(key))
            return Error{ErrorCode::Usage, quotedText(key) + " is not a key", name,
                "write section.key=value, as in optimizer.lr=1e-4"};
        if (key == "extends")
            return Error{ErrorCode::Usage, "extends is only allowed in the file", name, ""};
        auto parsed = parseToml(key + " = " + value, name);
        // A bare word is text; so is anything that would inject a second line.
        if (!parsed || value.find('\n') != std::string::npos)
            parsed = parseToml(key + " = " + quotedText(value), name);
        if (!parsed)
            return parsed.error();
        mergeInto(layer.table, std::move(parsed).value());
    }
    return layer;
}

// The place of a key in the topmost layer that sets it, or else of its section in the
// file.
std::string placeOf(const std::string& key, const std::vector<Layer>& layers) {
    const Layer* file = nullptr;
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
        if (const auto found = toml::at_path(layer->table, key); found.node())
            return placeText(found.node()->source(), layer->name, key);
        if (!file && !layer->name.starts_with(kOverridePrefix))
            file = &*layer;
    }
    for (std::string path = key; file && !path.empty();) {
        const auto end = path.find_last_of(".[");
        path.resize(end == std::string::npos ? 0 : end);
        const auto found = toml::at_path(file->table, path);
        if (!path.empty() && found.node())
            return placeText(found.node()->source(), file->name, key);
    }
    return (file ? file->name + ", " : std::string()) + key;
}

Result<RunConfig> readLayers(const std::vector<Layer>& layers) {
    RunConfig config;
    bool hasMinLr = false;
    for (const Layer& layer : layers) {
        MOORING_RETURN_IF_ERROR(readLayer(layer, config));
        hasMinLr = hasMinLr || toml::at_path(layer.table, "optimizer.min_lr").node();
    }
    fillDefaults(config, hasMinLr);
    return config;
}

} // namespace

Result<RunConfig> parseRunConfig(const std::string& toml, const std::string& name,
    const fs::path& folder, const Overrides& overrides) {
    std::error_code failed;
    const fs::path absolute = folder.is_absolute() ? folder : fs::absolute(folder, failed);
    std::vector<Layer> layers;
    MOORING_RETURN_IF_ERROR(addLayers(toml, name, absolute, 0, layers));
    MOORING_TRY(Layer last, overrideLayer(overrides, absolute));
    layers.push_back(std::move(last));
    MOORING_TRY(RunConfig config, readLayers(layers));
    const auto problems = valueProblems(config);
    if (!problems.empty())
        return Error{
            ErrorCode::Usage, problems.front().text, placeOf(problems.front().key, layers), ""};
    return config;
}

Result<RunConfig> loadRunConfig(const fs::path& file, const Overrides& overrides) {
    MOORING_TRY(const std::string text, readTomlText(file));
    std::error_code failed;
    const fs::path folder = fs::absolute(file, failed).parent_path();
    return parseRunConfig(text, file.string(), folder, overrides);
}

Result<RunConfig> presetConfig(const std::string& name) {
    MOORING_TRY(const fs::path file, findPreset(name));
    MOORING_TRY(const std::string text, readTomlText(file));
    std::vector<Layer> layers;
    MOORING_RETURN_IF_ERROR(addLayers(text, file.string(), file.parent_path(), 1, layers));
    return readLayers(layers);
}

} // namespace mooring
