// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/model_folder.h"
#include "core/base/hash.h"
#include "core/files/atomic_folder.h"
#include "core/files/file_io.h"
#include "core/files/safetensors_header.h"
#include "core/files/strict_json.h"
#include <algorithm>
#include <set>

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSingleName = "model.safetensors";
constexpr const char* kIndexName = "model.safetensors.index.json";
constexpr std::uint64_t kMaxConfigBytes = 16 << 20; // the largest published one has 3.1 MB
constexpr std::uint64_t kMaxIndexBytes = 64 << 20;

Error wrong(std::string what, const std::filesystem::path& where, std::string hint) {
    return {ErrorCode::Input, std::move(what), where.string(), std::move(hint)};
}

Result<Json> readObject(
    const std::filesystem::path& path, std::uint64_t limit, std::string* text = nullptr) {
    MOORING_TRY(std::string bytes, readFile(path, limit));
    if (isLfsPointer(bytes))
        return lfsPointerError(path);
    MOORING_TRY(Json json, parseStrictJson(bytes, path.string()));
    if (!json.is_object())
        return wrong("is not a JSON object", path, "download the file again");
    if (text)
        *text = std::move(bytes);
    return json;
}

Error quantised(const std::string& method, const std::filesystem::path& where) {
    return wrong("is quantized with " + method + ", which cannot be trained", where,
        "use the checkpoint in bf16, fp16 or fp32");
}

std::string textOr(const Json& object, const char* key, std::string otherwise) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

// The one packing that is read: gpt-oss is published in it alone.
bool saysMxfp4(const Json& config) {
    const auto found = config.find("quantization_config");
    return textOr(config, "model_type", "") == "gpt_oss" && found != config.end()
        && found->is_object() && textOr(*found, "quant_method", "") == "mxfp4";
}

// At the top, or one level down (text_config) as in Kimi-K2.5.
Result<void> refuseQuantisedConfig(const Json& config, const std::filesystem::path& where) {
    const auto check = [&](const Json& object) -> Result<void> {
        const auto found = object.find("quantization_config");
        if (found == object.end() || found->is_null())
            return {};
        const std::string method
            = found->is_object() ? textOr(*found, "quant_method", "") : std::string();
        return quantised(method.empty()
                ? "an unnamed method (quantization_config)"
                : quotedName(method) + " (quantization_config.quant_method)",
            where);
    };
    if (!saysMxfp4(config))
        MOORING_RETURN_IF_ERROR(check(config));
    for (const auto& [key, value] : config.items())
        if (value.is_object())
            MOORING_RETURN_IF_ERROR(check(value));
    return {};
}

// NVIDIA's exports say it here only. Without quant_algo the weights are as they were.
Result<void> refuseQuantisedByModelopt(const std::filesystem::path& folder) {
    const auto path = folder / "hf_quant_config.json";
    if (!isThere(path))
        return {};
    MOORING_TRY(const Json json, readObject(path, kMaxConfigBytes));
    const auto part = json.find("quantization");
    const Json& settings = part != json.end() && part->is_object() ? *part : json;
    const auto algorithm = settings.find("quant_algo");
    if (algorithm != settings.end() && algorithm->is_null())
        return {};
    return quantised("'modelopt' (" + textOr(settings, "quant_algo", "no quant_algo") + ")", path);
}

// Some AWQ and GPTQ folders do not say so in config.json, but their tensor names do.
Result<void> refuseQuantisedNames(
    const std::map<std::string, ModelFolder::Entry>& tensors, const std::filesystem::path& where) {
    constexpr std::string_view kPacked = ".qweight";
    for (const auto& [name, entry] : tensors) {
        if (!name.ends_with(kPacked))
            continue;
        const std::string stem = name.substr(0, name.size() - kPacked.size());
        const char* method = tensors.contains(stem + ".g_idx") ? "GPTQ" : "AWQ";
        return quantised(std::string(method) + " (tensor " + quotedName(name) + ")", where);
    }
    return {};
}

// An index may name files of its own folder only.
bool isPlainName(const std::string& name) {
    return !name.empty() && name != "." && name != ".."
        && name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
}

Error noConfig(const std::filesystem::path& folder) {
    if (isThere(folder / "adapter_config.json"))
        return wrong("is an adapter, not a model", folder, "give its base model folder");
    return wrong("has no config.json", folder, "give a Hugging Face model folder");
}

Error noWeights(const std::filesystem::path& folder) {
    for (const char* name : {"pytorch_model.bin", "pytorch_model.bin.index.json"})
        if (isThere(folder / name))
            return wrong("has its weights as pickled .bin files, which are not supported", folder,
                "save the model as safetensors");
    return wrong("has neither model.safetensors nor model.safetensors.index.json", folder,
        "download the weights as safetensors");
}

} // namespace

