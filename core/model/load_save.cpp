// SPDX-License-Identifier: GPL-3.0-or-later
// Strict loading, and saving with the same keys, shards and dtypes
// (docs/models.md#loading-and-saving).
#include "core/base/random.h"
#include "core/files/atomic_folder.h"
#include "core/model/adapters.h"
#include "core/model/families/describe_model.h"
#include "core/model/model.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>
#include <set>

namespace mooring {

namespace {

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + "]";
}

// "a, b, c and 12 more"
std::string nameList(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < 3; ++i)
        text += (i ? ", " : "") + names[i];
    if (names.size() > 3)
        text += " and " + std::to_string(names.size() - 3) + " more";
    return text;
}

// Checked before anything is allocated: a config that describes more than the file has is an input
// error.
Result<void> checkShapes(const ParameterStore& store, const WeightSource& source) {
    for (const auto& b : store.bindings())
        if (const auto* found = source.find(b.key); found && found->shape != b.shape)
            return Error{ErrorCode::Input,
                "the tensor " + b.key + " has shape " + shapeText(found->shape)
                    + ", but the config says " + shapeText(b.shape),
                found->file(), "use the config.json that belongs to the weights"};
    return {};
}

DType dtypeOf(const nlohmann::ordered_json& config) {
    for (const auto* key : {"dtype", "torch_dtype"})
        if (config.contains(key) && config[key].is_string()) {
            const auto name = config[key].get<std::string>();
            return name == "bfloat16" ? DType::BF16 : name == "float16" ? DType::F16 : DType::F32;
        }
    return DType::F32;
}

// SplitMix64, then Box-Muller: the same weights on every machine and compiler.
class NormalSource {
public:
    explicit NormalSource(std::uint64_t seed)
        : m_source(seed) { }
    double next() {
        if (m_hasSpare) {
            m_hasSpare = false;
            return m_spare;
        }
        const double u = uniform(), v = uniform();
        const double radius = std::sqrt(-2.0 * std::log(u));
        m_spare = radius * std::sin(2.0 * std::numbers::pi * v);
        m_hasSpare = true;
        return radius * std::cos(2.0 * std::numbers::pi * v);
    }

private:
    double uniform() { // (0, 1]
        return (static_cast<double>(m_source.next() >> 11) + 1.0) * 0x1.0p-53;
    }
    SplitMix64 m_source;
    double m_spare = 0;
    bool m_hasSpare = false;
};

} // namespace

Result<void> Model::fill(const WeightSource& source) {
    at::NoGradGuard guard;
    std::vector<std::string> missing, extra;
    std::set<std::string> used;
    for (const auto& b : m_store.bindings()) {
        const auto* found = source.find(b.key);
        if (!found) {
            missing.push_back(b.key);
            continue;
        }
        used.insert(b.key);
        if (!loadable(found->dtype))
            return Error{ErrorCode::Input,
                "the tensor " + b.key + " has the type " + dtypeName(found->dtype), found->file(),
                "use a checkpoint in F32, F16 or BF16"};
        copyWeight(*found, b.part(b.parameter->master));
    }
    for (const auto& [key, weight] : source.weights())
        if (!used.contains(key) && !m_architecture.ignores(key)
            && !(m_architecture.tiedEmbeddings && key == "lm_head.weight"))
            extra.push_back(key);
    const auto where = source.folder().path().string();
    if (!missing.empty())
        return Error{ErrorCode::Input, "the checkpoint lacks " + nameList(missing), where,
            "download the whole checkpoint, or use the config.json that belongs to it"};
    if (!extra.empty())
        return Error{ErrorCode::Input,
            "the checkpoint has tensors that this architecture does not use: " + nameList(extra),
            where, "use the config.json that belongs to the weights"};
    return {};
}

Result<std::unique_ptr<Model>> Model::load(
    const std::filesystem::path& path, const at::Device& device, at::ScalarType compute) {
    Architecture architecture;
    const auto describe = [&](const auto& config, const auto& file) -> Result<void> {
        MOORING_TRY(architecture, describeModel(config, file.string()));
        return {};
    };
    MOORING_TRY(auto folder, ModelFolder::open(path, describe));
    MOORING_TRY(auto source, WeightSource::of(std::move(folder)));
    auto model = std::unique_ptr<Model>(new Model(std::move(architecture), device, compute));
    MOORING_RETURN_IF_ERROR(checkShapes(model->m_store, source));
    model->m_store.allocate(device, compute);
    model->m_config = source.folder().config();
    MOORING_RETURN_IF_ERROR(model->fill(source));
    model->m_source = std::make_shared<WeightSource>(std::move(source));
    return model;
}

