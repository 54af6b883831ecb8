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
    auto& p = m_store.add({key, key, group, layer, shape, alwaysFp32, {}, {}, {}});
    m_store.bind({key, &p, 0, std::move(shape)});
    return &p;
}

void Model::build() {
    const auto& a = m_architecture;
    const std::string embedding = "model.embed_tokens.weight";
    m_embedding = &m_store.add({embedding, embedding, ParameterGroup::Embeddings, -1,
        {a.vocabulary, a.hidden}, false, {}, {}, {}});
    m_store.bind({a.embeddingKey, m_embedding, 0, m_embedding->shape});
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
    m_head = a.tiedEmbeddings ? m_embedding : addHead();
}

Parameter* Model::addHead() {
    return add("lm_head.weight", -1, ParameterGroup::Head,
        {m_architecture.vocabulary, m_architecture.hidden});
}

void Model::untieHead() {
    at::NoGradGuard guard;
    if (!m_architecture.tiedEmbeddings)
        return;
    m_architecture.tiedEmbeddings = false;
    m_untied = true;
    m_head = addHead();
    m_head->master = m_embedding->master.clone();
    m_head->compute = m_embedding->compute.is_same(m_embedding->master)
        ? m_head->master
        : m_embedding->compute.clone();
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
        if (s.qkNorm != QkNorm::None) {
            const bool whole = s.qkNorm == QkNorm::Whole;
            w.qNorm = norm("q_norm", s.headDim * (whole ? s.heads : 1));
            w.kNorm = norm("k_norm", s.headDim * (whole ? s.kvHeads : 1));
        }
    }
    w.oProj = matrix("o_proj", a.hidden, s.heads * s.valueDim);
    w.oBias = bias("o_proj", a.hidden, s.outputBias);
    if (s.sinks)
        w.sinks = add(prefix + "sinks", i, ParameterGroup::Attention, {s.heads});
}

MlpWeights Model::buildMlp(
    const std::string& prefix, int layer, std::int64_t hidden, ParameterGroup group) {
    const std::int64_t D = m_architecture.hidden;
    return {add(prefix + "gate_proj.weight", layer, group, {hidden, D}),
        add(prefix + "up_proj.weight", layer, group, {hidden, D}),
        add(prefix + "down_proj.weight", layer, group, {D, hidden})};
}

void Model::buildMoe(int i, MoeWeights& w) {
    const auto& a = m_architecture;
    const std::int64_t E = a.gate.experts, D = a.hidden;
    const std::string layer = "model.layers." + std::to_string(i) + ".";
    const std::string prefix = layer + a.names.block + ".";
    w.router = add(prefix + a.names.router + ".weight", i, ParameterGroup::Router, {E, D}, true);
    w.router->module = layer + a.names.moduleBlock + "." + a.names.moduleRouter + ".weight";
    if (a.gateBias)
        w.routerBias = add(prefix + a.names.router + ".bias", i, ParameterGroup::Router, {E}, true);
    if (a.correctionBias)
        w.correction
            = add(prefix + "gate.e_score_correction_bias", i, ParameterGroup::None, {E}, true);
    buildExperts(i, w);
    if (a.sharedHidden > 0)
        w.shared = buildMlp(
            prefix + a.names.shared + ".", i, a.sharedHidden, ParameterGroup::SharedExperts);
    if (!a.names.sharedGate.empty())
        w.sharedGate = add(
            prefix + a.names.sharedGate + ".weight", i, ParameterGroup::SharedExperts, {1, D});
}

std::vector<const Parameter*> Model::residualOutputs() const {
    std::vector<const Parameter*> out;
    for (const auto& layer : m_layers) {
        out.push_back(layer.attention.oProj);
        if (layer.moe)
            out.insert(out.end(), {layer.experts.down, layer.experts.shared.down});
        else
            out.push_back(layer.dense.down);
    }
    return out;
}

MoeWeights& Model::moe(int ordinal) {
    return m_layers[m_moeOrdinals[ordinal]].experts;
}

std::string Model::contentHash() const {
    return m_source ? m_source->folder().contentHash() : std::string();
}

} // namespace mooring
