// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/shared.h"
#include <algorithm>
#include <cmath>

namespace mooring {

namespace {

constexpr std::int64_t kMostLayers = 1024;

} // namespace

Architecture readCommon(ConfigReader& c, const char* family, const FamilyDefaults& defaults) {
    Architecture a;
    a.family = family;
    a.hidden = c.integer("hidden_size");
    a.vocabulary = c.integer("vocab_size");
    a.rmsEps = c.number("rms_norm_eps", defaults.rmsEps);
    a.maxPositions = c.integer("max_position_embeddings", defaults.maxPositions);
    a.rope = readRope(c, defaults.ropeTheta, a.maxPositions);
    a.tiedEmbeddings = c.boolean("tie_word_embeddings", defaults.tiedEmbeddings);
    c.require(a.rmsEps >= 0, "rms_norm_eps must not be below 0", kWrongConfig);
    a.eosIds = c.integers("eos_token_id");
    // Ids that no token has end nothing, and must not become another token's where they are
    // narrowed.
    std::erase_if(a.eosIds, [&](std::int64_t id) { return id < 0 || id >= a.vocabulary; });
    a.ignores = isRotaryBuffer;
    const auto activation = c.text("hidden_act", "silu");
    c.require(activation == "silu" || activation == "swish",
        "hidden_act '" + activation + "' is not supported", "use a checkpoint with silu");
    return a;
}

Result<Architecture> finished(const ConfigReader& c, Architecture architecture) {
    if (c.error())
        return *c.error();
    return architecture;
}

std::int64_t layerCount(ConfigReader& c) {
    const auto layers = c.integer("num_hidden_layers");
    c.require(layers <= kMostLayers, "num_hidden_layers exceeds 1024", kWrongConfig);
    return std::min(layers, kMostLayers);
}

std::vector<bool> everyNthLayer(ConfigReader& c) {
    const auto layers = layerCount(c);
    const auto step = c.integer("decoder_sparse_step", 1);
    const auto dense = c.integers("mlp_only_layers");
    std::vector<bool> out;
    for (std::int64_t i = 0; i < layers; ++i)
        out.push_back(
            (i + 1) % step == 0 && std::find(dense.begin(), dense.end(), i) == dense.end());
    c.require(std::find(out.begin(), out.end(), true) != out.end(), "the model has no MoE layer",
        "use a mixture-of-experts checkpoint");
    return out;
}

std::vector<bool> afterDenseLayers(ConfigReader& c, std::int64_t denseDefault) {
    const auto layers = layerCount(c);
    const auto dense = c.integer("first_k_dense_replace", denseDefault, 0);
    const auto listed
        = c.isList("moe_layer_freq") ? c.integers("moe_layer_freq") : std::vector<std::int64_t>{};
    const auto step = listed.empty() ? c.integer("moe_layer_freq", 1) : 1;
    c.require(listed.empty() || std::ssize(listed) == layers,
        "moe_layer_freq must have an entry for each of num_hidden_layers", kWrongConfig);
    std::vector<bool> out;
    for (std::int64_t i = 0; i < layers; ++i)
        out.push_back(i >= dense && i % step == 0 && (i >= std::ssize(listed) || listed[i] != 0));
    c.require(std::find(out.begin(), out.end(), true) != out.end(),
        "with first_k_dense_replace and moe_layer_freq, no layer is an MoE layer",
        "use a mixture-of-experts checkpoint");
    return out;
}

AttentionSpec groupedAttention(ConfigReader& c, std::int64_t hidden,
    std::optional<std::int64_t> kvHeadsDefault, std::optional<std::int64_t> headDimDefault) {
    AttentionSpec a;
    a.heads = c.integer("num_attention_heads");
    a.kvHeads = c.integer("num_key_value_heads", kvHeadsDefault.value_or(a.heads));
    const auto share = std::max<std::int64_t>(1, hidden / std::max<std::int64_t>(1, a.heads));
    a.headDim = c.integer("head_dim", headDimDefault.value_or(share));
    a.valueDim = a.headDim;
    a.ropeDim = a.headDim;
    a.scale = 1.0 / std::sqrt(static_cast<double>(a.headDim));
    c.require(a.heads % a.kvHeads == 0, "num_key_value_heads must divide num_attention_heads",
        kWrongConfig);
    c.require(a.headDim % 2 == 0, "head_dim must be even", kWrongConfig);
    return a;
}

AttentionSpec latentAttention(ConfigReader& c, const RopeSpec& rope) {
    AttentionSpec a;
    a.kind = AttentionSpec::Kind::Latent;
    a.heads = c.integer("num_attention_heads");
    a.kvHeads = a.heads;
    // head_dim, where a file has it, is only the width of the rotated part.
    a.ropeDim = c.integer("qk_rope_head_dim", 64);
    a.headDim = c.integer("qk_nope_head_dim", 128) + a.ropeDim;
    a.valueDim = c.integer("v_head_dim", 128);
    a.qLoraRank = c.has("q_lora_rank") ? c.integer("q_lora_rank") : 0;
    a.kvLoraRank = c.integer("kv_lora_rank", 512);
    a.interleavedRope = true;
    a.qkvBias = c.boolean("attention_bias", false);
    a.outputBias = a.qkvBias;
    a.scale = rope.scoreFactor() / std::sqrt(static_cast<double>(a.headDim));
    a.normEps = 1e-6; // whatever rms_norm_eps says
    c.require(a.ropeDim % 2 == 0, "qk_rope_head_dim must be even", kWrongConfig);
    return a;
}

std::int64_t expertCount(ConfigReader& c, const std::string& key, const std::string& other,
    std::optional<std::int64_t> otherwise) {
    return c.integer(c.has(other) && !c.has(key) ? other : key, otherwise);
}

GateSpec softmaxGate(ConfigReader& c, std::int64_t experts, bool renormalised) {
    GateSpec g;
    g.kind = renormalised ? GateKind::SoftmaxRenormalised : GateKind::Softmax;
    g.experts = static_cast<int>(experts);
    g.topK = static_cast<int>(c.integer("num_experts_per_tok"));
    c.require(
        g.topK <= g.experts, "num_experts_per_tok exceeds the number of experts", kWrongConfig);
    return g;
}

void readGroups(ConfigReader& c, GateSpec& g, int groupBest) {
    g.groups = static_cast<int>(c.integer("n_group", 1));
    g.topGroups = static_cast<int>(c.integer("topk_group", 1));
    g.groupBest = groupBest;
    c.require(g.groups <= g.experts && g.experts % g.groups == 0,
        "n_routed_experts must be divisible by n_group", kWrongConfig);
    c.require(g.topGroups <= g.groups && g.topK <= g.topGroups * (g.experts / g.groups),
        "num_experts_per_tok does not fit in topk_group groups", kWrongConfig);
}

bool isRotaryBuffer(const std::string& key) {
    return key.ends_with(".rotary_emb.inv_freq");
}

std::function<bool(const std::string&)> bufferOrLayerBeyond(std::int64_t layers) {
    return [layers](const std::string& key) {
        const std::string prefix = "model.layers.";
        return isRotaryBuffer(key)
            || (key.starts_with(prefix) && std::atoll(key.c_str() + prefix.size()) >= layers);
    };
}

} // namespace mooring