void Model::prepareTraining(const std::function<bool(const Parameter&)>& trains) {
    at::NoGradGuard guard;
    m_store.prepareTraining(trains);
    if (!m_source || m_compute == at::kFloat)
        return;
    // So far there was only a copy in the compute dtype; masters start from the file itself.
    for (const auto& b : m_store.bindings())
        if (b.parameter->trains())
            copyWeight(*m_source->find(b.key), b.part(b.parameter->master));
}

Result<std::unique_ptr<Model>> Model::blueprint(
    const nlohmann::ordered_json& config, const std::string& where) {
    MOORING_TRY(auto architecture, describeModel(config, where));
    return std::unique_ptr<Model>(new Model(std::move(architecture), at::kCPU, at::kFloat));
}

Result<std::unique_ptr<Model>> Model::initialise(const nlohmann::ordered_json& config,
    const std::string& where, double std, std::uint64_t seed, const at::Device& device,
    at::ScalarType compute) {
    MOORING_TRY(auto architecture, describeModel(config, where));
    auto model = std::unique_ptr<Model>(new Model(std::move(architecture), device, compute));
    model->m_config = config;
    model->m_store.allocate(device, at::kFloat);
    model->randomise(std, seed);
    model->m_store.setCompute(compute);
    return model;
}

void Model::randomise(double std, std::uint64_t seed) {
    at::NoGradGuard guard;
    const auto outputs = residualOutputs();
    const double residual = 1.0 / std::sqrt(2.0 * static_cast<double>(m_architecture.layers()));
    std::uint64_t index = 0;
    for (auto& p : m_store.parameters()) {
        NormalSource normal(seed * 0x9E3779B97F4A7C15ULL + ++index);
        if (p.group == ParameterGroup::Norms) {
            p.master.fill_(1.0);
            continue;
        }
        if (p.group == ParameterGroup::None || !p.decays()) {
            p.master.zero_(); // correction biases and biases start at 0
            continue;
        }
        const bool output = std::find(outputs.begin(), outputs.end(), &p) != outputs.end();
        auto host = at::empty(p.shape, at::kFloat);
        float* data = host.data_ptr<float>();
        for (std::int64_t i = 0; i < p.elements(); ++i)
            data[i] = static_cast<float>(normal.next() * std * (output ? residual : 1.0));
        p.master.copy_(host);
    }
}

namespace {

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

} // namespace

namespace {

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
    if (p.master.scalar_type() != at::kFloat && m_source) {
        const auto base = readWeight(*m_source->find(b.key));
        if (base.to(value.scalar_type()).equal(value))
            value = base;
    }
    if (p.adapter)
        value = value.to(at::kFloat) + deltaOf(b);
    return value.to(scalarType(spec.dtype)).contiguous();
}

namespace {

// What marks a folder's weights as packed: the config key and the index.
Result<void> writeAsUnpacked(const WeightSource& source, const std::filesystem::path& folder) {
    auto config = source.folder().config();
    config.erase("quantization_config");
    MOORING_RETURN_IF_ERROR(writeFileAtomically(folder / "config.json", config.dump(2) + "\n"));
    if (!source.folder().sharded())
        return {};
    std::uint64_t total = 0;
    auto places = nlohmann::ordered_json::object();
    for (const auto& shard : source.shards())
        for (const auto& spec : shard.tensors) {
            places[spec.name] = shard.fileName;
            total += std::accumulate(spec.shape.begin(), spec.shape.end(),
                static_cast<std::uint64_t>(dtypeSize(spec.dtype)), std::multiplies<>());
        }
    const nlohmann::ordered_json index
        = {{"metadata", {{"total_size", total}}}, {"weight_map", std::move(places)}};
    return writeFileAtomically(folder / "model.safetensors.index.json", index.dump(2) + "\n");
}

} // namespace

Result<void> Model::save(const std::filesystem::path& folder, bool correctionBiasFp32) const {
    at::NoGradGuard guard;
    std::map<std::string, const TensorBinding*> bindings;
    for (const auto& b : m_store.bindings())
        bindings[b.key] = &b;
    auto shards = m_source ? m_source->shards() : freshLayout(m_store, dtypeOf(m_config));
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
            // A tied head that is in the file twice is written from the embedding.
            const TensorBinding* b = it != bindings.end() ? it->second
                : m_architecture.tiedEmbeddings && spec.name == "lm_head.weight"
                ? bindings.at("model.embed_tokens.weight")
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
    return m_source->packed() ? writeAsUnpacked(*m_source, folder) : Result<void>();
}

} // namespace mooring
