// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of adapter_config.json by their formulas: PEFT 0.21's own words are quoted where a rule
// is not obvious. tests/oracle/lora_oracle.py holds the logits against PEFT itself.
#include "core/model/peft/adapter_config.h"
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

const std::string kQ = "model.layers.0.self_attn.q_proj.weight";
const std::string kV12 = "model.layers.12.self_attn.v_proj.weight";
const std::string kUp = "model.layers.1.mlp.experts.gate_up_proj";
const std::string kDown = "model.layers.1.mlp.experts.down_proj";
const std::string kGate = "model.layers.1.mlp.gate.weight";

Json plain() {
    return {{"peft_type", "LORA"}, {"task_type", "CAUSAL_LM"}, {"r", 4}, {"lora_alpha", 6},
        {"target_modules", {"q_proj", "v_proj"}}};
}
Json with(const Json& changes) {
    auto json = plain();
    for (const auto& [key, value] : changes.items())
        json[key] = value;
    return json;
}

Result<AdapterConfig> parsed(const Json& json, const std::string& family = "gpt_oss") {
    return AdapterConfig::parse(json.dump(), "adapter_config.json", family);
}

std::optional<AdapterShape> shape(const Json& json, const std::string& weight, bool linear = true,
    const std::string& family = "gpt_oss") {
    const auto config = parsed(json, family);
    EXPECT_TRUE(config.ok()) << (config.ok() ? "" : config.error().message());
    if (!config)
        return std::nullopt;
    const auto found = config->shapeOf(weight, linear);
    EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.error().message());
    return found.ok() ? *found : std::nullopt;
}
bool targets(
    const Json& changes, const std::string& weight, const std::string& family = "gpt_oss") {
    return shape(with(changes), weight, true, family).has_value();
}
bool targetsParameter(
    const Json& changes, const std::string& weight, const std::string& family = "gpt_oss") {
    return shape(with(changes), weight, false, family).has_value();
}

TEST(AdapterConfig, TheScaleIsAlphaOverRank) {
    EXPECT_EQ(shape(plain(), kQ)->rank, 4);
    EXPECT_DOUBLE_EQ(shape(plain(), kQ)->scale, 6.0 / 4);
    EXPECT_DOUBLE_EQ(shape(with({{"lora_alpha", 2.5}}), kQ)->scale, 2.5 / 4);
    EXPECT_DOUBLE_EQ(shape(with({{"lora_alpha", -3}}), kQ)->scale, -3.0 / 4);
}

TEST(AdapterConfig, RankStabilizedScalesByTheRootOfTheRank) {
    EXPECT_DOUBLE_EQ(shape(with({{"use_rslora", true}}), kQ)->scale, 6.0 / 2);
    const auto own = shape(with({{"use_rslora", true}, {"rank_pattern", {{"q_proj", 9}}}}), kQ);
    EXPECT_DOUBLE_EQ(own->scale, 6.0 / 3);
}

TEST(AdapterConfig, MissingRankAndAlphaAreEightAsInPeft) {
    const Json json = {{"peft_type", "LORA"}, {"target_modules", {"q_proj"}}};
    EXPECT_EQ(shape(json, kQ)->rank, 8);
    EXPECT_EQ(shape(json, kQ)->scale, 1);
}

TEST(AdapterConfig, PatternsAreExpressionsThatMatchTheEndOfAName) {
    // re.match(rf"(.*\.)?({key})$", name)
    struct Case {
        const char* key;
        bool matches;
    };
    for (const auto& [key, matches] : {Case{"q_proj", true}, Case{"self_attn.q_proj", true},
             Case{"proj", false}, Case{"attn.q_proj", false}, Case{".*q_proj", true},
             Case{"^model.layers.0.self_attn.q_proj", true},
             Case{"^layers.0.self_attn.q_proj", false}, Case{R"(layers\.0\..*)", true},
             Case{R"(layers\.1\..*)", false}, Case{"k_proj|q_proj", true},
             Case{R"(layers\.[0-3]\.self_attn\.(q|v)_proj)", true}, Case{"q_pro", false}}) {
        const auto found
            = shape(with({{"rank_pattern", {{key, 2}}}, {"alpha_pattern", {{key, 10}}}}), kQ);
        EXPECT_EQ(found->rank, matches ? 2 : 4) << key;
        EXPECT_DOUBLE_EQ(found->scale, matches ? 10.0 / 2 : 6.0 / 4) << key;
    }
}

