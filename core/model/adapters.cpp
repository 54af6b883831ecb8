// SPDX-License-Identifier: GPL-3.0-or-later
// Low-rank adapters as whole weights, and their files.
#include "core/model/adapters.h"
#include "core/files/atomic_folder.h"
#include <map>

namespace mooring {

namespace {

// B by its place in PEFT's file: [out, r E] with the expert running fastest; A is [E r, in].
bool isB(const Parameter& adapter) {
    return adapter.name.ends_with(".lora_B.weight");
}

// Which weights of a model with adapters stand under one name: "self_attn.q_proj.weight".
struct Alike {
    std::vector<const Parameter*> adapted;
    bool all = true; // none of that name is without one
};
std::map<std::string, Alike> alike(const Model& model) {
    std::map<std::string, Alike> found;
    for (const auto& p : model.parameters().parameters()) {
        if (p.isAdapter || p.shape.size() < 2 || p.layer < 0)
            continue;
        const auto prefix = "model.layers." + std::to_string(p.layer) + ".";
        auto& same = found[p.module.substr(prefix.size())];
        if (p.adapter)
            same.adapted.push_back(&p);
        else
            same.all = false;
    }
    std::erase_if(found, [](const auto& entry) { return entry.second.adapted.empty(); });
    return found;
}

// How PEFT picks a weight: attention by the name of its module, everything of the MLPs by that of
// the parameter, since fused experts and routers are no linear layers, and PEFT takes a module
// called gate_proj for a part of fused experts.
bool byModule(const Parameter& weight) {
    return weight.group == ParameterGroup::Attention;
}
std::string withoutWeight(const std::string& name) {
    return name.substr(0, name.rfind('.'));
}
std::string nameForPeft(const Parameter& weight) {
    return byModule(weight) ? withoutWeight(weight.module) : weight.module;
}

// The end of a name where it picks all weights that have adapters and no others.
void addTargets(const std::map<std::string, Alike>& weights, nlohmann::json& config) {
    for (const auto& [name, same] : weights) {
        auto& list = config[byModule(*same.adapted[0]) ? "target_modules" : "target_parameters"];
        if (!same.all)
            for (const auto* weight : same.adapted)
                list.push_back(nameForPeft(*weight));
        else if (!byModule(*same.adapted[0]))
            list.push_back(name);
        else
            list.push_back(withoutWeight(name).substr(withoutWeight(name).rfind('.') + 1));
    }
}

// r and lora_alpha of the first, and a pattern for each weight that has others.
void addShapes(const std::map<std::string, Alike>& weights, nlohmann::json& config) {
    const auto rankOf = [](const Parameter& p) { return p.adapter.b->shape.back(); };
    const auto alphaOf
        = [&](const Parameter& p) { return p.adapter.scale * static_cast<double>(rankOf(p)); };
    for (const auto& [name, same] : weights)
        for (const auto* weight : same.adapted) {
            if (!config.contains("r"))
                config.update({{"r", rankOf(*weight)}, {"lora_alpha", alphaOf(*weight)}});
            std::string pattern = "^";
            for (const char c : nameForPeft(*weight))
                pattern += c == '.' ? "\\." : std::string(1, c);
            if (config["r"] != rankOf(*weight))
                config["rank_pattern"][pattern] = rankOf(*weight);
            if (config["lora_alpha"] != alphaOf(*weight))
                config["alpha_pattern"][pattern] = alphaOf(*weight);
        }
}

nlohmann::json adapterConfig(const Model& model) {
    const auto none = nlohmann::json::array();
    nlohmann::json config = {{"peft_type", "LORA"}, {"task_type", "CAUSAL_LM"},
        {"lora_dropout", 0.0}, {"bias", "none"}, {"fan_in_fan_out", false},
        {"inference_mode", true}, {"init_lora_weights", true}, {"target_modules", none},
        {"target_parameters", none}, {"base_model_name_or_path", model.path()}};
    const auto weights = alike(model);
    addTargets(weights, config);
    addShapes(weights, config);
    return config;
}

} // namespace

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
    return writeFileAtomically(folder / "adapter_config.json", adapterConfig(model).dump(2) + "\n");
}

} // namespace mooring
