// SPDX-License-Identifier: GPL-3.0-or-later
// The estimate comes from the tensors and counts experts
// (docs/design-notes.md#the-memory-estimate-counts-tensors).
#include "core/base/format_bytes.h"
#include "core/files/model_folder.h"
#include "core/model/memory_estimate.h"
#include "core/model/recompute_choice.h"
#include "tests/core/text/shared_data.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path kDemo = fs::path(MOORING_SOURCE_DIR) / "resources" / "demo" / "model";

RunConfig configOf(const fs::path& model) {
    RunConfig config;
    config.model.path = model.string();
    config.model.device = "cpu";
    return config;
}

double partOf(const std::vector<MemoryPart>& parts, const std::string& beginning) {
    for (const auto& part : parts)
        if (part.name.starts_with(beginning))
            return part.bytes;
    ADD_FAILURE() << "no part " << beginning;
    return 0;
}

// Of the demo's file: elements of what trains, of the routers and norms, and of correction biases.
struct Counted {
    double trains = 0, router = 0, norms = 0, corrections = 0, routed = 0, bytes = 0;
};
Counted countDemo() {
    Counted n;
    const auto folder = ModelFolder::open(kDemo);
    EXPECT_TRUE(folder.ok());
    for (const auto& [name, entry] : folder->tensors()) {
        double elements = 1;
        for (const auto size : entry.info->shape)
            elements *= static_cast<double>(size);
        n.bytes += static_cast<double>(entry.bytes().size());
        if (name.ends_with("e_score_correction_bias")) {
            n.corrections += elements;
            continue;
        }
        n.trains += elements;
        if (name.ends_with("mlp.gate.weight"))
            n.router += elements;
        if (name.ends_with("norm.weight"))
            n.norms += elements;
        if (name.find(".experts.") != std::string::npos)
            n.routed += elements;
    }
    return n;
}

TEST(RecomputeChoice, AutoKeepsActivationsWhereTheyFitAndComputesThemAgainWhereTheyDoNot) {
    const auto config = configOf(kDemo);
    const double kept = estimateMemory(withRecompute(config, false))->total();
    const double again = estimateMemory(withRecompute(config, true))->total();
    ASSERT_GT(kept, again);
    EXPECT_FALSE(chooseRecompute(config, kept).full);
    EXPECT_FALSE(chooseRecompute(config, 0).full); // what is free is not known
    const auto choice = chooseRecompute(config, kept - 1);
    EXPECT_TRUE(choice.full);
    EXPECT_EQ(choice.kept, kept);
    EXPECT_EQ(choice.again, again);
    for (const auto& number : {formatBytes(kept), formatBytes(again), formatBytes(kept - 1)})
        EXPECT_THAT(choice.sentence(), HasSubstr(number));
    // A run that goes on stays with what it came to.
    EXPECT_TRUE(chooseRecompute(config, 1e18, "full").full);
    EXPECT_FALSE(chooseRecompute(config, 1, "off").full);
}

TEST(RecomputeChoice, WhatTheConfigurationSaysHoldsWhateverIsFree) {
    EXPECT_FALSE(chooseRecompute(withRecompute(configOf(kDemo), false), 1).full);
    EXPECT_TRUE(chooseRecompute(withRecompute(configOf(kDemo), true), 1e18).full);
    EXPECT_EQ(chooseRecompute(withRecompute(configOf(kDemo), true), 1e18).sentence(), "");
}

TEST(MemoryEstimate, CountsTheTensorsOfTheDemo) {
    const auto n = countDemo();
    const auto e = estimateMemory(configOf(kDemo));
    ASSERT_TRUE(e.ok()) << e.error().message();
    EXPECT_EQ(static_cast<double>(e->parameters), n.trains);
    EXPECT_EQ(e->checkpointBytes, n.bytes);
    // Top-6 of 64 experts.
    EXPECT_EQ(static_cast<double>(e->active), n.trains - n.routed * (1 - 6.0 / 64));
}

TEST(MemoryEstimate, AFullRunHoldsWeightsGradientsAndMomentsInFp32) {
    const auto n = countDemo();
    const auto e = estimateMemory(configOf(kDemo));
    ASSERT_TRUE(e.ok());
    EXPECT_FALSE(e->bf16);
    EXPECT_EQ(partOf(e->fixed, "weights"), 4 * (n.trains + n.corrections));
    EXPECT_EQ(partOf(e->fixed, "gradients"), 4 * n.trains);
    EXPECT_EQ(partOf(e->fixed, "AdamW"), 8 * n.trains);
    EXPECT_EQ(partOf(e->fixed, "routers of the base"), 4 * n.router);
    EXPECT_EQ(e->fixed.size(), 4U);
}

TEST(MemoryEstimate, Bf16AddsMastersOfWhatTrainsAlone) {
    const auto n = countDemo();
    auto config = configOf(kDemo);
    config.model.compute = "bf16";
    config.train.what = "router";
    config.optimizer.name = "sgd";
    const auto e = estimateMemory(config);
    ASSERT_TRUE(e.ok());
    const double wide = n.router + n.norms + n.corrections;
    EXPECT_EQ(partOf(e->fixed, "weights"), 2 * (n.trains + n.corrections - wide) + 4 * wide);
    EXPECT_EQ(partOf(e->fixed, "fp32 master weights"), 0); // routers are fp32 as they are
    EXPECT_EQ(partOf(e->fixed, "gradients"), 4 * n.router);
    EXPECT_EQ(e->fixed.size(), 4U); // no moments
}

