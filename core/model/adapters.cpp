// SPDX-License-Identifier: GPL-3.0-or-later
// Low-rank adapters as whole weights, and their files.
#include "core/model/adapters.h"
#include "core/files/atomic_folder.h"
#include <algorithm>
#include <set>

namespace mooring {

namespace {

// B by its place in PEFT's file: [out, r E] with the expert running fastest; A is [E r, in].
bool isB(const Parameter& adapter) {
    return adapter.name.ends_with(".lora_B.weight");
}

std::vector<std::int64_t> peftShape(const Parameter& adapter) {
    const auto& s = adapter.shape;
    if (s.size() == 2)
        return s;
    return isB(adapter) ? std::vector{s[1], s[2] * s[0]} : std::vector{s[0] * s[1], s[2]};
}

// A view of A or B, or of something in their shape, whose elements come in the order of the file.
at::Tensor inFileOrder(const Parameter& adapter, const at::Tensor& value) {
    if (value.dim() == 2 || !isB(adapter))
        return value;
    return adapter.alternates ? value.unflatten(1, {2, -1}).permute({2, 1, 3, 0})
                              : value.permute({1, 2, 0});
}

void addUnique(nlohmann::json& list, const std::string& word) {
    if (std::find(list.begin(), list.end(), word) == list.end())
        list.push_back(word);
}

// What picks a weight, and all its like, out of a model. Attention goes by module. Everything of
// the MLPs goes by parameter, named from beneath its layer: fused experts and routers are no linear
// layers, and PEFT takes a module called gate_proj for a part of fused experts.
void addTarget(const Parameter& weight, nlohmann::json& modules, nlohmann::json& parameters) {
    const auto prefix = "model.layers." + std::to_string(weight.layer) + ".";
    const auto name = weight.module.substr(prefix.size());
    if (weight.group != ParameterGroup::Attention)
        return addUnique(parameters, name);
    const auto module = name.substr(0, name.rfind('.'));
    addUnique(modules, module.substr(module.rfind('.') + 1));
}

Result<nlohmann::json> adapterConfig(const Model& model) {
    auto modules = nlohmann::json::array(), parameters = nlohmann::json::array();
    std::int64_t rank = 0;
    double scale = 0;
    for (const auto& p : model.parameters().parameters())
        if (p.adapter) {
            addTarget(p, modules, parameters);
            rank = p.adapter.b->shape.back();
            scale = p.adapter.scale;
        }
    return nlohmann::json{{"peft_type", "LORA"}, {"task_type", "CAUSAL_LM"}, {"r", rank},
        {"lora_alpha", scale * static_cast<double>(rank)}, {"lora_dropout", 0.0}, {"bias", "none"},
        {"fan_in_fan_out", false}, {"inference_mode", true}, {"init_lora_weights", true},
        {"target_modules", modules}, {"target_parameters", parameters},
        {"base_model_name_or_path", model.path()}};
}

} // namespace

at::Tensor adapterDelta(const Parameter& weight) {
    const auto& low = weight.adapter;
    return low ? at::matmul(low.b->master, low.a->master).mul_(low.scale) : at::Tensor();
}

at::Tensor effectiveWeight(const Parameter& weight) {
    const auto whole = weight.master.to(at::kFloat);
    return weight.adapter ? whole + adapterDelta(weight) : whole;
}

bool effectivelyTrains(const Parameter& weight) {
    return weight.trains() || (weight.adapter && weight.adapter.a->trains());
}

void addEffectiveGradient(Parameter& weight, const at::Tensor& gradient) {
    if (weight.trains())
        weight.grad.add_(gradient);
    const auto& low = weight.adapter;
    if (!low || !low.a->trains())
        return;
    low.a->grad.add_(at::matmul(low.b->master.transpose(-2, -1), gradient), low.scale);
    low.b->grad.add_(at::matmul(gradient, low.a->master.transpose(-2, -1)), low.scale);
}

at::Tensor inPeftLayout(const Parameter& adapter, const at::Tensor& value) {
    return inFileOrder(adapter, value).reshape(peftShape(adapter));
}

Result<void> saveAdapter(const Model& model, const std::filesystem::path& folder) {
    at::NoGradGuard guard;
    std::vector<TensorSpec> specs;
    std::vector<const Parameter*> adapters;
    for (const auto& p : model.parameters().parameters())
        if (p.isAdapter) {
            adapters.push_back(&p);
            specs.push_back({p.name, DType::F32, peftShape(p)});
        }
    MOORING_TRY(auto writer,
        SafetensorsWriter::create(folder / "adapter_model.safetensors", specs, {{"format", "pt"}}));
    for (const auto* p : adapters) {
        const auto host = inPeftLayout(*p, p->master).to(at::kCPU, at::kFloat).contiguous();
        MOORING_RETURN_IF_ERROR(writer.write(p->name,
            {static_cast<const std::byte*>(host.data_ptr()),
                static_cast<std::size_t>(host.nbytes())}));
    }
    MOORING_RETURN_IF_ERROR(writer.finish());
    MOORING_TRY(const auto config, adapterConfig(model));
    return writeFileAtomically(folder / "adapter_config.json", config.dump(2) + "\n");
}

namespace {

Error broken(const std::filesystem::path& file, const std::string& what) {
    return {ErrorCode::Input, what, file.string(), "use the adapter of a LoRA run of this model"};
}

// Values of one tensor of the file into A or B.
Result<void> fillAdapter(Parameter& adapter, const SafetensorsFile& file) {
    const auto* info = file.find(adapter.name);
    if (!info)
        return broken(file.path(), "the adapter lacks " + adapter.name);
    if (info->dtype != DType::F32 || info->shape != peftShape(adapter))
        return broken(
            file.path(), adapter.name + " has a different shape or type than this model needs");
    const auto read = at::from_blob(const_cast<std::byte*>(file.bytes(*info).data()), info->shape,
        at::TensorOptions().dtype(at::kFloat));
    const auto place = inFileOrder(adapter, adapter.master);
    place.copy_(read.view(place.sizes()));
    if (!adapter.compute.is_same(adapter.master))
        adapter.compute.copy_(adapter.master);
    return {};
}

} // namespace

Result<void> loadAdapter(Model& model, const std::filesystem::path& folder) {
    at::NoGradGuard guard;
    const auto configFile = folder / "adapter_config.json";
    MOORING_TRY(const auto text, readFile(configFile));
    const auto config = nlohmann::json::parse(text, nullptr, false);
    if (!config.is_object() || !config.contains("r") || !config["r"].is_number_integer()
        || config["r"] < 1 || !config.contains("lora_alpha") || !config["lora_alpha"].is_number())
        return broken(configFile, "has no rank r and lora_alpha");
    const auto rank = config["r"].get<std::int64_t>();
    const double scale = config["lora_alpha"].get<double>() / static_cast<double>(rank);
    MOORING_TRY(const auto file, SafetensorsFile::open(folder / "adapter_model.safetensors"));
    auto& store = model.parameters();
    std::vector<Parameter*> weights;
    for (auto& p : store.parameters())
        if (p.shape.size() >= 2 && !p.isAdapter && file->find(adapterName(p, "A")))
            weights.push_back(&p);
    if (2 * weights.size() != file->tensors().size())
        return broken(file->path(),
            "has " + std::to_string(file->tensors().size())
                + " tensors, of which this model has a place for "
                + std::to_string(2 * weights.size()));
    for (auto* p : weights) {
        store.addAdapter(*p, rank, scale);
        MOORING_RETURN_IF_ERROR(fillAdapter(*p->adapter.a, *file));
        MOORING_RETURN_IF_ERROR(fillAdapter(*p->adapter.b, *file));
    }
    return {};
}

} // namespace mooring
