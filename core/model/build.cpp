// SPDX-License-Identifier: GPL-3.0-or-later
// From the description of an architecture to parameters and their checkpoint keys.
#include "core/model/model.h"

namespace mooring {

Model::Model(Architecture architecture, at::Device device, at::ScalarType compute)
    : m_architecture(std::move(architecture))
    , m_device(device)
    , m_compute(compute) {
    build();
}

Parameter* Model::add(const std::string& key, int layer, ParameterGroup group,
    std::vector<std::int64_t> shape, bool alwaysFp32) {
    auto& p = m_store.add({key, group, layer, shape, alwaysFp32, {}, {}, {}});
    m_store.bind(key, p, 0, std::move(shape));
    return &p;
}

void Model::build() {
    const auto& a = m_architecture;
    m_embedding = add(
        "model.embed_tokens.weight", -1, ParameterGroup::Embeddings, {a.vocabulary, a.hidden});
    m_layers.resize(a.moeLayers.size());
    m_ordinalOfLayer.assign(a.moeLayers.size(), -1);
    for (int i = 0; i < static_cast<int>(a.layers()); ++i) {
        auto& layer = m_layers[i];
        const std::string prefix = "model.layers." + std::to_string(i) + ".";
        layer.inputNorm
            = add(prefix + "input_layernorm.weight", i, ParameterGroup::Norms, {a.hidden}, true);
        buildAttention(i, layer.attention);
        layer.postNorm = add(
            prefix + "post_attention_layernorm.weight", i, ParameterGroup::Norms, {a.hidden}, true);
        layer.moe = a.moeLayers[i];
        if (layer.moe) {
            m_ordinalOfLayer[i] = static_cast<int>(m_moeOrdinals.size());
            m_moeOrdinals.push_back(i);
            buildMoe(i, layer.experts);
        } else {
            layer.dense = buildMlp(prefix + "mlp.", i, a.denseHidden, ParameterGroup::DenseMlp);
        }
    }
    m_norm = add("model.norm.weight", -1, ParameterGroup::Norms, {a.hidden}, true);
    m_head = a.tiedEmbeddings
        ? m_embedding
        : add("lm_head.weight", -1, ParameterGroup::Head, {a.vocabulary, a.hidden});
}

void Model::buildAttention(int i, AttentionWeights& w) {
    const auto& a = m_architecture;
    const auto& s = a.attention;
    const std::string prefix = "model.layers." + std::to_string(i) + ".self_attn.";
    const auto matrix = [&](const std::string& name, std::int64_t out, std::int64_t in) {
        return add(prefix + name + ".weight", i, ParameterGroup::Attention, {out, in});
    };
    const auto bias = [&](const std::string& name, std::int64_t out, bool present) {
        return present ? add(prefix + name + ".bias", i, ParameterGroup::Attention, {out})
                       : nullptr;
    };
    const auto norm = [&](const std::string& name, std::int64_t width) {
        return add(prefix + name + ".weight", i, ParameterGroup::Norms, {width}, true);
    };
    if (s.kind == AttentionSpec::Kind::Latent) {
        if (s.qLoraRank > 0) {
            w.qA = matrix("q_a_proj", s.qLoraRank, a.hidden);
            w.qABias = bias("q_a_proj", s.qLoraRank, s.qkvBias);
            w.qANorm = norm("q_a_layernorm", s.qLoraRank);
            w.qB = matrix("q_b_proj", s.heads * s.headDim, s.qLoraRank);
        } else {
            w.qProj = matrix("q_proj", s.heads * s.headDim, a.hidden);
        }
        w.kvA = matrix("kv_a_proj_with_mqa", s.kvLoraRank + s.ropeDim, a.hidden);
        w.kvABias = bias("kv_a_proj_with_mqa", s.kvLoraRank + s.ropeDim, s.qkvBias);
        w.kvANorm = norm("kv_a_layernorm", s.kvLoraRank);
        w.kvB = matrix("kv_b_proj", s.heads * (s.nopeDim() + s.valueDim), s.kvLoraRank);
    } else {
        w.qProj = matrix("q_proj", s.heads * s.headDim, a.hidden);
        w.qBias = bias("q_proj", s.heads * s.headDim, s.qkvBias);
        w.kProj = matrix("k_proj", s.kvHeads * s.headDim, a.hidden);
        w.kBias = bias("k_proj", s.kvHeads * s.headDim, s.qkvBias);
        w.vProj = matrix("v_proj", s.kvHeads * s.valueDim, a.hidden);
        w.vBias = bias("v_proj", s.kvHeads * s.valueDim, s.qkvBias);
        if (s.qkNorm) {
            w.qNorm = norm("q_norm", s.headDim);
            w.kNorm = norm("k_norm", s.headDim);
        }
    }
    w.oProj = matrix("o_proj", a.hidden, s.heads * s.valueDim);
    w.oBias = bias("o_proj", a.hidden, s.outputBias);
}

MlpWeights Model::buildMlp(
    const std::string& prefix, int layer, std::int64_t hidden, ParameterGroup group) {
    const std::int64_t D = m_architecture.hidden;
    return {add(prefix + "gate_proj.weight", layer, group, {hidden, D}),
        add(prefix + "up_proj.weight", layer, group, {hidden, D}),
        add(prefix + "down_proj.weight", layer, group, {D, hidden})};
}

// Experts are stacked in memory, gate rows first, and stand one by one on disk.
void Model::buildMoe(int i, MoeWeights& w) {
    const auto& a = m_architecture;
    const std::int64_t E = a.gate.experts, I = a.expertHidden, D = a.hidden;
    const std::string prefix = "model.layers." + std::to_string(i) + ".mlp.";
    w.router = add(prefix + "gate.weight", i, ParameterGroup::Router, {E, D}, true);
    if (a.correctionBias)
        w.correction
            = add(prefix + "gate.e_score_correction_bias", i, ParameterGroup::None, {E}, true);
    w.gateUp = &m_store.add({prefix + "experts.{e}.gate_up", ParameterGroup::RoutedExperts, i,
        {E, 2 * I, D}, false, {}, {}, {}});
    w.down = &m_store.add({prefix + "experts.{e}.down_proj", ParameterGroup::RoutedExperts, i,
        {E, D, I}, false, {}, {}, {}});
    for (std::int64_t e = 0; e < E; ++e) {
        const std::string expert = prefix + "experts." + std::to_string(e) + ".";
        m_store.bind(expert + "gate_proj.weight", *w.gateUp, e * 2 * I * D, {I, D});
        m_store.bind(expert + "up_proj.weight", *w.gateUp, (e * 2 * I + I) * D, {I, D});
        m_store.bind(expert + "down_proj.weight", *w.down, e * D * I, {D, I});
    }
    if (a.sharedHidden > 0)
        w.shared = buildMlp(
            prefix + "shared_experts.", i, a.sharedHidden, ParameterGroup::SharedExperts);
}

MoeWeights& Model::moe(int ordinal) {
    return m_layers[m_moeOrdinals[ordinal]].experts;
}

std::string Model::contentHash() const {
    return m_folder ? m_folder->contentHash() : std::string();
}

} // namespace mooring