Result<ModelFolder> ModelFolder::open(
    const std::filesystem::path& folder, const LookAtConfig& fits) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
        return wrong(isThere(folder) ? "is not a folder" : "does not exist", folder,
            "give the folder that contains config.json");
    ModelFolder model;
    model.m_path = folder;
    MOORING_RETURN_IF_ERROR(model.readConfig());
    if (fits)
        MOORING_RETURN_IF_ERROR(fits(model.m_config, folder / "config.json"));
    MOORING_RETURN_IF_ERROR(model.readIndex());
    MOORING_RETURN_IF_ERROR(model.openShards());
    MOORING_RETURN_IF_ERROR(model.checkAgainstIndex());
    for (const std::string& name : model.m_shardNames)
        model.addTensors(model.m_files.at(name));
    MOORING_RETURN_IF_ERROR(refuseQuantisedNames(model.m_tensors, folder));
    return model;
}

Result<void> ModelFolder::readConfig() {
    const auto path = m_path / "config.json";
    if (!isThere(path))
        return noConfig(m_path);
    MOORING_TRY(m_config, readObject(path, kMaxConfigBytes, &m_configText));
    MOORING_RETURN_IF_ERROR(refuseQuantisedConfig(m_config, path));
    return refuseQuantisedByModelopt(m_path);
}

bool ModelFolder::packedAsMxfp4() const {
    return saysMxfp4(m_config);
}

Result<void> ModelFolder::readIndex() {
    const auto path = m_path / kIndexName;
    const bool single = isThere(m_path / kSingleName);
    if (!isThere(path)) {
        if (!single)
            return noWeights(m_path);
        m_shardNames = {kSingleName};
        return {};
    }
    MOORING_TRY(const Json json, readObject(path, kMaxIndexBytes));
    const auto map = json.find("weight_map");
    if (map == json.end() || !map->is_object() || map->empty())
        return wrong("has no weight_map", path, "download the index again");
    std::set<std::string> seen;
    for (const auto& [tensor, shard] : map->items()) {
        if (!shard.is_string() || !isPlainName(shard.get_ref<const std::string&>()))
            return wrong("places the tensor " + quotedName(tensor) + " in "
                    + quotedName(shard.is_string() ? shard.get<std::string>() : shard.dump())
                    + ", which is not a file name",
                path, "a shard must be in the same folder as its index");
        m_index.emplace(tensor, shard.get<std::string>());
        if (seen.insert(shard.get<std::string>()).second)
            m_shardNames.push_back(shard.get<std::string>());
    }
    if (single && !seen.contains(kSingleName)) {
        m_index.clear();
        m_shardNames = {kSingleName};
    }
    m_sharded = !m_index.empty();
    return {};
}

Result<void> ModelFolder::openShards() {
    std::vector<std::string> missing;
    for (const std::string& name : m_shardNames)
        if (!isThere(m_path / name))
            missing.push_back(name);
    if (!missing.empty())
        return wrong("names " + std::to_string(missing.size()) + " of "
                + std::to_string(m_shardNames.size()) + " shards that are missing, first "
                + quotedName(missing.front()),
            m_path / kIndexName, "download them too");
    for (const std::string& name : m_shardNames) {
        MOORING_TRY(auto file, SafetensorsFile::open(m_path / name));
        m_files.emplace(name, std::move(file));
    }
    return {};
}

Result<void> ModelFolder::checkAgainstIndex() const {
    if (!m_sharded)
        return {};
    const auto where = m_path / kIndexName;
    const char* hint = "the index and the shards are from different downloads";
    for (const std::string& shard : m_shardNames) {
        for (const TensorInfo& info : m_files.at(shard)->tensors()) {
            const auto entry = m_index.find(info.name);
            const std::string tensor = quotedName(info.name);
            if (entry == m_index.end())
                return wrong("does not name the tensor " + tensor + ", which " + quotedName(shard)
                        + " holds",
                    where, hint);
            if (entry->second == shard)
                continue;
            if (m_files.at(entry->second)->find(info.name))
                return wrong("has the tensor " + tensor + " twice, in " + quotedName(entry->second)
                        + " and in " + quotedName(shard),
                    where, hint);
            return wrong("places the tensor " + tensor + " in " + quotedName(entry->second)
                    + ", but " + quotedName(shard) + " holds it",
                where, hint);
        }
    }
    for (const auto& [tensor, shard] : m_index)
        if (!m_files.at(shard)->find(tensor))
            return wrong("places the tensor " + quotedName(tensor) + " in " + quotedName(shard)
                    + ", which does not hold it",
                where, hint);
    return {};
}

void ModelFolder::addTensors(const std::shared_ptr<const SafetensorsFile>& file) {
    Shard shard{file->path().filename().string(), {}, file->metadata()};
    for (const TensorInfo& info : file->tensors()) {
        shard.tensors.push_back({info.name, info.dtype, info.shape});
        m_tensors.emplace(info.name, Entry{file, &info});
    }
    m_shards.push_back(std::move(shard));
}

std::string ModelFolder::contentHash() const {
    // Every part is preceded by its length, so that no two models share one byte sequence.
    Sha256 hash;
    hash.add("config " + std::to_string(m_configText.size()) + "\n");
    hash.add(m_configText);
    for (const auto& [name, entry] : m_tensors) {
        const auto bytes = entry.bytes();
        hash.add("\ntensor " + std::to_string(name.size()) + " " + name + " "
            + dtypeName(entry.info->dtype) + " " + shapeText(entry.info->shape) + " "
            + std::to_string(bytes.size()) + "\n");
        hash.add(bytes);
    }
    return hash.hex();
}

} // namespace mooring
