// SPDX-License-Identifier: GPL-3.0-or-later
// Common models that Mooring does not load, by model_type.
#include "core/model/families/known_models.h"
#include <string_view>

namespace mooring {

namespace {

struct KnownModel {
    std::string_view type;
    std::string_view title;
    std::string_view because;
};

constexpr std::string_view kDense = "it is a dense model without a router";
constexpr std::string_view kDelta = "most of its layers use gated linear attention";
constexpr std::string_view kSparse = "it uses sparse attention with an indexer";
constexpr std::string_view kPartial = "it uses partial RoPE";
constexpr std::string_view kTooLarge
    = "it is deepseek_v3 with a trillion parameters, too large for a local machine";

constexpr KnownModel kKnown[] = {
    {"deepseek_v32", "DeepSeek-V3.2", kSparse},
    {"deepseek_v4", "DeepSeek-V4", "it uses sparse attention over compressed keys"},
    {"ernie4_5_moe", "ERNIE 4.5 MoE", "it adds its correction bias to softmax scores"},
    {"gemma4", "Gemma 4", "its layers differ in heads and RoPE, and it has a vision encoder"},
    {"gemma4_text", "Gemma 4", "its layers differ in heads and RoPE"},
    {"glm4_moe", "GLM-4.5 to GLM-4.7", kPartial},
    {"glm4_moe_lite", "GLM-4.7 Flash",
        "it has not been verified against the reference implementation"},
    {"glm_moe_dsa", "GLM-5", kSparse},
    {"granitemoehybrid", "Granite 4", "most of its layers are Mamba-2 layers"},
    {"granitemoeshared", "Granite MoE with shared experts", "it stores its shared experts fused"},
    {"jamba", "Jamba", "most of its layers are Mamba layers"},
    {"kimi_k2", "Kimi-K2", kTooLarge},
    {"kimi_k25", "Kimi-K2.5", kTooLarge},
    {"llama4", "Llama 4", "its router scales the experts' input and its attention is chunked"},
    {"llama4_text", "Llama 4", "its router scales the experts' input and its attention is chunked"},
    {"minimax_m2", "MiniMax-M2", kPartial},
    {"nemotron_h", "Nemotron-H", "most of its layers are Mamba-2 layers"},
    {"phimoe", "Phi-3.5-MoE", "its router is a SparseMixer"},
    {"qwen3_5_moe", "Qwen3.5 MoE", kDelta},
    {"qwen3_5_moe_text", "Qwen3.5 MoE", kDelta},
    {"qwen3_next", "Qwen3-Next", kDelta},
    {"qwen3_vl_moe", "Qwen3-VL MoE", "it has a vision encoder"},
    {"deepseek", "DeepSeek-MoE", "it needs custom code, which Mooring never runs"},
    {"gemma", "Gemma", kDense},
    {"gemma2", "Gemma 2", kDense},
    {"gemma3", "Gemma 3", kDense},
    {"gemma3_text", "Gemma 3", kDense},
    {"granite", "Granite", kDense},
    {"llama", "Llama", kDense},
    {"mistral", "Mistral", kDense},
    {"olmo", "OLMo", kDense},
    {"olmo2", "OLMo 2", kDense},
    {"phi3", "Phi-3", kDense},
    {"qwen2", "Qwen2", kDense},
    {"qwen3", "Qwen3", kDense},
};

const KnownModel* known(std::string_view type) {
    for (const auto& model : kKnown)
        if (model.type == type)
            return &model;
    return nullptr;
}

std::string typeOf(const nlohmann::ordered_json& config) {
    const auto it = config.find("model_type");
    return it != config.end() && it->is_string() ? it->get<std::string>() : std::string();
}

// A mixture-of-experts config names its experts in some key.
bool mentionsExperts(const nlohmann::ordered_json& config) {
    for (const auto& [key, value] : config.items())
        if (key.find("expert") != std::string::npos || key.find("moe") != std::string::npos)
            return true;
    return false;
}

std::string reason(const nlohmann::ordered_json& config, const std::string& type) {
    if (const auto* model = known(type))
        return "this is " + std::string(model->title) + " (" + type
            + "); Mooring cannot load it because " + std::string(model->because);
    const auto inner = config.find("text_config");
    if (inner != config.end() && inner->is_object())
        return "the model type '" + type
            + "' cannot be loaded because its language model is nested in a larger one "
              "(text_config)";
    if (!mentionsExperts(config))
        return "the model type '" + type
            + "' cannot be loaded because it seems to be a dense model: "
            + "no key of its config.json mentions experts";
    return "the model type '" + type + "' is not supported";
}

} // namespace

Error whyNotLoaded(const nlohmann::ordered_json& config, const std::string& where,
    const std::string& loadedTypes) {
    return {ErrorCode::Input, reason(config, typeOf(config)), where,
        "this version supports " + loadedTypes};
}

} // namespace mooring
