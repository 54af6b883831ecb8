// SPDX-License-Identifier: GPL-3.0-or-later
// Every published config.json of the real set: its numbers, or the sentence that rejects it.
#include "core/files/atomic_folder.h"
#include "core/model/activation_bytes.h"
#include "core/model/families/describe_model.h"
#include "core/model/model.h"
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <ostream>

namespace mooring {
namespace {

namespace fs = std::filesystem;

fs::path configsFolder() {
    const char* shared = std::getenv("MOORING_SHARED");
    return fs::path(shared ? shared : "../shared") / "data" / "real" / "configs";
}

nlohmann::ordered_json configOf(const std::string& name) {
    const auto text = readFile(configsFolder() / name / "config.json");
    return text.ok() ? nlohmann::ordered_json::parse(*text, nullptr, false)
                     : nlohmann::ordered_json();
}

struct Numbers {
    std::string family;
    std::int64_t layers, moeLayers, hidden, experts, topK, expertHidden, sharedHidden;
    bool operator==(const Numbers&) const = default;
};
void PrintTo(const Numbers& n, std::ostream* out) {
    *out << n.family << " " << n.layers << " " << n.moeLayers << " " << n.hidden << " " << n.experts
         << " " << n.topK << " " << n.expertHidden << " " << n.sharedHidden;
}

const std::map<std::string, Numbers> kDescribed = {
    {"DeepSeek-V2-Lite-Chat", {"deepseek_v2", 27, 26, 2048, 64, 6, 1408, 2816}},
    {"DeepSeek-V2-Lite-Chat.transformers-5.7", {"deepseek_v2", 27, 26, 2048, 64, 6, 1408, 2816}},
    {"Moonlight-16B-A3B-Instruct", {"deepseek_v3", 27, 26, 2048, 64, 6, 1408, 2816}},
    {"OLMoE-1B-7B", {"olmoe", 16, 16, 2048, 64, 8, 1024, 0}},
    {"Qwen--Qwen3-235B-A22B", {"qwen3_moe", 94, 94, 4096, 128, 8, 1536, 0}},
    {"Qwen--Qwen3-30B-A3B", {"qwen3_moe", 48, 48, 2048, 128, 8, 768, 0}},
    {"Qwen--Qwen3-30B-A3B-FP8", {"qwen3_moe", 48, 48, 2048, 128, 8, 768, 0}},
    {"Qwen--Qwen3-Coder-480B-A35B-Instruct", {"qwen3_moe", 62, 62, 6144, 160, 8, 2560, 0}},
    {"Qwen1.5-MoE-A2.7B.partial", {"qwen2_moe", 24, 24, 2048, 60, 4, 1408, 5632}},
    {"WizardLM-2-8x22B", {"mixtral", 56, 56, 6144, 8, 2, 16384, 0}},
    {"deepseek-ai--DeepSeek-R1", {"deepseek_v3", 61, 58, 7168, 256, 8, 2048, 2048}},
    {"deepseek-ai--DeepSeek-V3", {"deepseek_v3", 61, 58, 7168, 256, 8, 2048, 2048}},
    {"granite-3.1-1b-a400m-instruct", {"granitemoe", 24, 24, 1024, 32, 8, 512, 0}},
    {"ipex-small-deepseekv2", {"deepseek_v2", 2, 1, 2560, 16, 6, 1536, 3072}},
    {"ipex-small-deepseekv3", {"deepseek_v3", 4, 1, 3072, 64, 8, 2048, 2048}},
    {"ipex-small-mixtral", {"mixtral", 1, 1, 2048, 8, 2, 14336, 0}},
    {"ipex-small-qwen3moe", {"qwen3_moe", 1, 1, 2048, 128, 8, 768, 0}},
    {"openai--gpt-oss-120b", {"gpt_oss", 36, 36, 2880, 128, 4, 2880, 0}},
    {"openai--gpt-oss-20b", {"gpt_oss", 24, 24, 2880, 32, 4, 2880, 0}},
    {"mistralai--Mixtral-8x22B-v0.1", {"mixtral", 56, 56, 6144, 8, 2, 16384, 0}},
    {"mistralai--Mixtral-8x7B-v0.1", {"mixtral", 32, 32, 4096, 8, 2, 14336, 0}},
};

const std::map<std::string, std::string> kRefused = {
    {"ERNIE-4.5-21B-A3B.partial", "this is ERNIE 4.5 MoE (ernie4_5_moe)"},
    {"GLM-4.7-FP8.trimmed", "this is GLM-4.5 to GLM-4.7 (glm4_moe)"},
    {"MiniMaxAI--MiniMax-M2.5", "this is MiniMax-M2 (minimax_m2)"},
    {"Qwen--Qwen3-8B", "because it is a dense model without a router"},
    {"Qwen--Qwen3.5-35B-A3B", "this is Qwen3.5 MoE (qwen3_5_moe)"},
    {"Qwen3-Next-80B-A3B-Thinking", "because most of its layers use gated linear attention"},
    {"deepseek-ai--DeepSeek-V4-Flash", "this is DeepSeek-V4 (deepseek_v4)"},
    {"meta-llama--Llama-4-Scout-17B-16E-Instruct", "this is Llama 4 (llama4)"},
    {"meta-llama--Meta-Llama-3.1-8B", "because it is a dense model without a router"},
    {"moonshotai--Kimi-K2-Instruct", "because it is deepseek_v3 with a trillion parameters"},
    {"moonshotai--Kimi-K2.5", "because it is deepseek_v3 with a trillion parameters"},
    {"nvidia--NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
        "because most of its layers are Mamba-2 layers"},
    {"zai-org--GLM-5", "this is GLM-5 (glm_moe_dsa)"},
};

Numbers numbersOf(const Architecture& a) {
    return {a.family, a.layers(), std::ssize(a.moeLayerIndices()), a.hidden, a.gate.experts,
        a.gate.topK, a.expertHidden, a.sharedHidden};
}

#define NEEDS_REAL_CONFIGS()                                                                       \
    if (!fs::exists(configsFolder()))                                                              \
    GTEST_SKIP() << "The published configs are not in " << configsFolder()                         \
                 << "; set MOORING_SHARED to the folder that holds data/real."

TEST(RealConfigs, EachGivesItsNumbersOrTheSentenceThatRejectsIt) {
    NEEDS_REAL_CONFIGS();
    for (const auto& entry : fs::directory_iterator(configsFolder())) {
        const auto name = entry.path().filename().string();
        const auto a = describeModel(configOf(name), name);
        if (kDescribed.contains(name)) {
            ASSERT_TRUE(a.ok()) << a.error().message();
            EXPECT_EQ(numbersOf(*a), kDescribed.at(name)) << name;
        } else {
            ASSERT_TRUE(kRefused.contains(name)) << "nothing is expected of " << name;
            ASSERT_FALSE(a.ok()) << name;
            EXPECT_EQ(a.error().code, ErrorCode::Input);
            EXPECT_NE(a.error().message().find(kRefused.at(name)), std::string::npos)
                << a.error().message();
        }
    }
}

TEST(RealConfigs, ParametersCountToThePublishedTotals) {
    NEEDS_REAL_CONFIGS();
    const auto total = [](const std::string& name) {
        const auto model = Model::blueprint(configOf(name), name);
        return model.ok() ? static_cast<double>((*model)->parameters().total()) : 0.0;
    };
    const std::map<std::string, double> billions = {{"Moonlight-16B-A3B-Instruct", 15.96},
        {"Qwen--Qwen3-30B-A3B", 30.53}, {"DeepSeek-V2-Lite-Chat", 15.71}, {"OLMoE-1B-7B", 6.92},
        {"Qwen1.5-MoE-A2.7B.partial", 14.32}, {"mistralai--Mixtral-8x7B-v0.1", 46.70},
        {"granite-3.1-1b-a400m-instruct", 1.33}, {"openai--gpt-oss-20b", 20.91},
        {"openai--gpt-oss-120b", 116.83}};
    for (const auto& [name, expected] : billions)
        EXPECT_NEAR(total(name) / 1e9, expected, 0.0051) << name;
    // In bf16, to the byte: total_size of its index. That of gpt-oss counts MXFP4.
    EXPECT_EQ(2 * total("WizardLM-2-8x22B"), 281241268224.0);
    const auto config = configOf("openai--gpt-oss-20b");
    EXPECT_EQ(checkpointBytes(**Model::blueprint(config, ""), config), 13761264768.0);
}

TEST(RealConfigs, BothSpellingsOfDeepseekV2LiteGiveTheSameAttention) {
    NEEDS_REAL_CONFIGS();
    for (const auto* name : {"DeepSeek-V2-Lite-Chat", "DeepSeek-V2-Lite-Chat.transformers-5.7"}) {
        const auto a = describeModel(configOf(name), name);
        ASSERT_TRUE(a.ok());
        EXPECT_EQ(a->attention.headDim, 192);
        EXPECT_EQ(a->attention.ropeDim, 64);
        EXPECT_EQ(a->attention.qLoraRank, 0);
        EXPECT_EQ(a->gate.kind, GateKind::Softmax);
        EXPECT_EQ(a->gate.groups, 1);
        EXPECT_DOUBLE_EQ(a->rope.cosSinFactor, 1.0);
        EXPECT_NEAR(a->attention.scale,
            std::pow(192.0, -0.5) * std::pow(0.1 * 0.707 * std::log(40.0) + 1, 2), 1e-12);
    }
}

TEST(RealConfigs, GptOssHasAWindowOnEveryOtherLayerAndItsOwnRope) {
    NEEDS_REAL_CONFIGS();
    const auto a = describeModel(configOf("openai--gpt-oss-20b"), "");
    ASSERT_TRUE(a.ok());
    for (int i = 0; i < 24; ++i)
        EXPECT_EQ(a->window(i), i % 2 == 0 ? 128 : 0);
    EXPECT_FALSE(a->rope.truncate);
    EXPECT_NEAR(a->rope.cosSinFactor, 0.1 * std::log(32.0) + 1, 1e-12);
    EXPECT_EQ(a->attention.scale, 0.125); // the rope does not enter it
    EXPECT_EQ(a->gluClamp, 7);
    EXPECT_EQ(a->eosIds, (std::vector<std::int64_t>{200002}));
}

TEST(RealConfigs, WhatOnlyOneFamilyHasIsRead) {
    NEEDS_REAL_CONFIGS();
    const auto granite = describeModel(configOf("granite-3.1-1b-a400m-instruct"), "");
    ASSERT_TRUE(granite.ok());
    EXPECT_EQ(granite->embeddingMultiplier, 12);
    EXPECT_EQ(granite->residualMultiplier, 0.22);
    EXPECT_EQ(granite->attention.scale, 0.015625);
    EXPECT_DOUBLE_EQ(granite->logitMultiplier, 1.0 / 6);
    EXPECT_TRUE(granite->tiedEmbeddings);
    const auto olmoe = describeModel(configOf("OLMoE-1B-7B"), "");
    ASSERT_TRUE(olmoe.ok());
    EXPECT_EQ(olmoe->rmsEps, 1e-5); // the file has no rms_norm_eps
    EXPECT_EQ(olmoe->attention.qkNorm, QkNorm::Whole);
    EXPECT_EQ(olmoe->gate.kind, GateKind::Softmax);
    const auto limited = describeModel(configOf("ipex-small-deepseekv2"), "");
    ASSERT_TRUE(limited.ok());
    EXPECT_EQ(limited->gate.groups, 8);
    EXPECT_EQ(limited->gate.topGroups, 3);
    EXPECT_EQ(limited->gate.scale, 16);
    const auto v3 = describeModel(configOf("deepseek-ai--DeepSeek-V3"), "");
    ASSERT_TRUE(v3.ok());
    EXPECT_EQ(v3->rope.kind, RopeSpec::Kind::Yarn);
    EXPECT_NEAR(
        v3->attention.scale, std::pow(192.0, -0.5) * std::pow(0.1 * std::log(40.0) + 1, 2), 1e-12);
    EXPECT_EQ(describeModel(configOf("ipex-small-qwen3moe"), "")->windows.size(), 0U);
}

TEST(KnownModels, UnknownModelsAreDistinguished) {
    const auto said = [](const nlohmann::ordered_json& config) {
        return describeModel(config, "config.json").error().message();
    };
    EXPECT_NE(
        said({{"model_type", "novel"}, {"hidden_size", 8}}).find("dense model"), std::string::npos);
    EXPECT_NE(said({{"model_type", "novel_moe"}, {"num_experts", 8}}).find("is not supported"),
        std::string::npos);
    EXPECT_NE(said({{"model_type", "novel_vl"}, {"text_config", {{"num_experts", 8}}}})
                  .find("text_config"),
        std::string::npos);
    EXPECT_NE(said({{"model_type", "llama"}}).find("without a router"), std::string::npos);
}

} // namespace
} // namespace mooring