TEST(AdapterConfig, TheFirstPatternThatMatchesCounts) {
    const Json twice = {{".*", 2}, {"q_proj", 3}};
    EXPECT_EQ(shape(with({{"rank_pattern", twice}}), kQ)->rank, 2);
    const Json other = {{"q_proj", 3}, {".*", 2}};
    EXPECT_EQ(shape(with({{"rank_pattern", other}}), kQ)->rank, 3);
    EXPECT_EQ(shape(with({{"rank_pattern", other}}), kV12)->rank, 2);
    // Each pattern by itself: the scale takes the alpha of one key and the rank of another.
    EXPECT_DOUBLE_EQ(
        shape(with({{"rank_pattern", {{"q_proj", 3}}}, {"alpha_pattern", {{".*", 12}}}}), kQ)
            ->scale,
        4);
}

TEST(AdapterConfig, ModulesAreListedByNameOrByItsEndBehindADot) {
    EXPECT_TRUE(targets({}, kQ));
    EXPECT_FALSE(targets({}, "model.layers.0.self_attn.k_proj.weight"));
    EXPECT_FALSE(targets({{"target_modules", {"proj"}}}, kQ));
    EXPECT_TRUE(targets({{"target_modules", {"self_attn.q_proj"}}}, kQ));
    EXPECT_TRUE(targets({{"target_modules", {"model.layers.0.self_attn.q_proj"}}}, kQ));
    EXPECT_FALSE(targets({{"target_modules", {"model.layers.1.self_attn.q_proj"}}}, kQ));
    EXPECT_FALSE(targetsParameter({}, kQ)); // no linear layer: target_modules cannot name it
}

TEST(AdapterConfig, AnExpressionOfModulesMatchesTheWholeName) {
    EXPECT_TRUE(targets({{"target_modules", R"(.*\.(q|v)_proj)"}}, kQ));
    EXPECT_FALSE(targets({{"target_modules", R"(.*\.(q|v))"}}, kQ));
    EXPECT_FALSE(targets({{"target_modules", "q_proj"}}, kQ));
    EXPECT_TRUE(
        targets({{"target_modules", R"((?P<a>model)\.layers\.(?!1)\d+\.self_attn\.q_proj)"}}, kQ));
}

TEST(AdapterConfig, AllLinearIsEveryLinearLayerButTheHead) {
    for (const char* word : {"all-linear", "All-Linear"}) {
        EXPECT_TRUE(targets({{"target_modules", word}}, kQ));
        EXPECT_FALSE(targets({{"target_modules", word}}, "lm_head.weight"));
        EXPECT_FALSE(targets({{"target_modules", word}}, "model.embed_tokens.weight"));
        EXPECT_FALSE(targetsParameter({{"target_modules", word}}, kUp));
    }
}

TEST(AdapterConfig, ExcludedModulesHaveNoAdapter) {
    EXPECT_FALSE(targets({{"exclude_modules", {"q_proj"}}}, kQ));
    EXPECT_TRUE(targets({{"exclude_modules", {"proj"}}}, kQ));
    EXPECT_FALSE(targets({{"exclude_modules", {"model.layers.0.self_attn.q_proj"}}}, kQ));
    EXPECT_FALSE(targets({{"exclude_modules", R"(.*layers\.0\..*)"}}, kQ));
    EXPECT_TRUE(targets({{"exclude_modules", R"(.*layers\.0\..*)"}}, kV12));
    // Parameters are not asked about: PEFT looks at target_parameters alone.
    EXPECT_TRUE(targetsParameter(
        {{"target_parameters", {"experts.gate_up_proj"}}, {"exclude_modules", {"experts"}}}, kUp));
}

