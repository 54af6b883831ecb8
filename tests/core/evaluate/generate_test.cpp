// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/generate.h"
#include "core/model/model.h"
#include "tests/core/model/tiny.h"
#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace mooring {
namespace {

// Logits whose softmax is .5, .3, .2; order of the ids on purpose not that of the probabilities.
const std::vector<float> kLogits = {std::log(0.2F), std::log(0.5F), std::log(0.3F)};

std::array<double, 3> shares(const GenerateOptions& options, int draws = 40000) {
    std::array<double, 3> counts = {};
    SplitMix64 random(9);
    for (int i = 0; i < draws; ++i)
        counts[static_cast<std::size_t>(nextToken(kLogits, options, random))] += 1.0 / draws;
    return counts;
}

GenerateOptions sampled(double temperature, double topP) {
    GenerateOptions options;
    options.temperature = temperature;
    options.topP = topP;
    return options;
}

// 40,000 draws: the deviation of a share is at most .0025; four of them are allowed.
TEST(NextToken, DrawsFromTheSoftmaxAtTemperatureOne) {
    const auto s = shares(sampled(1, 1));
    EXPECT_NEAR(s[0], 0.2, 0.01);
    EXPECT_NEAR(s[1], 0.5, 0.01);
    EXPECT_NEAR(s[2], 0.3, 0.01);
}

// At temperature 1/2 probabilities are squared: .04, .25, .09 of .38.
TEST(NextToken, TemperatureDividesTheLogits) {
    const auto s = shares(sampled(0.5, 1));
    EXPECT_NEAR(s[0], 0.04 / 0.38, 0.01);
    EXPECT_NEAR(s[1], 0.25 / 0.38, 0.01);
    EXPECT_NEAR(s[2], 0.09 / 0.38, 0.01);
}

// .5 < .79 <= .8: the second most likely token reaches the mass and is the last one in.
TEST(NextToken, TheNucleusIsTheFewestTokensThatReachTopP) {
    const auto two = shares(sampled(1, 0.79));
    EXPECT_EQ(two[0], 0);
    EXPECT_NEAR(two[1], 0.5 / 0.8, 0.01);
    EXPECT_NEAR(two[2], 0.3 / 0.8, 0.01);
    EXPECT_GT(shares(sampled(1, 0.81))[0], 0.15);
    EXPECT_NEAR(shares(sampled(1, 0.49))[1], 1, 1e-9);
}

TEST(NextToken, GreedyTakesTheHighestAndTheLowerIdAmongEquals) {
    SplitMix64 random(1);
    EXPECT_EQ(nextToken(kLogits, {}, random), 1);
    const std::vector<float> equal = {1, 3, 3};
    EXPECT_EQ(nextToken(equal, {}, random), 1);
}

const std::vector<std::int32_t> kStops = {2};

std::vector<Prompt> prompts() {
    return {{{3, 1, 4, 1, 5, 9, 7, 6}, 0}, {{7, 1, 8}, 1}, {{5}, 2}, {{9, 9, 9, 9, 9}, 3},
        {{11, 12, 13}, 4}, {{40, 41, 42, 43, 44, 45, 46, 47, 48, 49}, 5}};
}

const GenerateProgress kKeepGoing = [](std::int64_t, std::int64_t) { return true; };

// One token after the other from whole forwards, without a cache and one row at a time.
std::vector<std::int32_t> uncached(
    Model& model, std::vector<std::int32_t> ids, std::int64_t count) {
    std::vector<std::int32_t> out;
    RoutingPlan plain;
    for (std::int64_t n = 0; n < count; ++n) {
        const std::vector<std::span<const std::int32_t>> rows = {ids};
        const auto logits = model.logits(model.forward(makeBatch(rows, at::kCPU), plain));
        const auto token = static_cast<std::int32_t>(logits[-1].argmax().item<std::int64_t>());
        if (token == 2) // a stop token
            break;
        out.push_back(token);
        ids.push_back(token);
    }
    return out;
}

TEST(Generate, CachedBatchesGiveTheTokensOfFullForwards) {
    for (const auto& config : {test::deepseekConfig(), test::qwenConfig()}) {
        auto model = test::tinyModel(config, false);
        GenerateOptions options;
        options.maxNewTokens = 12;
        const auto rows = generate(*model, kStops, prompts(), options, kKeepGoing);
        std::size_t tokens = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_EQ(rows[i], uncached(*model, prompts()[i].ids, 12)) << i;
            tokens += rows[i].size();
        }
        EXPECT_GT(tokens, 20u);
    }
}

TEST(Generate, WhatIsDrawnForAPromptDoesNotDependOnTheOthers) {
    auto model = test::tinyModel(test::qwenConfig(), false);
    auto options = sampled(1.5, 0.9);
    options.maxNewTokens = 12;
    options.seed = 5;
    const auto together = generate(*model, kStops, prompts(), options, kKeepGoing);
    for (std::size_t i = 0; i < together.size(); ++i)
        EXPECT_EQ(generate(*model, kStops, {prompts()[i]}, options, kKeepGoing)[0], together[i]);
    options.seed = 6;
    EXPECT_NE(generate(*model, kStops, prompts(), options, kKeepGoing), together);
}

TEST(Generate, RepeatsOfAPromptDrawFromStreamsOfTheirOwn) {
    auto model = test::tinyModel(test::qwenConfig(), false);
    auto options = sampled(1.5, 1);
    options.maxNewTokens = 12;
    const auto rows = generate(
        *model, kStops, {{{7, 1, 8}, 0}, {{7, 1, 8}, 1}, {{7, 1, 8}, 0}}, options, kKeepGoing);
    EXPECT_NE(rows[0], rows[1]);
    EXPECT_EQ(rows[0], rows[2]);
}

// 64 positions: a prompt of 60 tokens gets 4 more, whatever shares its batch; one of 64 none.
TEST(Generate, EndsAtTheModelsLastPosition) {
    auto model = test::tinyModel(test::qwenConfig(), false);
    const auto filled = [](std::size_t n) {
        std::vector<std::int32_t> ids;
        for (std::size_t i = 0; i < n; ++i)
            ids.push_back(static_cast<std::int32_t>(10 + i % 30));
        return ids;
    };
    GenerateOptions options;
    options.maxNewTokens = 9;
    const auto rows = generate(
        *model, kStops, {{filled(60), 0}, {filled(3), 1}, {filled(64), 2}}, options, kKeepGoing);
    EXPECT_EQ(rows[0].size(), 4u);
    EXPECT_EQ(rows[1].size(), 9u);
    EXPECT_TRUE(rows[2].empty());
}

TEST(Generate, GivesUpAfterAnyTokenWhenAsked) {
    auto model = test::tinyModel(test::qwenConfig(), false);
    int calls = 0;
    const auto rows = generate(
        *model, kStops, prompts(), {}, [&](std::int64_t, std::int64_t) { return ++calls < 3; });
    EXPECT_EQ(calls, 3);
    for (const auto& row : rows)
        EXPECT_LE(row.size(), 3u);
}

} // namespace
} // namespace mooring
