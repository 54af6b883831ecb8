// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/describe_model.h"
#include "core/train/training_step.h"
#include "tests/core/model/family_configs.h"
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <set>

namespace mooring {
namespace {

using test::with;

Architecture described(const nlohmann::ordered_json& config) {
    auto a = describeModel(config, "config.json");
    EXPECT_TRUE(a.ok()) << (a.ok() ? "" : a.error().message());
    return a.ok() ? *a : Architecture{};
}

std::string refusal(const nlohmann::ordered_json& config) {
    const auto a = describeModel(config, "config.json");
    return a.ok() ? "" : a.error().message();
}

std::string bytesOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

at::Tensor lastLogits(Model& model, const std::vector<std::vector<std::int32_t>>& rows) {
    std::vector<std::span<const std::int32_t>> views(rows.begin(), rows.end());
    const auto batch = makeBatch(views, at::kCPU);
    RoutingPlan plain;
    const auto logits = model.logits(model.forward(batch, plain));
    return logits.index_select(0, at::tensor(batch.offsets).slice(0, 1) - 1);
}

TEST(EveryFamily, GenerationWithACacheGivesTheLogitsOfAFullForward) {
    for (const auto& config : test::everyFamily()) {
        auto model = test::tinyModel(config, false);
        const std::vector<std::vector<std::int32_t>> rows
            = {{3, 1, 4, 1, 5, 9, 2, 6}, {2, 7, 1, 8, 2}};
        const auto expected = lastLogits(*model, rows);
        Model::Cache cache;
        const std::vector<std::span<const std::int32_t>> begun
            = {std::span(rows[0]).first(6), std::span(rows[1]).first(3)};
        model->prefill(makeBatch(begun, at::kCPU), 16, cache);
        model->step(at::tensor({std::int64_t{2}, std::int64_t{8}}), cache);
        const auto last
            = model->logits(model->step(at::tensor({std::int64_t{6}, std::int64_t{2}}), cache));
        EXPECT_LT((last - expected).abs().max().item<double>(),
            1e-4 * expected.abs().max().item<double>())
            << config["model_type"];
    }
}

TEST(EveryFamily, ALayerWithAWindowCachesNoMoreThanItSees) {
    for (const auto& config : test::everyFamily()) {
        auto model = test::tinyModel(config, false);
        const std::vector<std::int32_t> row = {3, 1, 4, 1, 5, 9, 2, 6};
        const std::vector<std::span<const std::int32_t>> rows = {row, std::span(row).first(2)};
        Model::Cache cache;
        model->prefill(makeBatch(rows, at::kCPU), 40, cache);
        model->step(at::tensor({std::int64_t{2}, std::int64_t{8}}), cache);
        for (int i = 0; i < static_cast<int>(cache.layers.size()); ++i) {
            const auto window = model->architecture().window(i);
            const auto places = window > 0 ? window : 40;
            EXPECT_EQ(cache.layers[i].key.size(2), places) << config["model_type"] << i;
            EXPECT_EQ(cache.layers[i].value.size(2), places) << config["model_type"] << i;
        }
    }
}

TEST(EveryFamily, WhatIsSavedLoadsAndIsSavedToTheSameBytes) {
    for (const auto& config : test::everyFamily()) {
        const auto once = test::freshFolder("family-once"),
                   twice = test::freshFolder("family-twice");
        ASSERT_TRUE(test::tinyModel(config, false)->save(once).ok());
        auto model = Model::load(once, at::kCPU, at::kFloat);
        ASSERT_TRUE(model.ok()) << model.error().message();
        ASSERT_TRUE((*model)->save(twice).ok());
        EXPECT_EQ(bytesOf(once / "model.safetensors"), bytesOf(twice / "model.safetensors"));
        EXPECT_EQ(bytesOf(once / "config.json"), bytesOf(twice / "config.json"));
    }
}

// With r the embedding and f the loss: f(r + h u) - f(r - h u) = 2 h <df/dr, u>. Every expert is
// chosen, so that no choice flips in between; clipping leaves kinks.
TEST(EveryFamily, TheEmbeddingGradientIsTheSlopeOfTheLoss) {
    for (const auto& config : test::everyFamily()) {
        auto model = test::tinyModel(with(config, {{"num_experts_per_tok", 8}, {"topk_group", 4}}));
        const auto step = test::stepOf(test::tinySamples(), 6);
        TrainingStep training(*model, StepBase{});
        auto& table = model->embedding();
        const auto direction
            = at::arange(table.elements(), at::kFloat).sin().mul(0.25).view_as(table.master);
        const auto lossAt = [&](double shift) {
            const auto before = table.master.clone();
            table.master.add_(direction, shift);
            const double loss = training.run(step, LiveValues{}).ce;
            table.master.copy_(before);
            return loss;
        };
        model->parameters().flatGrad().zero_();
        lossAt(0);
        const double slope = (table.grad * direction).sum().item<double>();
        const double h = 2e-3, found = (lossAt(h) - lossAt(-h)) / (2 * h);
        EXPECT_NEAR(found, slope, 5e-2 * std::abs(slope) + 2e-3) << config["model_type"];
        EXPECT_GT(std::abs(slope), 1e-2);
    }
}

TEST(Window, ATokenSeesItselfAndTheWindowMinusOneBefore) {
    // One layer: what stands w or more tokens back cannot reach the last token.
    const auto config = with(test::mixtralConfig(), {{"num_hidden_layers", 1}});
    auto model = test::tinyModel(config, false);
    const auto base = lastLogits(*model, {{3, 1, 4, 1, 5, 9}});
    EXPECT_TRUE(at::equal(base, lastLogits(*model, {{8, 8, 8, 1, 5, 9}})));
    EXPECT_FALSE(at::allclose(base, lastLogits(*model, {{3, 1, 4, 7, 5, 9}})));
}

TEST(Window, LongRowsAreCutIntoBlocksThatGiveTheSame) {
    // 200 tokens are four blocks; a prefix of the row gives the same logits as the row.
    auto model = test::tinyModel(
        with(test::mixtralConfig(), {{"sliding_window", 40}, {"max_position_embeddings", 256}}),
        false);
    std::vector<std::int32_t> row;
    for (int i = 0; i < 200; ++i)
        row.push_back((i * i + 7 * i) % 50);
    RoutingPlan plain;
    const std::vector<std::span<const std::int32_t>> whole = {row};
    const auto logits = model->logits(model->forward(makeBatch(whole, at::kCPU), plain));
    for (const std::size_t n : {30, 64, 65, 129, 193})
        EXPECT_TRUE(at::allclose(lastLogits(*model, {{row.begin(), row.begin() + n}})[0],
            logits[static_cast<std::int64_t>(n) - 1], 1e-4, 1e-5))
            << n;
    // 3 layers reach 3 * 39 tokens back, not further.
    auto other = row;
    other[200 - 1 - 3 * 39 - 1] = 1 - other[200 - 1 - 3 * 39 - 1] % 2;
    EXPECT_TRUE(at::allclose(lastLogits(*model, {other})[0], logits[199], 1e-5, 1e-6));
    auto nearer = row;
    nearer[200 - 1 - 39] = (nearer[200 - 1 - 39] + 1) % 50;
    EXPECT_FALSE(at::allclose(lastLogits(*model, {nearer})[0], logits[199], 1e-5, 1e-6));
}

TEST(Families, NormTopkProbDecidesBetweenGatesAAndB) {
    for (const auto& config : {test::qwenConfig(), test::qwen2Config(), test::olmoeConfig()})
        for (const bool renormalised : {false, true})
            EXPECT_EQ(described(with(config, {{"norm_topk_prob", renormalised}})).gate.kind,
                renormalised ? GateKind::SoftmaxRenormalised : GateKind::Softmax);
    for (const auto& config : {test::mixtralConfig(), test::graniteConfig()})
        EXPECT_EQ(described(with(config, {{"norm_topk_prob", false}})).gate.kind,
            GateKind::SoftmaxRenormalised);
    const auto v2 = described(with(
        test::deepseekV2Config(), {{"norm_topk_prob", true}, {"routed_scaling_factor", 16.0}}));
    EXPECT_EQ(v2.gate.kind, GateKind::Softmax);
    EXPECT_EQ(v2.gate.scale, 16.0);
}

TEST(Families, DeepseekV2ScoresAGroupByItsBestExpertAndV3ByTwo) {
    EXPECT_EQ(described(test::deepseekV2Config()).gate.groupBest, 1);
    EXPECT_EQ(described(test::deepseekConfig()).gate.groupBest, 2);
    EXPECT_EQ(
        described(with(test::deepseekV2Config(), {{"topk_method", "greedy"}})).gate.groups, 1);
    EXPECT_NE(
        refusal(with(test::deepseekV2Config(), {{"topk_method", "noaux_tc"}})).find("noaux_tc"),
        std::string::npos);
}

TEST(Families, MoeLayersComeFromANumberOrAList) {
    const auto layers = [](const nlohmann::ordered_json& changes) {
        auto config = test::deepseekV2Config();
        config["first_k_dense_replace"] = 1;
        return described(with(config, changes)).moeLayerIndices();
    };
    EXPECT_EQ(layers(nlohmann::ordered_json::object()), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(layers({{"moe_layer_freq", 2}}), (std::vector<int>{2}));
    EXPECT_EQ(layers({{"moe_layer_freq", {0, 1, 0, 1}}}), (std::vector<int>{1, 3}));
    EXPECT_NE(refusal(with(test::deepseekV2Config(), {{"moe_layer_freq", {0, 1}}}))
                  .find("moe_layer_freq"),
        std::string::npos);
}

TEST(Families, WindowsFollowEachFamilysRule) {
    using List = std::vector<std::int64_t>;
    EXPECT_EQ(described(test::mixtralConfig()).windows, (List{3, 3, 3}));
    EXPECT_EQ(
        described(with(test::mixtralConfig(), {{"sliding_window", nullptr}})).windows, List{});
    const nlohmann::ordered_json slides
        = {{"use_sliding_window", true}, {"sliding_window", 4}, {"max_window_layers", 1}};
    EXPECT_EQ(described(with(test::qwenConfig(), slides)).windows, (List{4, 4, 4}));
    EXPECT_EQ(described(with(test::qwen2Config(), slides)).windows, (List{4, 0, 0}));
    EXPECT_EQ(
        described(
            with(with(test::qwen2Config(), slides),
                {{"layer_types", {"full_attention", "sliding_attention", "sliding_attention"}}}))
            .windows,
        (List{0, 4, 4}));
    EXPECT_EQ(
        described(with(test::qwen2Config(), {{"use_sliding_window", false}})).windows, List{});
}

TEST(Families, HeadDimOfTransformersFiveIsOnlyTheRotatedPart) {
    const auto a = described(with(test::deepseekV2Config(), {{"head_dim", 8}})).attention;
    EXPECT_EQ(a.headDim, 16);
    EXPECT_EQ(a.ropeDim, 8);
}

TEST(Families, OlmoesNormHasItsOwnDefault) {
    EXPECT_EQ(described(test::olmoeConfig()).rmsEps, 1e-5);
    EXPECT_EQ(described(test::graniteConfig()).rmsEps, 1e-6);
}

TEST(Families, AnotherActivationIsRejected) {
    EXPECT_NE(refusal(with(test::mixtralConfig(), {{"hidden_act", "gelu"}})).find("'gelu'"),
        std::string::npos);
}

TEST(Families, TensorsHaveTheNamesOfPublishedFiles) {
    const auto keys = [](const nlohmann::ordered_json& config) {
        const auto model = test::tinyModel(config, false);
        std::set<std::string> out;
        for (const auto& b : model->parameters().bindings())
            out.insert(b.key);
        return out;
    };
    const std::string layer = "model.layers.0.";
    const auto mixtral = keys(test::mixtralConfig());
    for (const auto* name : {"block_sparse_moe.gate.weight", "block_sparse_moe.experts.7.w1.weight",
             "block_sparse_moe.experts.7.w2.weight", "block_sparse_moe.experts.7.w3.weight"})
        EXPECT_TRUE(mixtral.contains(layer + name)) << name;
    const auto granite = keys(test::graniteConfig());
    for (const auto* name : {"block_sparse_moe.router.layer.weight",
             "block_sparse_moe.input_linear.weight", "block_sparse_moe.output_linear.weight"})
        EXPECT_TRUE(granite.contains(layer + name)) << name;
    EXPECT_FALSE(granite.contains("lm_head.weight"));
    const auto qwen2 = keys(test::qwen2Config());
    for (const auto* name : {"mlp.shared_expert.down_proj.weight", "mlp.shared_expert_gate.weight",
             "mlp.experts.0.gate_proj.weight", "self_attn.q_proj.bias"})
        EXPECT_TRUE(qwen2.contains(layer + name)) << name;
    EXPECT_TRUE(keys(test::olmoeConfig()).contains(layer + "self_attn.q_norm.weight"));
}

TEST(Families, AdaptersAreNamedByTransformersModules) {
    const auto model = test::tinyModel(test::graniteConfig(), false);
    const auto& moe = model->moe(1);
    const std::string block = "base_model.model.model.layers.1.block_sparse_moe.";
    EXPECT_EQ(adapterName(*moe.gateUp, "A"), block + "experts.base_layer.lora_A.weight");
    EXPECT_EQ(adapterName(*moe.down, "B"), block + "experts.lora_B.weight");
    EXPECT_EQ(adapterName(*moe.router, "A"), block + "router.lora_A.weight");
    const auto mixtral = test::tinyModel(test::mixtralConfig(), false);
    EXPECT_EQ(adapterName(*mixtral->moe(0).router, "A"),
        "base_model.model.model.layers.0.mlp.gate.lora_A.weight");
}

} // namespace
} // namespace mooring
