// SPDX-License-Identifier: GPL-3.0-or-later
// A Hugging Face model folder: config.json, one model.safetensors or shards with an index, and the
// files that travel along (tokenizer, template, generation config).
#pragma once
#include "core/files/safetensors.h"
#include <functional>
#include <nlohmann/json.hpp>

namespace mooring {

class ModelFolder {
public:
    // Validates the index against the shards: a named shard that is missing, a tensor that the
    // index names and no shard holds, one held twice, a shard that is truncated, quantized or
    // LFS-pointer files. Where model.safetensors is next to an index that does not name it, it is
    // the model, as for transformers. `fits` looks at config.json before any weight is looked for:
    // nobody has to download the weights of a model that cannot be loaded. Errors: Input.
    using LookAtConfig = std::function<Result<void>(
        const nlohmann::ordered_json& config, const std::filesystem::path& file)>;
    static Result<ModelFolder> open(
        const std::filesystem::path& folder, const LookAtConfig& fits = {});

    const std::filesystem::path& path() const { return m_path; }
    const nlohmann::ordered_json& config() const { return m_config; }
    struct Entry {
        std::shared_ptr<const SafetensorsFile> file;
        const TensorInfo* info = nullptr;
        std::span<const std::byte> bytes() const { return file->bytes(*info); }
    };
    const std::map<std::string, Entry>& tensors() const { return m_tensors; }
    // Shard file names in index order with their tensors in file order: the layout an export keeps.
    struct Shard {
        std::string fileName;
        std::vector<TensorSpec> tensors;
        std::map<std::string, std::string> metadata;
    };
    const std::vector<Shard>& shards() const { return m_shards; }
    bool sharded() const { return m_sharded; }
    // gpt-oss whose experts stand as `.._blocks` and `.._scales` (core/files/mxfp4.h): the only
    // quantized weights that open() lets pass.
    bool packedAsMxfp4() const;
    // SHA-256 over config.json, and every tensor's name, dtype, shape and bytes in name order.
    std::string contentHash() const;

private:
    Result<void> readConfig();
    Result<void> readIndex();
    Result<void> openShards();
    void addTensors(const std::shared_ptr<const SafetensorsFile>& file);
    Result<void> checkAgainstIndex() const;

    std::filesystem::path m_path;
    std::string m_configText; // as it stood in the file: part of the hash
    nlohmann::ordered_json m_config;
    std::map<std::string, std::string> m_index; // tensor -> shard; empty for a single file
    std::vector<std::string> m_shardNames;
    std::map<std::string, std::shared_ptr<const SafetensorsFile>> m_files;
    std::map<std::string, Entry> m_tensors;
    std::vector<Shard> m_shards;
    bool m_sharded = false;
};

// Copies config.json, tokenizer, template, generation-config and index files (everything small that
// is not a weight) from one model folder into another, bytes unchanged.
// Links are followed: in the Hugging Face cache every file is one.
Result<void> copyCompanionFiles(const std::filesystem::path& from, const std::filesystem::path& to);

} // namespace mooring