TEST(AdapterConfig, LayersToTransformRestrictListsButNotFullNames) {
    EXPECT_TRUE(targets({{"layers_to_transform", 0}}, kQ));
    EXPECT_FALSE(targets({{"layers_to_transform", 1}}, kQ));
    EXPECT_TRUE(targets({{"layers_to_transform", {3, 12}}}, kV12));
    EXPECT_FALSE(targets({{"layers_to_transform", {3, 12}}}, kQ));
    EXPECT_TRUE(targets({{"layers_to_transform", Json::array()}}, kQ));
    EXPECT_TRUE(targets({{"layers_to_transform", 12}, {"layers_pattern", "layers"}}, kV12));
    EXPECT_TRUE(targets({{"layers_to_transform", 12}, {"layers_pattern", {"h", "layers"}}}, kV12));
    EXPECT_FALSE(targets({{"layers_to_transform", 12}, {"layers_pattern", "blocks"}}, kV12));
    EXPECT_TRUE(targets(
        {{"layers_to_transform", 1}, {"target_modules", {"model.layers.0.self_attn.q_proj"}}},
        kQ)); // `key in target_modules` is asked before the layers
    // The first number counts, not that of an expert.
    EXPECT_TRUE(targets({{"layers_to_transform", 1}, {"target_modules", {"up_proj"}}},
        "model.layers.1.mlp.experts.0.up_proj.weight"));
}

TEST(AdapterConfig, ParametersAreListedByTheEndOfTheirName) {
    const Json experts = {{"target_parameters", {"experts.gate_up_proj", "gate.weight"}}};
    EXPECT_TRUE(targetsParameter(experts, kUp));
    EXPECT_TRUE(targetsParameter(experts, kGate));
    EXPECT_FALSE(targetsParameter(experts, kDown));
    EXPECT_FALSE(targetsParameter({{"target_parameters", {"xperts.down_proj"}}}, kDown));
    const auto found = shape(with({{"target_parameters", {"down_proj"}},
                                 {"rank_pattern", {{R"(experts\.down_proj)", 3}}}}),
        kDown, false);
    EXPECT_EQ(found->rank, 3);
    EXPECT_TRUE(found->byParameter);
    // A pattern sees the parameter's whole name, ".weight" included.
    const Json pattern = {{"target_parameters", {"gate.weight"}}, {"rank_pattern", {{"gate", 2}}}};
    EXPECT_EQ(shape(with(pattern), kGate, false)->rank, 4);
    const Json whole
        = {{"target_parameters", {"gate.weight"}}, {"rank_pattern", {{"gate.weight", 2}}}};
    EXPECT_EQ(shape(with(whole), kGate, false)->rank, 2);
}

// transformers_weight_conversion._convert_peft_config_moe
TEST(AdapterConfig, NamesOfOldExpertLayersMeanTheStackedOnes) {
    const Json old = {{"target_modules", {"q_proj", "gate_proj", "up_proj", "down_proj", "gate"}}};
    for (const char* family : {"qwen3_moe", "olmoe", "deepseek_v2", "deepseek_v3"}) {
        const auto up = shape(with(old), kUp, false, family);
        ASSERT_TRUE(up.has_value()) << family;
        EXPECT_EQ(up->rank, 8); // gate and up side by side
        EXPECT_DOUBLE_EQ(up->scale, 12.0 / 8);
        EXPECT_EQ(shape(with(old), kDown, false, family)->rank, 4);
        EXPECT_TRUE(targetsParameter(old, kGate, family));
        EXPECT_TRUE(targets(old, kQ, family));
        EXPECT_FALSE(targets(old, "model.layers.0.mlp.gate_proj.weight", family));
    }
    EXPECT_TRUE(targetsParameter({{"target_modules", {"w1", "w2", "w3"}}}, kUp, "mixtral"));
    for (const char* family : {"qwen2_moe", "gpt_oss", "granitemoe"})
        EXPECT_FALSE(targetsParameter(old, kUp, family)) << family;
    EXPECT_TRUE(targets(old, "model.layers.0.mlp.shared_expert.gate_proj.weight", "qwen2_moe"));
    const Json expression = {{"target_modules", R"(.*\.(q_proj|gate_proj|up_proj))"}};
    EXPECT_EQ(shape(with(expression), kUp, false, "qwen3_moe")->rank, 8);
    EXPECT_FALSE(targetsParameter(expression, kDown, "qwen3_moe"));
    EXPECT_TRUE(targetsParameter({{"target_modules", "all-linear"}}, kDown, "qwen3_moe"));
    const auto half = parsed(with({{"target_modules", {"gate_proj"}}}), "qwen3_moe");
    ASSERT_FALSE(half.ok());
    EXPECT_THAT(half.error().message(), HasSubstr("gate_proj"));
}

