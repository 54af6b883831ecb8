// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/method.h"
#include "core/method/prior.h"
#include "core/train/engine/optimizer.h"
#include "core/train/engine/training_step.h"
#include "tests/core/model/tiny.h"
#include <cmath>

namespace mooring {
namespace {

using test::tinyModel;
using test::tinySamples;

GateSpec gate(GateKind kind, int experts, int topK) {
    GateSpec s;
    s.kind = kind;
    s.experts = experts;
    s.topK = topK;
    return s;
}

TEST(Registry, HoldsTheFiveMethodsOfThisVersionByTheirIds) {
    for (const auto* id : {"sft", "lbl", "rpb", "router_l2", "router_freeze"})
        ASSERT_NE(findMethod(id), nullptr) << id;
    EXPECT_EQ(findMethod("rbp"), nullptr);
}

TEST(PriorBias, IsTheCentredLogOfTheClampedPrior) {
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

TEST(LoadBalancing, PerfectBalanceIsExactlyOne) {
    const auto spec = gate(GateKind::Softmax, 4, 2);
    MethodContext context;
    context.stepTokens = 8;
    context.layers = 1;
    context.gate = &spec;
    context.stepShare_LE = at::full({1, 4}, 0.25F);
    const auto penalty = findMethod("lbl")->logitPenalty(0, at::zeros({8, 4}), context);
    EXPECT_NEAR(penalty->raw, 1.0, 1e-6);
}

// The value by hand for one token, then its gradient by central differences, for both kinds of
// gate.
TEST(LoadBalancing, GradientAtTheGateIsThatOfFiniteDifferences) {
    for (const auto kind : {GateKind::Softmax, GateKind::SigmoidCorrected}) {
        const auto spec = gate(kind, 4, 2);
        MethodContext context;
        context.stepTokens = 3;
        context.layers = 2;
        context.gate = &spec;
        context.stepShare_LE = at::tensor({0.5F, 0.3F, 0.2F, 0.0F}).view({1, 4});
        const auto z = at::tensor({0.3F, -1.0F, 0.8F, 0.1F}).view({1, 4});
        const auto& lbl = *findMethod("lbl");
        const auto penalty = lbl.logitPenalty(0, z, context);
        double score[4], total = 0, expected = 0;
        for (int e = 0; e < 4; ++e) {
            const double value = z[0][e].item<double>();
            total += score[e]
                = kind == GateKind::Softmax ? std::exp(value) : 1 / (1 + std::exp(-value));
        }
        for (int e = 0; e < 4; ++e)
            expected += context.stepShare_LE[0][e].item<double>() * score[e] / total;
        EXPECT_NEAR(penalty->raw, 4 * expected / 3 / 2, 1e-6);
        for (int e = 0; e < 4; ++e) {
            constexpr float h = 1e-2F;
            auto up = z.clone(), down = z.clone();
            up[0][e] += h;
            down[0][e] -= h;
            const double slope
                = (lbl.logitPenalty(0, up, context)->raw - lbl.logitPenalty(0, down, context)->raw)
                / (2 * h);
            EXPECT_NEAR(penalty->grad_TE[0][e].item<double>(), slope, 2e-5) << "expert " << e;
        }
    }
}

TEST(RouterL2, IsTheMeanOverLayersOfTheSquaredDistanceAndItsGradient) {
    const auto W = at::tensor({1.0F, 2.0F, 3.0F, 4.0F}).view({2, 2}),
               base = at::tensor({1.0F, 1.0F, 1.0F, 2.0F}).view({2, 2});
    auto dW = at::ones({2, 2});
    const auto raw = findMethod("router_l2")->weightPenalty(W, base, 2, 10.0, &dW);
    EXPECT_NEAR(*raw, (0 + 1 + 4 + 4) / 2.0, 1e-6); // of this layer, divided by 2 layers
    EXPECT_NEAR(dW[1][0].item<double>(), 1 + 10.0 * 2 * 2 / 2, 1e-5); // 1 + lambda 2 (3 - 1) / L
}

// The whole path: lambda * penalty must move the router's gradient by the finite difference of the
// total loss.
TEST(Penalties, ReachTheRouterThroughTheTrainingStepWithTheStatedSize) {
    for (const std::string id : {"lbl", "router_l2"}) {
        auto model = tinyModel(test::qwenConfig());
        const auto samples = tinySamples();
        std::vector<at::Tensor> base;
        for (int l = 0; l < model->moeLayerCount(); ++l)
            base.push_back(model->moe(l).router->master + 0.05);
        TrainingStep step(*model, nullptr, base);
        const auto batch = test::stepOf(samples, 6);
        LiveValues plain, with;
        with.strengths[id] = 0.5;
        const auto gradOf = [&](const LiveValues& live) {
            model->parameters().flatGrad().zero_();
            step.run(batch, live);
            return model->moe(1)
                .router->grad.clone(); // the last layer: no router after it sees the change
        };
        const auto difference = gradOf(with) - gradOf(plain);
        auto& W = model->moe(1).router->master;
        for (const auto& [e, d] : {std::pair{0, 3}, {4, 17}, {7, 31}}) {
            constexpr double h = 2e-3;
            const auto penalty = [&](double delta) {
                W[e][d] += delta;
                const double value = step.run(batch, with).terms.at(id).scaled;
                W[e][d] -= delta;
                return value;
            };
            const double slope = (penalty(h) - penalty(-h)) / (2 * h);
            EXPECT_NEAR(
                difference[e][d].item<double>(), slope, 2e-3 * std::max(1.0, std::abs(slope)))
                << id;
        }
    }
}

Prior steepPrior(std::int64_t rows, std::int64_t layers) {
    Prior prior;
    prior.pi_N2LE = at::softmax(at::arange(rows * 2 * layers * 8, at::kFloat)
                                    .mul(0.37)
                                    .sin()
                                    .mul(2)
                                    .view({rows, 2, layers, 8}),
        -1);
    prior.valid_N2 = at::ones({rows, 2}, at::kByte);
    for (int l = 0; l < layers; ++l)
        prior.layers.push_back(l);
    return prior;
}

TEST(RouterPriorBias, AtBetaZeroEqualsSftToTheBit) {
    const auto samples = tinySamples();
    const auto prior = steepPrior(6, 2);
    const auto gradOf = [&](const LiveValues& live) {
        auto model = tinyModel(test::deepseekConfig());
        TrainingStep step(
            *model, &prior, {model->moe(0).router->master, model->moe(1).router->master});
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
    TrainingStep step(*model, &prior, {model->moe(0).router->master, model->moe(1).router->master});
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
            *model, &prior, {model->moe(0).router->master + 0.1, model->moe(1).router->master});
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
        *model, nullptr, {model->moe(0).router->master, model->moe(1).router->master});
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

TEST(TrainingStep, LossIsNormalisedByTheWeightOfTheWholeStepNotPerMicroBatch) {
    auto model = tinyModel(test::qwenConfig());
    auto samples = tinySamples(2); // 3 and 6 supervised targets
    TrainingStep step(
        *model, nullptr, {model->moe(0).router->master, model->moe(1).router->master});
    const double first = step.crossEntropy({samples[0]}, nullptr, 0),
                 second = step.crossEntropy({samples[1]}, nullptr, 0);
    EXPECT_NEAR(
        step.run(test::stepOf(samples, 1), LiveValues{}).ce, (3 * first + 6 * second) / 9, 1e-5);
}

TEST(TrainingStep, QuestionTokensEnterWithTheirWeight) {
    auto model = tinyModel(test::qwenConfig());
    auto samples = tinySamples(1);
    TrainingStep step(
        *model, nullptr, {model->moe(0).router->master, model->moe(1).router->master});
    const double answer = step.run(test::stepOf(samples, 1), LiveValues{}).ce; // 3 targets
    auto all = samples, questions = samples;
    for (std::size_t i = 1; i < 7; ++i) {
        questions[0].weight[i] = i < 4 ? 1.0F : 0.0F;
        all[0].weight[i] = i < 4 ? 0.25F : 1.0F;
    }
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
        *model, nullptr, {model->moe(0).router->master, model->moe(1).router->master});
    Prior prior = steepPrior(6, 2);
    prior.pi_N2LE.fill_(1.0);
    prior.pi_N2LE.select(3, 5).fill_(1e-6);
    TrainingStep biased(
        *model, &prior, {model->moe(0).router->master, model->moe(1).router->master});
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
        *model, nullptr, {model->moe(0).router->master, model->moe(1).router->master});
    double sum = 0, weight = 0;
    for (const auto& s : samples) {
        const double w = static_cast<double>(s.length() - 4);
        sum += w * step.crossEntropy({s}, nullptr, 0);
        weight += w;
    }
    EXPECT_NEAR(step.crossEntropy(samples, nullptr, 0), sum / weight, 1e-6);
}

TEST(TrainingStep, EvaluationIsBiasFreeWhateverTheMethod) {
    auto model = tinyModel(test::deepseekConfig());
    const auto samples = tinySamples();
    const auto prior = steepPrior(6, 2);
    TrainingStep with(*model, &prior, {model->moe(0).router->master, model->moe(1).router->master});
    TrainingStep without(
        *model, nullptr, {model->moe(0).router->master, model->moe(1).router->master});
    const double plain = without.crossEntropy(samples, nullptr, 0);
    EXPECT_EQ(with.crossEntropy(samples, nullptr, 0), plain);
    EXPECT_NE(
        with.crossEntropy(samples, &prior, 1.0), plain); // the mismatch that is reported beside it
}

TEST(FirstLoss, AMismatchIsARunFailureThatNamesBothLosses) {
    EXPECT_TRUE(compareFirstLoss(2.0, 2.0001, 1e-4).ok());
    const auto wrong = compareFirstLoss(2.0, 2.5, 1e-4);
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.error().code, ErrorCode::RunFailed);
    EXPECT_NE(wrong.error().what.find("2.5"), std::string::npos);
    EXPECT_FALSE(compareFirstLoss(2.0, std::nan(""), 1e-4).ok());
}

TEST(Prior, AFileOfAnotherKeyIsRefusedByName) {
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
