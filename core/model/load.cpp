// SPDX-License-Identifier: GPL-3.0-or-later
// Strict loading (docs/models.md#loading-and-saving), random weights, and shapes without weights.
#include "core/base/cancel_scope.h"
#include "core/base/random.h"
#include "core/files/atomic_folder.h"
#include "core/model/families/describe_model.h"
#include "core/model/head_tying.h"
#include "core/model/model.h"
#include <algorithm>
#include <cmath>
#include <numbers>
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
Result<void> checkTensors(const ParameterStore& store, const WeightSource& source) {
    std::vector<std::string> missing;
    for (const auto& b : store.bindings()) {
        const auto* found = source.find(b.key);
        if (!found)
            missing.push_back(b.key);
        else if (found->shape != b.shape)
            return Error{ErrorCode::Input,
                "the tensor " + b.key + " has shape " + shapeText(found->shape)
                    + ", but the config expects " + shapeText(b.shape),
                found->file(), "use the config.json that came with the weights"};
    }
    if (missing.empty())
        return {};
    return Error{ErrorCode::Input, "the checkpoint lacks " + nameList(missing),
        source.folder().path().string(),
        "download the complete checkpoint, or use its own config.json"};
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
    std::vector<std::string> extra;
    std::set<std::string> used;
    for (const auto& b : m_store.bindings()) {
        const auto* found = source.find(b.key);
        used.insert(b.key);
        endIfCanceled();
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
    if (!extra.empty())
        return Error{ErrorCode::Input,
            "the checkpoint has tensors this architecture does not use: " + nameList(extra),
            source.folder().path().string(), "use the config.json that came with the weights"};
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
    const bool tied = architecture.tiedEmbeddings;
    const auto notice = settleHead(source, architecture);
    auto model = std::unique_ptr<Model>(new Model(std::move(architecture), device, compute));
    model->m_untied = tied && !model->m_architecture.tiedEmbeddings;
    if (!notice.empty())
        model->m_notices.push_back(notice);
    MOORING_RETURN_IF_ERROR(checkTensors(model->m_store, source));
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
        if (const auto* weight = m_source->find(b.key); weight && b.parameter->trains())
            copyWeight(*weight, b.part(b.parameter->master));
}

Result<std::unique_ptr<Model>> Model::blueprint(
    const nlohmann::ordered_json& config, const std::string& where) {
    MOORING_TRY(auto architecture, describeModel(config, where));
    return std::unique_ptr<Model>(new Model(std::move(architecture), at::kCPU, at::kFloat));
}

Result<std::unique_ptr<Model>> Model::blueprint(const std::filesystem::path& path) {
    const bool isFolder = std::filesystem::is_directory(path);
    const auto file = isFolder ? path / "config.json" : path;
    MOORING_TRY(const auto text, readFile(file));
    const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (json.is_discarded())
        return Error{
            ErrorCode::Input, "is not JSON", file.string(), "use the config.json of a model"};
    MOORING_TRY(auto architecture, describeModel(json, file.string()));
    // Weights that are not there, or broken ones, are the business of loading.
    if (architecture.tiedEmbeddings && isFolder)
        if (auto folder = ModelFolder::open(path); folder.ok())
            if (const auto source = WeightSource::of(std::move(folder).value()); source.ok())
                (void)settleHead(*source, architecture);
    auto model = std::unique_ptr<Model>(new Model(std::move(architecture), at::kCPU, at::kFloat));
    model->m_config = json;
    return model;
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

} // namespace mooring
