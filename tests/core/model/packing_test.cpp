// SPDX-License-Identifier: GPL-3.0-or-later
// Samples packed into one micro-batch give the numbers of samples one by one.
#include "core/train/prior_pass.h"
#include "core/train/training_step.h"
#include "tests/core/method/priors.h"
#include "tests/core/model/tiny.h"
#include <gtest/gtest.h>

namespace mooring {
namespace {

using test::tinyModel;
using test::tinySamples;

constexpr int kRows = 12; // of 7, 10, 13 and 16 tokens

StepBatch stepOf(const std::vector<Sample>& samples, bool packing) {
    RunConfig config;
    config.batch.global = kRows;
    config.batch.micro = 1;
    config.optimizer.steps = 1;
    config.data.packing = packing;
    config.data.maxLength = 48;
    return makeStep(samples, SampleOrder(samples.size(), 1, true), config, 1, at::kCPU);
}

// Latent attention and grouped attention.
class Packing : public testing::TestWithParam<nlohmann::ordered_json (*)()> { };

TEST_P(Packing, GivesTheLossGradientsAndCountsOfSamplesOneByOne) {
    const auto samples = tinySamples(kRows);
    const auto prior = test::steepPrior(kRows, 2);
    LiveValues live;
    live.method = "rpb";
    live.beta = 0.8;
    live.strengths = {{"lbl", 0.1}, {"kl_to_base", 0.2}};
    const auto run = [&](bool packing) {
        auto model = tinyModel(GetParam()());
        TrainingStep step(
            *model, {&prior, {model->moe(0).router->master, model->moe(1).router->master}});
        auto result = step.run(stepOf(samples, packing), live);
        return std::pair(result, model->parameters().flatGrad().clone());
    };
    const auto apart = run(false), packed = run(true);
    EXPECT_NEAR(packed.first.ce, apart.first.ce, 1e-5 * apart.first.ce);
    for (const auto& [id, value] : apart.first.terms)
        EXPECT_NEAR(packed.first.terms.at(id).raw, value.raw, 1e-5 * std::abs(value.raw)) << id;
    EXPECT_LT((packed.second - apart.second).norm().item<double>(),
        1e-5 * apart.second.norm().item<double>());
    for (std::size_t l = 0; l < apart.first.counts_E.size(); ++l)
        EXPECT_TRUE(at::equal(packed.first.counts_E[l], apart.first.counts_E[l]));
}

TEST_P(Packing, NoSampleSeesAnother) {
    auto model = tinyModel(GetParam()());
    const auto samples = tinySamples(kRows);
    std::vector<const Sample*> all;
    for (const Sample& sample : samples)
        all.push_back(&sample);
    const auto hiddenOf = [&](std::vector<const Sample*> some) {
        at::NoGradGuard guard;
        RoutingPlan plain;
        return model->forward(makeMicroBatch(std::move(some), at::kCPU).tokens, plain);
    };
    const auto together = hiddenOf(all);
    std::int64_t at = 0;
    for (const Sample& sample : samples) {
        const auto alone = hiddenOf({&sample});
        EXPECT_TRUE(at::allclose(together.narrow(0, at, sample.length()), alone, 1e-5, 1e-6));
        at += sample.length();
    }
}

TEST_P(Packing, GivesTheSamePriors) {
    auto model = tinyModel(GetParam()());
    const auto samples = tinySamples(kRows);
    const auto keepGoing = [](std::int64_t, std::int64_t) { return true; };
    const Prior packed = computePrior(*model, samples, kRows, {}, keepGoing);
    for (const Sample& sample : samples) {
        const Prior alone = computePrior(*model, {sample}, kRows, {}, keepGoing);
        EXPECT_TRUE(
            at::allclose(packed.pi_N2LE[sample.row], alone.pi_N2LE[sample.row], 1e-5, 1e-7));
    }
}

INSTANTIATE_TEST_SUITE_P(Attention, Packing,
    testing::Values(&test::deepseekConfig, &test::qwenConfig),
    [](const auto& info) { return info.index == 0 ? "Latent" : "Grouped"; });

TEST(PackedStep, FillsMicroBatchesInTheOrderOfItsSamples) {
    const auto samples = tinySamples(kRows);
    const auto apart = stepOf(samples, false), packed = stepOf(samples, true);
    EXPECT_EQ(packed.rows, apart.rows);
    EXPECT_EQ(packed.validTokens, apart.validTokens);
    EXPECT_EQ(packed.supervised, apart.supervised);
    EXPECT_EQ(packed.totalWeight, apart.totalWeight);
    EXPECT_EQ(apart.micros.size(), 12u);
    EXPECT_LE(packed.micros.size(), 4u); // 138 tokens in parts of at most 48
    for (const MicroBatch& micro : packed.micros)
        EXPECT_LE(micro.tokens.tokens(), 48);
}

TEST(TokenBatch, RowsOfLikeLengthShareAGroupAndATokenHasOnePlace) {
    std::vector<std::vector<std::int32_t>> ids;
    for (const std::size_t length : {10, 40, 9, 38, 20})
        ids.emplace_back(length, 1);
    const std::vector<std::span<const std::int32_t>> rows(ids.begin(), ids.end());
    const auto batch = makeBatch(rows, at::kCPU);
    ASSERT_EQ(batch.groups.size(), 3u); // 40 and 38, 20, 10 and 9
    EXPECT_EQ(batch.groups[0].rows, 2);
    EXPECT_EQ(batch.groups[0].longest, 40);
    EXPECT_EQ(batch.groups[1].rows, 1);
    EXPECT_EQ(batch.groups[2].longest, 10);
    EXPECT_EQ(batch.places, 2 * 40 + 20 + 2 * 10);
    // The first row is the first of the last group, the second that of the first group.
    EXPECT_EQ(batch.place_T[0].item<std::int64_t>(), 100);
    EXPECT_EQ(batch.place_T[10].item<std::int64_t>(), 0);
    EXPECT_EQ(std::get<0>(at::_unique(batch.place_T)).size(0), 117);
}

} // namespace
} // namespace mooring
