// SPDX-License-Identifier: GPL-3.0-or-later
// qwen3_moe: grouped-query attention with per-head norms, softmax gate (models.md).
#include "core/model/config_reader.h"
#include "core/model/families/families.h"
#include <algorithm>
#include <cmath>

namespace mooring {

namespace {

AttentionSpec groupedAttention(ConfigReader& c, std::int64_t hidden) {
    AttentionSpec a;
    a.heads = c.integer("num_attention_heads");
    a.kvHeads = c.integer("num_key_value_heads", 4);
    a.headDim = c.integer(
        "head_dim", std::max<std::int64_t>(1, hidden / std::max<std::int64_t>(1, a.heads)));
    a.valueDim = a.headDim;
    a.ropeDim = a.headDim;
    a.qkNorm = true;
    a.qkvBias = c.boolean("attention_bias", false);
    a.outputBias = a.qkvBias;
    a.scale = 1.0 / std::sqrt(static_cast<double>(a.headDim));
    c.require(a.heads % a.kvHeads == 0, "num_key_value_heads must divide num_attention_heads",
        "use the config.json of the weights");
    c.require(a.headDim % 2 == 0, "head_dim must be even", "use the config.json of the weights");
    return a;
}

std::vector<bool> moeLayers(ConfigReader& c) {
    const auto layers = c.integer("num_hidden_layers");
    const auto step = c.integer("decoder_sparse_step", 1);
    const auto dense = c.integers("mlp_only_layers");
    c.require(
        layers <= 1024, "num_hidden_layers is above 1024", "use the config.json of the weights");
    std::vector<bool> out;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(layers, 1024); ++i)
        out.push_back(
            (i + 1) % step == 0 && std::find(dense.begin(), dense.end(), i) == dense.end());
    c.require(std::find(out.begin(), out.end(), true) != out.end(), "no layer is a MoE layer",
        "use a mixture-of-experts checkpoint");
    return out;
}

} // namespace

Result<Architecture> describeQwen3Moe(
    const nlohmann::ordered_json& config, const std::string& where) {
    ConfigReader c(config, where);
    Architecture a;
    a.family = "qwen3_moe";
    a.hidden = c.integer("hidden_size");
    a.vocabulary = c.integer("vocab_size");
    a.moeLayers = moeLayers(c);
    a.denseHidden = c.integer("intermediate_size", 6144);
    a.expertHidden = c.integer("moe_intermediate_size");
    a.attention = groupedAttention(c, a.hidden);
    a.gate.experts
        = static_cast<int>(c.integer("num_experts", c.integer("num_local_experts", 0, 0)));
    a.gate.topK = static_cast<int>(c.integer("num_experts_per_tok"));
    a.gate.kind
        = c.boolean("norm_topk_prob", false) ? GateKind::SoftmaxRenormalised : GateKind::Softmax;
    a.rmsEps = c.number("rms_norm_eps", 1e-6);
    a.ropeTheta = c.ropeTheta(10000);
    c.refuseRopeScaling();
    c.require(!c.boolean("use_sliding_window", false),
        "sliding-window attention is not in this version",
        "use a checkpoint with use_sliding_window false");
    c.require(a.gate.topK <= a.gate.experts, "num_experts_per_tok is above num_experts",
        "use the config.json of the weights");
    a.tiedEmbeddings = c.boolean("tie_word_embeddings", false);
    a.maxPositions = c.integer("max_position_embeddings", 32768);
    a.eosIds = c.integers("eos_token_id");
    a.ignores = [](const std::string& key) { return key.ends_with(".rotary_emb.inv_freq"); };
    if (c.error())
        return *c.error();
    return a;
}

} // namespace mooring
