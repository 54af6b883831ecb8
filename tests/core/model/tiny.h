// SPDX-License-Identifier: GPL-3.0-or-later
// Small models and samples that the engine's tests share.
#pragma once
#include "core/data/samples.h"
#include "core/model/model.h"
#include "core/train/batches.h"
#include <filesystem>
#include <nlohmann/json.hpp>

namespace mooring::test {

// Two dense layers first, so that ordinal and absolute index differ; groups and a corrected sigmoid
// gate.
inline nlohmann::ordered_json deepseekConfig() {
    return {{"model_type", "deepseek_v3"}, {"hidden_size", 32}, {"vocab_size", 50},
        {"num_hidden_layers", 4}, {"first_k_dense_replace", 2}, {"intermediate_size", 40},
        {"moe_intermediate_size", 12}, {"n_shared_experts", 1}, {"n_routed_experts", 8},
        {"num_experts_per_tok", 2}, {"n_group", 4}, {"topk_group", 2},
        {"routed_scaling_factor", 1.7}, {"num_attention_heads", 2}, {"q_lora_rank", 10},
        {"qk_rope_head_dim", 8}, {"qk_nope_head_dim", 8}, {"v_head_dim", 12}, {"kv_lora_rank", 16},
        {"max_position_embeddings", 64}};
}

inline nlohmann::ordered_json qwenConfig() {
    return {{"model_type", "qwen3_moe"}, {"hidden_size", 32}, {"vocab_size", 50},
        {"num_hidden_layers", 3}, {"mlp_only_layers", {1}}, {"intermediate_size", 40},
        {"moe_intermediate_size", 12}, {"num_experts", 8}, {"num_experts_per_tok", 2},
        {"norm_topk_prob", true}, {"num_attention_heads", 4}, {"num_key_value_heads", 2},
        {"head_dim", 8}, {"max_position_embeddings", 64}};
}

// A random model whose biases and sinks are not zero, ready to train in fp32.
inline std::unique_ptr<Model> tinyModel(const nlohmann::ordered_json& config, bool trains = true) {
    auto model = Model::initialise(config, "test", 0.2, 7, at::kCPU, at::kFloat);
    if (!model.ok())
        throw std::runtime_error(model.error().message());
    for (int l = 0; l < (*model)->moeLayerCount(); ++l)
        if (auto* correction = (*model)->moe(l).correction)
            correction->master.copy_(at::arange(8, at::kFloat).mul(0.03).sub(0.1));
    for (auto& p : (*model)->parameters().parameters())
        if (p.shape.size() == 1 && p.group != ParameterGroup::Norms
            && p.group != ParameterGroup::None)
            p.master.copy_(at::arange(p.elements(), at::kFloat).mul(0.7).cos().mul(0.4));
    if (trains)
        (*model)->parameters().prepareTraining([](const Parameter&) { return true; });
    return std::move(*model);
}

// Rows of different length; the first four tokens are the question.
inline std::vector<Sample> tinySamples(int rows = 6) {
    std::vector<Sample> samples;
    for (int row = 0; row < rows; ++row) {
        const int length = 7 + 3 * (row % 4);
        std::vector<std::int32_t> ids;
        for (int i = 0; i < length; ++i)
            ids.push_back((11 * i + 7 * row + i * i) % 50);
        samples.push_back({row, std::move(ids), {{4, 0, 0.0F}, {length - 4, 1, 1.0F}}});
    }
    return samples;
}

// One optimizer step over all samples, split into micro-batches of `micro` rows.
inline StepBatch stepOf(const std::vector<Sample>& samples, std::int64_t micro) {
    RunConfig config;
    config.batch.global = static_cast<std::int64_t>(samples.size());
    config.batch.micro = micro;
    config.optimizer.steps = 1;
    const SampleOrder order(samples.size(), 1, false);
    return makeStep(samples, order, config, 1, at::kCPU);
}

inline std::filesystem::path freshFolder(const std::string& name) {
    const auto path = std::filesystem::temp_directory_path() / ("mooring-engine-" + name);
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
    return path;
}

} // namespace mooring::test
