// SPDX-License-Identifier: GPL-3.0-or-later
// deepseek_v3: Moonlight, DeepSeek-V3 and the demo model. Latent attention, sigmoid gate with
// correction bias, group-limited choice, shared experts, dense first layers (models.md).
#include "core/model/config_reader.h"
#include "core/model/families/families.h"
#include <cmath>

namespace mooring {

namespace {

AttentionSpec latentAttention(ConfigReader& c) {
    AttentionSpec a;
    a.kind = AttentionSpec::Kind::Latent;
    a.heads = c.integer("num_attention_heads");
    a.kvHeads = a.heads;
    a.ropeDim = c.integer("qk_rope_head_dim", 64);
    a.headDim = c.integer("qk_nope_head_dim", 128) + a.ropeDim;
    a.valueDim = c.integer("v_head_dim", 128);
    a.qLoraRank = c.has("q_lora_rank") ? c.integer("q_lora_rank") : 0;
    a.kvLoraRank = c.integer("kv_lora_rank");
    a.interleavedRope = c.boolean("rope_interleave", true);
    a.qkvBias = c.boolean("attention_bias", false);
    a.outputBias = a.qkvBias;
    a.scale = 1.0 / std::sqrt(static_cast<double>(a.headDim));
    c.require(
        a.ropeDim % 2 == 0, "qk_rope_head_dim must be even", "use the config.json of the weights");
    return a;
}

GateSpec correctedGate(ConfigReader& c) {
    GateSpec g;
    g.kind = GateKind::SigmoidCorrected;
    g.experts
        = static_cast<int>(c.integer("n_routed_experts", c.integer("num_local_experts", 0, 0)));
    g.topK = static_cast<int>(c.integer("num_experts_per_tok"));
    g.normTopK = c.boolean("norm_topk_prob", true);
    g.scale = c.number("routed_scaling_factor", 1.0);
    g.groups = static_cast<int>(c.integer("n_group", 1));
    g.topGroups = static_cast<int>(c.integer("topk_group", 1));
    c.require(g.experts % g.groups == 0, "n_routed_experts must divide into n_group groups",
        "use the config.json of the weights");
    c.require(g.topGroups <= g.groups && g.topK <= g.topGroups * (g.experts / g.groups),
        "num_experts_per_tok does not fit into topk_group groups",
        "use the config.json of the weights");
    c.require(c.text("scoring_func", "sigmoid") == "sigmoid",
        "scoring_func '" + c.text("scoring_func", "") + "' is not deepseek_v3's sigmoid",
        "use the model_type that belongs to the weights");
    return g;
}

std::vector<bool> moeLayers(ConfigReader& c) {
    const auto layers = c.integer("num_hidden_layers");
    const auto dense = c.integer("first_k_dense_replace", 1, 0);
    c.require(c.integer("moe_layer_freq", 1) == 1,
        "moe_layer_freq other than 1 is not in this version",
        "use a checkpoint whose layers after the dense ones are all MoE");
    c.require(dense < layers, "first_k_dense_replace leaves no MoE layer",
        "use a mixture-of-experts checkpoint");
    c.require(
        layers <= 1024, "num_hidden_layers is above 1024", "use the config.json of the weights");
    std::vector<bool> out;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(layers, 1024); ++i)
        out.push_back(i >= dense);
    return out;
}

// Rotary frequencies of old files, and the multi-token-prediction layer beyond num_hidden_layers.
std::function<bool(const std::string&)> knownUnused(std::int64_t layers) {
    return [layers](const std::string& key) {
        if (key.ends_with(".rotary_emb.inv_freq"))
            return true;
        const std::string prefix = "model.layers.";
        return key.starts_with(prefix) && std::atoll(key.c_str() + prefix.size()) >= layers;
    };
}

} // namespace

Result<Architecture> describeDeepseekV3(
    const nlohmann::ordered_json& config, const std::string& where) {
    ConfigReader c(config, where);
    Architecture a;
    a.family = "deepseek_v3";
    a.hidden = c.integer("hidden_size");
    a.vocabulary = c.integer("vocab_size");
    a.moeLayers = moeLayers(c);
    a.denseHidden = c.integer("intermediate_size");
    a.expertHidden = c.integer("moe_intermediate_size");
    a.sharedHidden = a.expertHidden * c.integer("n_shared_experts", 0, 0);
    a.attention = latentAttention(c);
    a.gate = correctedGate(c);
    a.correctionBias = true;
    a.rmsEps = c.number("rms_norm_eps", 1e-6);
    a.ropeTheta = c.ropeTheta(10000);
    c.refuseRopeScaling();
    a.tiedEmbeddings = c.boolean("tie_word_embeddings", false);
    a.maxPositions = c.integer("max_position_embeddings", 4096);
    a.eosIds = c.integers("eos_token_id");
    a.ignores = knownUnused(a.layers());
    if (c.error())
        return *c.error();
    return a;
}

} // namespace mooring
