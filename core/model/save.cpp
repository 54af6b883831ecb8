// SPDX-License-Identifier: GPL-3.0-or-later
// The way back to a folder: keys, shards and dtypes as they came, adapters merged in.
#include "core/files/atomic_folder.h"
#include "core/model/adapters.h"
#include "core/model/model.h"
#include <algorithm>
#include <numeric>

namespace mooring {

namespace {

DType dtypeOf(const nlohmann::ordered_json& config) {
    for (const auto* key : {"dtype", "torch_dtype"})
        if (config.contains(key) && config[key].is_string()) {
            const auto name = config[key].get<std::string>();
            return name == "bfloat16" ? DType::BF16 : name == "float16" ? DType::F16 : DType::F32;
        }
    return DType::F32;
}

// The layout for a model that came from no folder: one file, binding order.
std::vector<ModelFolder::Shard> freshLayout(const ParameterStore& store, DType dtype) {
    ModelFolder::Shard shard;
    shard.fileName = "model.safetensors";
    shard.metadata = {{"format", "pt"}};
    for (const auto& b : store.bindings())
        shard.tensors.push_back(
            {b.key, b.parameter->group == ParameterGroup::None ? DType::F32 : dtype, b.shape});
    return {shard};
}

// What of scale B A a tensor of the checkpoint takes of its parameter: all of it, or rows of one
// expert.
at::Tensor deltaOf(const TensorBinding& b) {
    const auto& low = b.parameter->adapter;
    const auto& shape = b.parameter->shape;
    if (b.elements() == b.parameter->elements())
        return b.part(adapterDelta(*b.parameter)).reshape(b.shape).to(at::kCPU);
    const std::int64_t in = shape.back(), out = shape[shape.size() - 2];
    const std::int64_t expert = b.offset / (out * in), row = b.offset % (out * in) / in;
    const bool stacked = shape.size() == 3;
    const auto A = stacked ? low.a->master[expert] : low.a->master;
    const auto B = stacked ? low.b->master[expert] : low.b->master;
    return at::mm(B.narrow(0, row, b.shape[0]), A).mul_(low.scale).to(at::kCPU);
}

} // namespace

// What is frozen may be here in the compute dtype alone: the file still holds all of it, unless a
// checkpoint or a parent run has put another value in its place.
at::Tensor Model::savedValue(const TensorBinding& b, const TensorSpec& spec) const {
    const auto& p = *b.parameter;
    auto value = b.part(p.master).reshape(b.shape).to(at::kCPU);
    const auto* weight = m_source ? m_source->find(b.key) : nullptr;
    if (p.master.scalar_type() != at::kFloat && weight) {
        const auto base = readWeight(*weight);
        if (base.to(value.scalar_type()).equal(value))
            value = base;
    }
    if (p.adapter)
        value = value.to(at::kFloat) + deltaOf(b);
    return value.to(scalarType(spec.dtype)).contiguous();
}

// The files as they came; a head that has become a weight of its own lies beside the embedding.
std::vector<ModelFolder::Shard> Model::savedShards() const {
    if (!m_source)
        return freshLayout(m_store, dtypeOf(m_config));
    auto shards = m_source->shards();
    if (!m_untied || m_source->find("lm_head.weight"))
        return shards;
    for (auto& shard : shards) {
        const auto embedding = std::find_if(shard.tensors.begin(), shard.tensors.end(),
            [&](const TensorSpec& spec) { return spec.name == m_architecture.embeddingKey; });
        if (embedding != shard.tensors.end()) {
            const TensorSpec head = {"lm_head.weight", embedding->dtype, embedding->shape};
            shard.tensors.push_back(head);
            break;
        }
    }
    return shards;
}

// What was packed or tied is so no more: config.json says it, and the index has other tensors.
Result<void> Model::writeChangedConfig(
    const std::vector<ModelFolder::Shard>& shards, const std::filesystem::path& folder) const {
    auto config = m_source->folder().config();
    if (m_source->packed())
        config.erase("quantization_config");
    if (m_untied)
        config["tie_word_embeddings"] = false;
    MOORING_RETURN_IF_ERROR(writeFileAtomically(folder / "config.json", config.dump(2) + "\n"));
    if (!m_source->folder().sharded())
        return {};
    std::uint64_t total = 0;
    auto places = nlohmann::ordered_json::object();
    for (const auto& shard : shards)
        for (const auto& spec : shard.tensors) {
            places[spec.name] = shard.fileName;
            total += std::accumulate(spec.shape.begin(), spec.shape.end(),
                static_cast<std::uint64_t>(dtypeSize(spec.dtype)), std::multiplies<>());
        }
    const nlohmann::ordered_json index
        = {{"metadata", {{"total_size", total}}}, {"weight_map", std::move(places)}};
    return writeFileAtomically(folder / "model.safetensors.index.json", index.dump(2) + "\n");
}

Result<void> Model::save(const std::filesystem::path& folder, bool correctionBiasFp32) const {
    at::NoGradGuard guard;
    std::map<std::string, const TensorBinding*> bindings;
    for (const auto& b : m_store.bindings())
        bindings[b.key] = &b;
    auto shards = savedShards();
    for (auto& shard : shards) {
        if (correctionBiasFp32)
            for (auto& spec : shard.tensors)
                if (bindings.contains(spec.name)
                    && bindings[spec.name]->parameter->group == ParameterGroup::None)
                    spec.dtype = DType::F32;
        MOORING_TRY(auto writer,
            SafetensorsWriter::create(folder / shard.fileName, shard.tensors, shard.metadata));
        for (const auto& spec : shard.tensors) {
            const auto it = bindings.find(spec.name);
            // A tied head that stands in the file twice is written from the embedding.
            const TensorBinding* b = it != bindings.end() ? it->second
                : m_architecture.tiedEmbeddings && spec.name == "lm_head.weight"
                ? bindings.at(m_architecture.embeddingKey)
                : nullptr;
            if (!b) {
                MOORING_RETURN_IF_ERROR(
                    writer.write(spec.name, m_source->find(spec.name)->entry.bytes()));
                continue;
            }
            const auto host = savedValue(*b, spec);
            MOORING_RETURN_IF_ERROR(writer.write(spec.name,
                std::span(static_cast<const std::byte*>(host.data_ptr()),
                    static_cast<std::size_t>(host.nbytes()))));
        }
        MOORING_RETURN_IF_ERROR(writer.finish());
    }
    if (!m_source)
        return writeFileAtomically(folder / "config.json", m_config.dump(2) + "\n");
    MOORING_RETURN_IF_ERROR(copyCompanionFiles(m_source->folder().path(), folder));
    return m_source->packed() || m_untied ? writeChangedConfig(shards, folder) : Result<void>();
}

} // namespace mooring