// Rank 2 on attention: r (in + out) of each matrix. Bf16 weights, masters, gradients, two moments.
TEST(MemoryEstimate, AdaptersCostTheirOwnElements) {
    auto config = configOf(kDemo);
    config.model.compute = "bf16";
    config.train.what = "lora";
    config.train.lora = LoraConfig{2, 4, {"attention"}};
    const auto e = estimateMemory(config);
    ASSERT_TRUE(e.ok());
    const auto folder = ModelFolder::open(kDemo);
    double adapters = 0;
    for (const auto& [name, entry] : folder->tensors())
        if (name.find(".self_attn.") != std::string::npos && entry.info->shape.size() == 2)
            adapters += 2.0 * static_cast<double>(entry.info->shape[0] + entry.info->shape[1]);
    EXPECT_EQ(partOf(e->fixed, "fp32 master weights"), 4 * adapters);
    EXPECT_EQ(partOf(e->fixed, "gradients"), 4 * adapters);
    EXPECT_EQ(partOf(e->fixed, "AdamW"), 8 * adapters);
}

TEST(MemoryEstimate, EveryControlOfTheStepChangesIt) {
    const auto step = [](const RunConfig& config) {
        const auto e = estimateMemory(config);
        return e.ok() ? e->total() - e->fixedBytes() : 0;
    };
    const auto config = configOf(kDemo);
    auto larger = config, again = config, narrow = config;
    larger.batch.micro = 4;
    again.train.recompute = "full";
    narrow.data.maxLength = 64;
    EXPECT_GT(step(larger), step(config));
    EXPECT_LT(step(again), step(config));
    EXPECT_LT(step(narrow), step(config));
}

// The published figures: billions of parameters, total and active, GB on disk in bf16.
struct Published {
    const char* folder;
    double total, active, disk;
};
TEST(MemoryEstimate, PublishedModelsHaveTheirKnownSizes) {
    const auto configs = sharedData() / "configs";
    if (!fs::exists(configs))
        GTEST_SKIP() << "the published configs are not here (" << configs << ")";
    for (const auto& [name, total, active, disk] :
        {Published{"Moonlight-16B-A3B-Instruct", 15.96, 2.9, 31.9},
            Published{"Qwen--Qwen3-30B-A3B", 30.53, 3.35, 61.1},
            Published{"DeepSeek-V2-Lite-Chat", 15.71, 2.66, 31.4},
            Published{"DeepSeek-V2-Lite-Chat.transformers-5.7", 15.71, 2.66, 31.4},
            Published{"OLMoE-1B-7B", 6.92, 1.28, 13.8},
            Published{"granite-3.1-1b-a400m-instruct", 1.34, 0.43, 2.67},
            Published{"Qwen1.5-MoE-A2.7B.partial", 14.32, 2.69, 28.6},
            Published{"mistralai--Mixtral-8x7B-v0.1", 46.7, 12.9, 93.4},
            Published{"openai--gpt-oss-20b", 20.9, 4.2, 13.76}}) {
        const auto e = estimateMemory(configOf(configs / name));
        ASSERT_TRUE(e.ok()) << e.error().message();
        EXPECT_NEAR(static_cast<double>(e->parameters) / 1e9, total, 0.01 * total) << name;
        EXPECT_NEAR(static_cast<double>(e->active) / 1e9, active, 0.02 * active) << name;
        EXPECT_NEAR(e->checkpointBytes / 1e9, disk, 0.01 * disk) << name;
    }
}

// The total_size of the published weight index.
TEST(MemoryEstimate, TheBytesOnDiskAreThoseOfThePublishedIndex) {
    const auto configs = sharedData() / "configs";
    if (!fs::exists(configs))
        GTEST_SKIP() << "the published configs are not here (" << configs << ")";
    for (const auto& [name, bytes] : {std::pair("WizardLM-2-8x22B", 281241268224.0),
             std::pair("openai--gpt-oss-20b", 13761264768.0)}) { // experts in MXFP4
        const auto e = estimateMemory(configOf(configs / name));
        ASSERT_TRUE(e.ok()) << e.error().message();
        EXPECT_EQ(e->checkpointBytes, bytes) << name;
    }
}

TEST(MemoryEstimate, ARunThatCannotFitIsRejectedWithWhatWould) {
    const auto configs = sharedData() / "configs";
    if (!fs::exists(configs))
        GTEST_SKIP() << "the published configs are not here (" << configs << ")";
    // 255 GB in fp32 with masters; 16 bytes a parameter.
    auto config = configOf(configs / "Moonlight-16B-A3B-Instruct");
    const auto e = estimateMemory(config);
    ASSERT_TRUE(e.ok());
    EXPECT_NEAR(e->fixedBytes() / 1e9, 16 * 15.96, 3);
    const auto refused = checkMemory(config);
    ASSERT_FALSE(refused.ok()) << "this machine has more than 250 GB free";
    EXPECT_EQ(refused.error().code, ErrorCode::Device);
    EXPECT_THAT(refused.error().what, HasSubstr("the run needs 25"));
    EXPECT_THAT(whatWouldFit(config, 64e9), HasSubstr("train.what = \"lora\""));
    EXPECT_EQ(whatWouldFit(config, 10e9), "");
}

} // namespace
} // namespace mooring
