// SPDX-License-Identifier: GPL-3.0-or-later
// A tiny configuration of every family, each with the options that only it has.
#pragma once
#include "tests/core/model/tiny.h"

namespace mooring::test {

inline nlohmann::ordered_json with(
    nlohmann::ordered_json config, const nlohmann::ordered_json& changes) {
    config.update(changes);
    return config;
}

// Ramps of YaRN and windows lie within these few dimensions and tokens.
inline nlohmann::ordered_json yarn() {
    return {{"type", "yarn"}, {"factor", 4.0}, {"beta_fast", 4.0}, {"beta_slow", 0.5},
        {"mscale", 0.7}, {"mscale_all_dim", 0.9}, {"original_max_position_embeddings", 64}};
}

inline nlohmann::ordered_json groupedConfig(const char* type) {
    return {{"model_type", type}, {"hidden_size", 32}, {"vocab_size", 50}, {"num_hidden_layers", 3},
        {"intermediate_size", 12}, {"num_experts", 8}, {"num_local_experts", 8},
        {"num_experts_per_tok", 2}, {"num_attention_heads", 4}, {"num_key_value_heads", 2},
        {"max_position_embeddings", 64}};
}

inline nlohmann::ordered_json olmoeConfig() {
    return with(groupedConfig("olmoe"), {{"clip_qkv", 0.7}});
}
inline nlohmann::ordered_json qwen2Config() {
    return with(groupedConfig("qwen2_moe"),
        {{"moe_intermediate_size", 12}, {"shared_expert_intermediate_size", 20},
            {"mlp_only_layers", {1}}, {"use_sliding_window", true}, {"sliding_window", 3},
            {"max_window_layers", 2}});
}
inline nlohmann::ordered_json mixtralConfig() {
    return with(groupedConfig("mixtral"), {{"sliding_window", 3}});
}
inline nlohmann::ordered_json graniteConfig() {
    return with(groupedConfig("granitemoe"),
        {{"embedding_multiplier", 3.0}, {"residual_multiplier", 0.4}, {"attention_multiplier", 0.3},
            {"logits_scaling", 2.5}, {"tie_word_embeddings", true}});
}
inline nlohmann::ordered_json deepseekV2Config() {
    auto config = deepseekConfig();
    config["model_type"] = "deepseek_v2";
    return with(config,
        {{"topk_method", "group_limited_greedy"}, {"rope_theta", 100.0}, {"rope_scaling", yarn()}});
}

// The clamp lies where random products go.
inline nlohmann::ordered_json gptOssConfig() {
    return with(groupedConfig("gpt_oss"),
        {{"head_dim", 6}, {"sliding_window", 3}, {"swiglu_limit", 0.6}, {"rope_scaling", yarn()}});
}

inline std::vector<nlohmann::ordered_json> everyFamily() {
    return {deepseekConfig(), deepseekV2Config(), qwenConfig(), qwen2Config(), mixtralConfig(),
        olmoeConfig(), graniteConfig(), gptOssConfig()};
}

} // namespace mooring::test
