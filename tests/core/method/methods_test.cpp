// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/method.h"
#include "core/method/prior.h"
#include "core/train/optimizer.h"
#include "core/train/training_step.h"
#include "tests/core/method/priors.h"
#include "tests/core/model/tiny.h"
#include <cmath>

namespace mooring {
namespace {

using test::steepPrior;
using test::tinyModel;
using test::tinySamples;

TEST(Registry, HoldsTheTwelveMethodsByTheirIds) {
    for (const auto* id : {"sft", "lbl", "rpb", "router_l2", "kl_to_base", "logit_l2", "rpb_hard",
             "within_soft", "within_hard", "global_hard", "router_freeze", "z_loss"})
        ASSERT_NE(findMethod(id), nullptr) << id;
    EXPECT_EQ(findMethod("rbp"), nullptr);
}

TEST(PriorBias, IsTheCenteredLogOfTheClampedPrior) {
    // E = 4: clamp to [0.0125, 1.25]; 0.001 is lifted to 0.0125, nothing reaches the top.
    const auto b = priorBias(at::tensor({0.001F, 0.2F, 0.3F, 0.499F}));
    const double c[4] = {0.0125, 0.2, 0.3, 0.499};
    double mean = 0;
    for (const double v : c)
        mean += std::log(v) / 4;
    for (int e = 0; e < 4; ++e)
        EXPECT_NEAR(b[e].item<double>(), std::log(c[e]) - mean, 1e-5);
    EXPECT_NEAR(b.sum().item<double>(), 0, 1e-5);
}

TEST(PriorBias, RangeIsAtMostLogOfUpperOverLowerClamp) {
    auto pi = at::zeros({64});
    pi[0] = 1.0;
    const auto b = priorBias(pi);
    EXPECT_NEAR((b.max() - b.min()).item<double>(), std::log(5.0 / 0.05), 1e-5);
}

TEST(RouterPriorBias, AtBetaZeroEqualsSftToTheBit) {
    const auto samples = tinySamples();
    const auto prior = steepPrior(6, 2);
    const auto gradOf = [&](const LiveValues& live) {
        auto model = tinyModel(test::deepseekConfig());
        TrainingStep step(
            *model, {&prior, {model->moe(0).router->master, model->moe(1).router->master}});
        const auto result = step.run(test::stepOf(samples, 3), live);
        return std::pair(result.ce, model->parameters().flatGrad().clone());
    };
    LiveValues rpb;
    rpb.method = "rpb";
    rpb.beta = 0;
    const auto a = gradOf(LiveValues{}), b = gradOf(rpb);
    EXPECT_EQ(a.first, b.first);
    EXPECT_TRUE(at::equal(a.second, b.second));
    rpb.beta = 1;
    EXPECT_FALSE(at::equal(a.second, gradOf(rpb).second)); // and above 0 it has an effect
}

TEST(RouterPriorBias, ASpanWithoutAPriorIsNotBiased) {
    const auto samples = tinySamples();
    auto prior = steepPrior(6, 2);
    prior.valid_N2.zero_();
    LiveValues rpb;
    rpb.method = "rpb";
    rpb.beta = 1;
    auto model = tinyModel(test::deepseekConfig());
    TrainingStep step(
        *model, {&prior, {model->moe(0).router->master, model->moe(1).router->master}});
    EXPECT_EQ(step.run(test::stepOf(samples, 6), rpb).ce,
        step.run(test::stepOf(samples, 6), LiveValues{}).ce);
}

TEST(TrainingStep, AnyMicroBatchSplitGivesTheSameLossPenaltiesAndGradients) {
    const auto samples = tinySamples();
    const auto prior = steepPrior(6, 2);
    LiveValues live;
    live.method = "rpb";
    live.beta = 0.8;
    live.strengths = {{"lbl", 0.1}, {"router_l2", 3.0}};
    const auto run = [&](std::int64_t micro) {
        auto model = tinyModel(test::deepseekConfig());
        TrainingStep step(
            *model, {&prior, {model->moe(0).router->master + 0.1, model->moe(1).router->master}});
        auto result = step.run(test::stepOf(samples, micro), live);
        return std::pair(result, model->parameters().flatGrad().clone());
    };
    const auto whole = run(6);
    for (const std::int64_t micro : {1, 2, 4}) {
        const auto split = run(micro);
        EXPECT_NEAR(split.first.ce, whole.first.ce, 1e-6 * whole.first.ce);
        for (const auto& [id, value] : whole.first.terms)
            EXPECT_NEAR(split.first.terms.at(id).raw, value.raw, 1e-5 * std::abs(value.raw)) << id;
        const double error = (split.second - whole.second).norm().item<double>()
            / whole.second.norm().item<double>();
        EXPECT_LT(error, 1e-5) << "micro " << micro;
        for (std::size_t l = 0; l < whole.first.counts_E.size(); ++l)
            EXPECT_TRUE(at::equal(split.first.counts_E[l], whole.first.counts_E[l]));
    }
}

TEST(TrainingStep, CountsAddUpToValidTokensTimesTopKOncePerStep) {
    auto model = tinyModel(test::qwenConfig());
    const auto samples = tinySamples();
    TrainingStep step(
        *model, {nullptr, {model->moe(0).router->master, model->moe(1).router->master}});
    const auto batch = test::stepOf(samples, 2);
    std::int64_t tokens = 0;
    for (const auto& s : samples)
        tokens += s.length();
    EXPECT_EQ(batch.validTokens, tokens);
    LiveValues live;
    live.strengths = {{"lbl", 0.1}}; // its counting pass must not count
    for (const auto& counts : step.run(batch, live).counts_E)
        EXPECT_EQ(counts.sum().item<std::int64_t>(), tokens * 2);
}

TEST(TrainingStep, LossIsNormalizedByTheWeightOfTheWholeStepNotPerMicroBatch) {
    auto model = tinyModel(test::qwenConfig());
    auto samples = tinySamples(2); // 3 and 6 supervised targets
    TrainingStep step(
        *model, {nullptr, {model->moe(0).router->master, model->moe(1).router->master}});
    const double first = step.crossEntropy({samples[0]}), second = step.crossEntropy({samples[1]});
    EXPECT_NEAR(
        step.run(test::stepOf(samples, 1), LiveValues{}).ce, (3 * first + 6 * second) / 9, 1e-5);
}

TEST(TrainingStep, QuestionTokensEnterWithTheirWeight) {
    auto model = tinyModel(test::qwenConfig());
    auto samples = tinySamples(1);
    TrainingStep step(
        *model, {nullptr, {model->moe(0).router->master, model->moe(1).router->master}});
    const double answer = step.run(test::stepOf(samples, 1), LiveValues{}).ce; // 3 targets
    auto all = samples, questions = samples;
    questions[0].runs = {{1, 0, 0.0F}, {3, 0, 1.0F}, {3, 1, 0.0F}};
    all[0].runs = {{1, 0, 0.0F}, {3, 0, 0.25F}, {3, 1, 1.0F}};
    const double question = step.run(test::stepOf(questions, 1), LiveValues{}).ce; // 3 targets
    EXPECT_NEAR(step.run(test::stepOf(all, 1), LiveValues{}).ce,
        (0.25 * 3 * question + 3 * answer) / 3.75, 1e-5);
}

TEST(TrainingStep, AnExpertWithoutTokensHasAnExactZeroGradient) {
    auto model = tinyModel(test::qwenConfig());
    // Push expert 5 of both layers out of every choice: a row of zeros cannot win against a bias
    // that the others get.
    for (int l = 0; l < 2; ++l)
        model->moe(l).router->master[5].fill_(0);
    const auto samples = tinySamples();
    TrainingStep step(
        *model, {nullptr, {model->moe(0).router->master, model->moe(1).router->master}});
    Prior prior = steepPrior(6, 2);
    prior.pi_N2LE.fill_(1.0);
    prior.pi_N2LE.select(3, 5).fill_(1e-6);
    TrainingStep biased(
        *model, {&prior, {model->moe(0).router->master, model->moe(1).router->master}});
    LiveValues live;
    live.method = "rpb";
    live.beta = 30; // far beyond what people use: makes the point certain
    model->parameters().flatGrad().zero_();
    const auto result = biased.run(test::stepOf(samples, 3), live);
    for (int l = 0; l < 2; ++l) {
        ASSERT_EQ(result.counts_E[l][5].item<std::int64_t>(), 0);
        EXPECT_EQ(model->moe(l).gateUp->grad[5].abs().max().item<double>(), 0);
        EXPECT_EQ(model->moe(l).down->grad[5].abs().max().item<double>(), 0);
        EXPECT_GT(model->moe(l).gateUp->grad.abs().max().item<double>(), 0);
    }
}

TEST(TrainingStep, PaddingChangesNothing) {
    // A short row beside a long one is padded inside attention; alone it is not.
    auto model = tinyModel(test::deepseekConfig());
    auto samples = tinySamples(4); // lengths 7, 10, 13, 16
    TrainingStep step(
        *model, {nullptr, {model->moe(0).router->master, model->moe(1).router->master}});
    double sum = 0, weight = 0;
    for (const auto& s : samples) {
        const double w = static_cast<double>(s.length() - 4);
        sum += w * step.crossEntropy({s});
        weight += w;
    }
    EXPECT_NEAR(step.crossEntropy(samples), sum / weight, 1e-6);
}

TEST(TrainingStep, EvaluationIsBiasFreeWhateverTheMethod) {
    auto model = tinyModel(test::deepseekConfig());
    const auto samples = tinySamples();
    const auto prior = steepPrior(6, 2);
    const std::vector<at::Tensor> routers
        = {model->moe(0).router->master, model->moe(1).router->master};
    TrainingStep with(*model, {&prior, routers});
    TrainingStep without(*model, {nullptr, routers});
    const double plain = without.crossEntropy(samples);
    EXPECT_EQ(with.crossEntropy(samples), plain);
    for (const auto* id : {"rpb", "rpb_hard"}) { // the mismatch that is reported beside it
        LiveValues live;
        live.method = id;
        live.beta = 1;
        EXPECT_NE(with.crossEntropy(samples, prior, live), plain) << id;
    }
}

TEST(FirstLoss, AMismatchIsARunFailureThatNamesBothLosses) {
    EXPECT_TRUE(compareFirstLoss(2.0, 2.0001, 1e-4).ok());
    const auto wrong = compareFirstLoss(2.0, 2.5, 1e-4);
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.error().code, ErrorCode::RunFailed);
    EXPECT_NE(wrong.error().what.find("2.5"), std::string::npos);
    EXPECT_FALSE(compareFirstLoss(2.0, std::nan(""), 1e-4).ok());
}

TEST(Prior, AFileOfAnotherKeyIsRejectedByName) {
    const auto folder = test::freshFolder("prior");
    const auto prior = steepPrior(3, 2);
    PriorKey key{"model", "tokenizer", "template", "data", "softmax", 128};
    ASSERT_TRUE(writePrior(folder / "prior.safetensors", prior, key).ok());
    const auto again = readPrior(folder / "prior.safetensors", key);
    ASSERT_TRUE(again.ok());
    EXPECT_TRUE(at::equal(again->pi_N2LE, prior.pi_N2LE));
    key.data = "other";
    const auto refused = readPrior(folder / "prior.safetensors", key);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().what.find("data"), std::string::npos);
}

} // namespace
} // namespace mooring
