// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layers/parameter.h"
#include <numeric>

namespace mooring {

namespace {

std::int64_t product(const std::vector<std::int64_t>& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

} // namespace

const char* groupName(ParameterGroup group) {
    switch (group) {
    case ParameterGroup::Attention:
        return "attention";
    case ParameterGroup::DenseMlp:
        return "dense_mlp";
    case ParameterGroup::SharedExperts:
        return "shared_experts";
    case ParameterGroup::RoutedExperts:
        return "routed_experts";
    case ParameterGroup::Router:
        return "router";
    case ParameterGroup::Embeddings:
        return "embeddings";
    case ParameterGroup::Norms:
        return "norms";
    case ParameterGroup::Head:
        return "head";
    case ParameterGroup::None:
        break;
    }
    return "none";
}

std::int64_t Parameter::elements() const {
    return product(shape);
}
std::int64_t TensorBinding::elements() const {
    return product(shape);
}
at::Tensor TensorBinding::part(const at::Tensor& whole) const {
    return strides.empty() ? whole.flatten().narrow(0, offset, elements()).view(shape)
                           : whole.as_strided(sizes, strides, whole.storage_offset() + offset);
}

Parameter& ParameterStore::add(Parameter parameter) {
    m_parameters.push_back(std::move(parameter));
    return m_parameters.back();
}

void ParameterStore::bind(TensorBinding binding) {
    m_bindings.push_back(std::move(binding));
}

std::string adapterName(const Parameter& weight, const char* part, bool alone) {
    std::string module = weight.module;
    const std::string inside = alone ? ".experts" : ".experts.base_layer";
    for (const auto& [from, to] :
        {std::pair<std::string, std::string>{".experts.gate_up_proj", inside},
            {".experts.down_proj", ".experts"}, {".weight", ""}})
        if (module.ends_with(from))
            module = module.substr(0, module.size() - from.size()) + to;
    return "base_model.model." + module + ".lora_" + part + ".weight";
}

void ParameterStore::addAdapter(Parameter& weight, std::int64_t rank, double scale, bool alone) {
    auto a = weight.shape, b = weight.shape;
    a[a.size() - 2] = b.back() = rank;
    const auto make = [&](const char* part, const std::vector<std::int64_t>& shape) {
        const auto name = adapterName(weight, part, alone);
        auto& p
            = add({name, name, weight.group, weight.layer, shape, weight.alwaysFp32, {}, {}, {}});
        p.isAdapter = true;
        p.alternates = weight.alternates;
        p.master = at::zeros(shape, weight.compute.options().dtype(at::kFloat));
        p.compute
            = weight.alwaysFp32 || m_compute == at::kFloat ? p.master : p.master.to(m_compute);
        return &p;
    };
    weight.adapter = {make("A", a), make("B", b), scale};
}

void ParameterStore::allocate(const at::Device& device, at::ScalarType compute) {
    m_compute = compute;
    for (auto& p : m_parameters) {
        const auto type = p.alwaysFp32 ? at::kFloat : compute;
        p.master = at::empty(p.shape, at::TensorOptions().dtype(type).device(device));
        p.compute = p.master;
    }
}

void ParameterStore::prepareTraining(const std::function<bool(const Parameter&)>& trains) {
    m_trained.clear();
    m_offsets.clear();
    std::int64_t total = 0;
    for (const bool decays : {true, false})
        for (auto& p : m_parameters)
            if (p.group != ParameterGroup::None && p.decays() == decays && trains(p)) {
                m_trained.push_back(&p);
                m_offsets.push_back(total);
                total += p.elements();
            }
    const auto device = m_parameters.front().master.device();
    m_flatMaster = at::empty({total}, at::TensorOptions().dtype(at::kFloat).device(device));
    m_flatGrad = at::zeros_like(m_flatMaster);
    for (std::size_t i = 0; i < m_trained.size(); ++i) {
        auto& p = *m_trained[i];
        auto master = m_flatMaster.narrow(0, m_offsets[i], p.elements()).view(p.shape);
        master.copy_(p.master);
        if (p.alwaysFp32 || m_compute == at::kFloat)
            p.compute = master;
        p.master = master;
        p.grad = m_flatGrad.narrow(0, m_offsets[i], p.elements()).view(p.shape);
    }
    for (auto& p : m_parameters)
        if (!p.trains())
            p.master = p.compute;
}

void ParameterStore::setCompute(at::ScalarType type) {
    m_compute = type;
    for (auto& p : m_parameters)
        p.compute = p.alwaysFp32 || type == at::kFloat ? p.master : p.master.to(type);
}

void ParameterStore::refreshCompute() {
    if (m_compute == at::kFloat)
        return;
    for (auto* p : m_trained)
        if (!p->alwaysFp32)
            p->compute.copy_(p->master);
}

std::int64_t ParameterStore::total() const {
    std::int64_t n = 0;
    for (const auto& p : m_parameters)
        if (p.group != ParameterGroup::None && !p.isAdapter)
            n += p.elements();
    return n;
}

} // namespace mooring