TEST(AdapterConfig, SavedModulesKeepAdaptersAwayAndReplaceWeights) {
    const auto config = parsed(with({{"modules_to_save", {"lm_head", "q_proj"}}}));
    ASSERT_TRUE(config.ok());
    EXPECT_TRUE(config->replaces("lm_head.weight"));
    EXPECT_TRUE(config->replaces(kQ));
    EXPECT_FALSE(config->replaces(kV12));
    EXPECT_FALSE(*config->shapeOf(kQ, true));
    EXPECT_TRUE(config->shapeOf(kV12, true)->has_value());
    const auto block = parsed(with({{"modules_to_save", {"mlp"}}}));
    EXPECT_TRUE(block->replaces(kUp)); // everything beneath it
    EXPECT_TRUE(block->replaces(kGate));
    EXPECT_FALSE(block->replaces(kQ));
}

TEST(AdapterConfig, WhatSaysNothingAboutTheNumbersIsRead) {
    for (const Json& changes : {Json{{"base_model_name_or_path", "some/model"}},
             Json{{"revision", "main"}}, Json{{"inference_mode", true}},
             Json{{"lora_dropout", 0.1}}, Json{{"bias", "none"}}, Json{{"fan_in_fan_out", false}},
             Json{{"use_dora", false}}, Json{{"layer_replication", nullptr}},
             Json{{"auto_mapping", {{"parent_library", "x"}}}}, Json{{"peft_version", "0.99.0"}},
             Json{{"megatron_core", "megatron.core"}}, Json{{"loftq_config", Json::object()}},
             Json{{"qalora_group_size", 16}}, Json{{"eva_config", {{"rho", 2.0}}}},
             Json{{"init_lora_weights", true}}, Json{{"init_lora_weights", false}},
             Json{{"init_lora_weights", "gaussian"}}, Json{{"init_lora_weights", "eva"}},
             Json{{"init_lora_weights", "orthogonal"}}, Json{{"trainable_token_indices", nullptr}},
             Json{{"alora_invocation_tokens", nullptr}}, Json{{"task_type", nullptr}},
             Json{{"a_key_to_come", nullptr}}, Json{{"another_one", false}}})
        EXPECT_DOUBLE_EQ(shape(with(changes), kQ)->scale, 1.5) << changes;
}

struct Refused {
    Json changes;
    const char* key;
};

class RefusedKeys : public testing::TestWithParam<Refused> { };

TEST_P(RefusedKeys, AreNamed) {
    const auto config = parsed(with(GetParam().changes));
    ASSERT_FALSE(config.ok()) << GetParam().changes;
    EXPECT_EQ(config.error().code, ErrorCode::Input);
    EXPECT_EQ(config.error().where, "adapter_config.json");
    EXPECT_THAT(config.error().what, HasSubstr("'" + std::string(GetParam().key) + "'"));
    EXPECT_FALSE(config.error().hint.empty());
}

