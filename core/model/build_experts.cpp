// SPDX-License-Identifier: GPL-3.0-or-later
// The routed experts of a layer: stacked in memory, gate rows first. On disk they are stored one by
// one, stacked in the same way, or stacked and transposed.
#include "core/model/model.h"

namespace mooring {

namespace {

void bindOneByOne(
    ParameterStore& store, const MoeWeights& w, const std::string& prefix, const MoeNames& names) {
    const std::int64_t E = w.down->shape[0], D = w.down->shape[1], I = w.down->shape[2];
    for (std::int64_t e = 0; e < E; ++e) {
        const std::string expert = prefix + "experts." + std::to_string(e) + ".";
        store.bind({expert + names.gate + ".weight", w.gateUp, e * 2 * I * D, {I, D}});
        store.bind({expert + names.up + ".weight", w.gateUp, (e * 2 * I + I) * D, {I, D}});
        store.bind({expert + names.down + ".weight", w.down, e * D * I, {D, I}});
    }
}

void bindStacked(ParameterStore& store, const MoeWeights& w) {
    for (auto* p : {w.gateUp, w.down})
        store.bind({p->name, p, 0, p->shape});
}

// gate_up [E, D, 2I] and its bias [E, 2I] with gate and up by turns, down [E, I, D].
void bindTransposed(ParameterStore& store, const MoeWeights& w) {
    const std::int64_t E = w.down->shape[0], D = w.down->shape[1], I = w.down->shape[2];
    store.bind(
        {w.gateUp->name, w.gateUp, 0, {E, D, 2 * I}, {E, D, I, 2}, {2 * I * D, 1, D, I * D}});
    store.bind({w.down->name, w.down, 0, {E, I, D}, {E, I, D}, {D * I, 1, I}});
    if (w.gateUpBias)
        store.bind({w.gateUpBias->name, w.gateUpBias, 0, {E, 2 * I}, {E, I, 2}, {2 * I, 1, I}});
    if (w.downBias)
        store.bind({w.downBias->name, w.downBias, 0, {E, D}});
}

} // namespace

void Model::buildExperts(int i, MoeWeights& w) {
    const auto& a = m_architecture;
    const auto& names = a.names;
    const std::int64_t E = a.gate.experts, I = a.expertHidden, D = a.hidden;
    const std::string layer = "model.layers." + std::to_string(i) + ".";
    const std::string prefix = layer + names.block + ".";
    const std::string module = layer + names.moduleBlock + ".experts.";
    const auto stack
        = [&](const std::string& key, const std::string& part, std::vector<std::int64_t> shape) {
              return &m_store.add({prefix + key, module + part, ParameterGroup::RoutedExperts, i,
                  std::move(shape), false, {}, {}, {}});
          };
    const bool fused = !names.fusedGateUp.empty();
    w.gateUp
        = stack(fused ? names.fusedGateUp : "experts.{e}.gate_up", "gate_up_proj", {E, 2 * I, D});
    w.down = stack(fused ? names.fusedDown : "experts.{e}." + names.down, "down_proj", {E, D, I});
    if (a.expertBias) { // plain vectors: without decay and adapters, like every bias
        w.gateUpBias = stack(names.fusedGateUp + "_bias", "gate_up_proj_bias", {E * 2 * I});
        w.downBias = stack(names.fusedDown + "_bias", "down_proj_bias", {E * D});
    }
    w.gateUp->alternates = names.transposed;
    if (names.transposed)
        bindTransposed(m_store, w);
    else if (fused)
        bindStacked(m_store, w);
    else
        bindOneByOne(m_store, w, prefix, names);
}

} // namespace mooring
