// SPDX-License-Identifier: GPL-3.0-or-later
// The penalties: values by hand, gradients by finite differences
// (docs/design-notes.md#penalty-gradients-have-the-stated-size).
#include "core/train/training_step.h"
#include "tests/core/method/priors.h"
#include "tests/core/model/tiny.h"
#include <cmath>

namespace mooring {
namespace {

using test::gate;
using test::steepPrior;
using test::tinyModel;
using test::tinySamples;

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

TEST(LoadBalancing, OverSequencesIsTheMeanOfTheirOwnLosses) {
    const auto spec = gate(GateKind::Softmax, 4, 1);
    // Two sequences: both tokens of the first choose expert 0, the one of the second expert 3.
    const auto z = at::tensor({2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0})
                       .to(at::kFloat)
                       .view({3, 4});
    const std::vector<std::int64_t> offsets = {0, 2, 3};
    MethodContext context;
    context.stepTokens = 3;
    context.stepSequences = 2;
    context.layers = 1;
    context.gate = &spec;
    context.sequenceOffsets = offsets;
    context.options.lblScope = LblScope::Sequence;
    const auto share = [](double top) { return std::exp(top) / (std::exp(top) + 3); };
    EXPECT_NEAR(findMethod("lbl")->logitPenalty(0, z, context)->raw,
        (4 * share(2) + 4 * share(3)) / 2, 1e-6);
}

TEST(LoadBalancing, OverMicroBatchesIsTheMeanOfTheirOwnLosses) {
    const auto spec = gate(GateKind::Softmax, 2, 1);
    MethodContext context;
    context.stepTokens = 3;
    context.stepMicroBatches = 2;
    context.layers = 1;
    context.gate = &spec;
    context.options.lblScope = LblScope::MicroBatch;
    const auto first = at::tensor({1.0F, 0.0F, 0.0F, 1.0F}).view({2, 2}); // f = 1/2, 1/2: 1
    const auto second = at::tensor({1.0F, 0.0F}).view({1, 2}); // f = 1, 0: 2 p_0
    const auto& lbl = *findMethod("lbl");
    EXPECT_NEAR(
        lbl.logitPenalty(0, first, context)->raw + lbl.logitPenalty(0, second, context)->raw,
        (1 + 2 / (1 + std::exp(-1.0))) / 2, 1e-6);
}

// One token of one layer, span A, whose prior is written out.
struct OneToken {
    explicit OneToken(std::vector<float> pi)
        : spec(gate(GateKind::Softmax, static_cast<int>(pi.size()), 1)) {
        const auto E = static_cast<std::int64_t>(pi.size());
        prior.pi_N2LE = at::zeros({1, 2, 1, E});
        prior.pi_N2LE[0][1][0].copy_(at::tensor(pi));
        prior.valid_N2 = at::ones({1, 2}, at::kByte);
        const std::int64_t row = 0;
        const std::uint8_t span = 1;
        tokens.emplace(prior, std::span(&row, 1), std::span(&span, 1), offsets, at::kCPU);
        context.stepTokens = 1;
        context.layers = 1;
        context.gate = &spec;
        context.prior = &*tokens;
        context.sequenceOffsets = offsets;
    }
    GateSpec spec;
    Prior prior;
    std::vector<std::int64_t> offsets = {0, 1};
    std::optional<TokenPrior> tokens;
    MethodContext context;
};

TEST(KlToBase, IsTheDivergenceFromTheSpansPriorClampedInTheLogarithmAlone) {
    // E = 4: eps / E = 0.0125, so the logarithm of 0.001 is that of 0.0125 and its weight stays.
    OneToken one({0.5F, 0.3F, 0.199F, 0.001F});
    const auto z = at::zeros({1, 4}); // p = 1/4
    const double expected = 0.5 * std::log(0.5 / 0.25) + 0.3 * std::log(0.3 / 0.25)
        + 0.199 * std::log(0.199 / 0.25) + 0.001 * std::log(0.0125 / 0.25);
    const auto penalty = findMethod("kl_to_base")->logitPenalty(0, z, one.context);
    EXPECT_NEAR(penalty->raw, expected, 1e-6);
    EXPECT_NEAR(penalty->grad_TE[0][0].item<double>(), 0.25 - 0.5, 1e-6); // p - pi
}

TEST(LogitL2, IsTheSquaredDistanceOfCenteredLogits) {
    OneToken one({0.5F, 0.25F, 0.25F, 0.001F});
    const auto z = at::tensor({1.0F, 2.0F, 3.0F, 6.0F}).view({1, 4});
    const double log[4] = {std::log(0.5), std::log(0.25), std::log(0.25), std::log(0.0125)};
    const double mean = (log[0] + log[1] + log[2] + log[3]) / 4;
    double expected = 0;
    for (int e = 0; e < 4; ++e)
        expected += std::pow(z[0][e].item<double>() - 3 - (log[e] - mean), 2);
    EXPECT_NEAR(findMethod("logit_l2")->logitPenalty(0, z, one.context)->raw, expected, 1e-4);
}

TEST(ZLoss, IsTheSquaredLogSumExp) {
    OneToken one({0.25F, 0.25F, 0.25F, 0.25F});
    one.context.layers = 2;
    const auto penalty = findMethod("z_loss")->logitPenalty(0, at::zeros({1, 4}), one.context);
    EXPECT_NEAR(penalty->raw, std::pow(std::log(4.0), 2) / 2, 1e-6);
}

// Against the base at the same token both penalties vanish where the router is the base's.
TEST(TokenReference, IsZeroAtTheBaseItself) {
    OneToken one({0.25F, 0.25F, 0.25F, 0.25F});
    const auto z = at::tensor({1.0F, -2.0F, 0.5F, 3.0F}).view({1, 4});
    one.context.options.tokenReference = true;
    one.context.baseLogits_TE = {z + 0.7}; // a constant moves neither softmax nor centered logits
    for (const auto* id : {"kl_to_base", "logit_l2"}) {
        const auto penalty = findMethod(id)->logitPenalty(0, z, one.context);
        EXPECT_NEAR(penalty->raw, 0, 1e-6) << id;
        EXPECT_LT(penalty->grad_TE.abs().max().item<double>(), 1e-6) << id;
    }
}

TEST(LogitPenalties, HaveTheGradientOfFiniteDifferences) {
    for (const auto kind :
        {PriorGate::Softmax, PriorGate::SigmoidNormalised, PriorGate::TopkFrequency})
        for (const auto* id : {"kl_to_base", "logit_l2", "z_loss"})
            for (const bool token : {false, true}) {
                OneToken one({0.5F, 0.3F, 0.15F, 0.05F});
                one.context.options = {false, token, LblScope::Step, kind};
                one.context.baseLogits_TE = {at::tensor({0.2F, -0.4F, 1.0F, 0.3F}).view({1, 4})};
                const auto z
                    = at::tensor({0.3, -1.0, 0.8, 0.1}, at::kDouble).view({1, 4}); // fp64: exact
                const auto& method = *findMethod(id);
                const auto grad = method.logitPenalty(0, z, one.context)->grad_TE;
                for (int e = 0; e < 4; ++e) {
                    constexpr double h = 1e-4;
                    auto up = z.clone(), down = z.clone();
                    up[0][e] += h;
                    down[0][e] -= h;
                    const double slope = (method.logitPenalty(0, up, one.context)->raw
                                             - method.logitPenalty(0, down, one.context)->raw)
                        / (2 * h);
                    EXPECT_NEAR(grad[0][e].item<double>(), slope, 1e-6)
                        << id << " expert " << e << (token ? " token" : " span");
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
    for (const std::string id : {"lbl", "router_l2", "kl_to_base", "logit_l2", "z_loss"}) {
        auto model = tinyModel(test::qwenConfig());
        const auto samples = tinySamples();
        std::vector<at::Tensor> base;
        for (int l = 0; l < model->moeLayerCount(); ++l)
            base.push_back(model->moe(l).router->master + 0.05);
        const auto prior = steepPrior(6, 2);
        TrainingStep step(*model, {&prior, base});
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

// Layers 0 and 1 are dense: the second MoE layer is layer 3 of config.json.
TEST(Penalties, OneThatIsNotFiniteNamesItsLayerAsTheConfigCounts) {
    for (const char* id : {"z_loss", "router_l2"}) {
        auto model = tinyModel(test::deepseekConfig());
        std::vector<at::Tensor> base;
        for (int l = 0; l < model->moeLayerCount(); ++l)
            base.push_back(model->moe(l).router->master.clone());
        model->moe(1).router->master.fill_(1e25F); // its square is beyond fp32
        TrainingStep step(*model, StepBase{nullptr, base});
        LiveValues live;
        live.method = id;
        live.strengths = {{id, 1.0}};
        EXPECT_EQ(step.run(test::stepOf(tinySamples(), 2), live).nonFinite,
            std::string(id) + " of layer 3");
    }
}

} // namespace
} // namespace mooring