INSTANTIATE_TEST_SUITE_P(AdapterConfig, RefusedKeys,
    testing::Values(Refused{{{"peft_type", "LOHA"}}, "peft_type"},
        Refused{{{"peft_type", nullptr}}, "peft_type"}, Refused{{{"peft_type", 3}}, "peft_type"},
        Refused{{{"task_type", "SEQ_CLS"}}, "task_type"}, Refused{{{"use_dora", true}}, "use_dora"},
        Refused{{{"alora_invocation_tokens", {1, 2}}}, "alora_invocation_tokens"},
        Refused{{{"layer_replication", {{0, 2}}}}, "layer_replication"},
        Refused{{{"trainable_token_indices", {5}}}, "trainable_token_indices"},
        Refused{{{"trainable_token_indices", {{"embed_tokens", {5}}}}}, "trainable_token_indices"},
        Refused{{{"megatron_config", {{"a", 1}}}}, "megatron_config"},
        Refused{{{"use_qalora", true}}, "use_qalora"},
        Refused{{{"arrow_config", {{"top_k", 3}}}}, "arrow_config"},
        Refused{{{"velora_config", {{"a", 1}}}}, "velora_config"},
        Refused{{{"kasa_config", {{"beta", 1}}}}, "kasa_config"},
        Refused{{{"monteclora_config", {{"a", 1}}}}, "monteclora_config"},
        Refused{{{"use_bdlora", {{"nblocks", 2}}}}, "use_bdlora"},
        Refused{{{"bias", "all"}}, "bias"}, Refused{{{"bias", "lora_only"}}, "bias"},
        Refused{{{"fan_in_fan_out", true}}, "fan_in_fan_out"},
        Refused{{{"init_lora_weights", "pissa"}}, "init_lora_weights"},
        Refused{{{"init_lora_weights", "pissa_niter_4"}}, "init_lora_weights"},
        Refused{{{"init_lora_weights", "olora"}}, "init_lora_weights"},
        Refused{{{"init_lora_weights", "corda"}}, "init_lora_weights"},
        Refused{{{"init_lora_weights", "loftq"}}, "init_lora_weights"},
        Refused{{{"init_lora_weights", "lora_ga"}}, "init_lora_weights"},
        Refused{{{"init_lora_weights", "new"}}, "init_lora_weights"},
        Refused{{{"init_lora_weights", {1}}}, "init_lora_weights"}, Refused{{{"r", 0}}, "r"},
        Refused{{{"r", -4}}, "r"}, Refused{{{"r", 2.5}}, "r"}, Refused{{{"r", "8"}}, "r"},
        Refused{{{"r", 18446744073709551615ULL}}, "r"},
        Refused{{{"lora_alpha", "16"}}, "lora_alpha"},
        Refused{{{"lora_alpha", true}}, "lora_alpha"}, Refused{{{"use_rslora", 1}}, "use_rslora"},
        Refused{{{"lora_bias", "x"}}, "lora_bias"},
        Refused{{{"rank_pattern", {1}}}, "rank_pattern"},
        Refused{{{"rank_pattern", {{"q_proj", 0}}}}, "rank_pattern"},
        Refused{{{"rank_pattern", {{"q_(proj", 2}}}}, "rank_pattern"},
        Refused{{{"alpha_pattern", {{"q_proj", nullptr}}}}, "alpha_pattern"},
        Refused{{{"target_modules", nullptr}}, "target_modules"},
        Refused{{{"target_modules", 3}}, "target_modules"},
        Refused{{{"target_modules", {3}}}, "target_modules"},
        Refused{{{"target_modules", "*"}}, "target_modules"},
        Refused{{{"target_parameters", "experts.*"}}, "target_parameters"},
        Refused{{{"exclude_modules", 1}}, "exclude_modules"},
        Refused{{{"modules_to_save", "lm_head"}}, "modules_to_save"},
        Refused{{{"layers_to_transform", "0"}}, "layers_to_transform"},
        Refused{{{"layers_to_transform", 1}, {"layers_pattern", "la.*"}}, "layers_pattern"},
        Refused{{{"a_key_to_come", true}}, "a_key_to_come"},
        Refused{{{"a_key_to_come", {{"x", 1}}}}, "a_key_to_come"},
        Refused{{{"a_key_to_come", "word"}}, "a_key_to_come"}));

TEST(AdapterConfig, WhatIsNotJsonOrNotAnObjectIsRejected) {
    for (const char* text : {"", "[]", "{", R"({"r": 1, "r": 2})", "3"})
        EXPECT_FALSE(AdapterConfig::parse(text, "adapter_config.json", "olmoe").ok()) << text;
}

TEST(AdapterConfig, AnExpressionThatTakesForEverIsAnError) {
    const std::string slow = "(([a-z_.0-9]+)+)+[!?]"; // exponential on a name without these marks
    const auto config = parsed(with({{"alpha_pattern", {{slow, 3}}}}));
    ASSERT_TRUE(config.ok());
    const auto found = config->shapeOf(kQ, true);
    ASSERT_FALSE(found.ok());
    EXPECT_THAT(found.error().message(), HasSubstr("steps"));
    EXPECT_EQ(found.error().where, "adapter_config.json");
}

} // namespace
} // namespace mooring
