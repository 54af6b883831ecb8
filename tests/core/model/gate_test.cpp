// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layers/gate.h"
#include "core/model/layers/ops.h"
#include <cmath>
#include <torch/csrc/autograd/autograd.h>

namespace mooring {
namespace {

GateSpec spec(GateKind kind, int experts, int topK) {
    GateSpec s;
    s.kind = kind;
    s.experts = experts;
    s.topK = topK;
    return s;
}

double sigma(double z) {
    return 1 / (1 + std::exp(-z));
}

TEST(Gate, SoftmaxWeightsAreTheProbabilitiesOfTheChosenNotRenormalized) {
    const auto s = spec(GateKind::Softmax, 3, 2);
    const auto z = at::tensor({0.0F, 1.0F, 2.0F}).view({1, 3});
    const auto r = route(z, {}, s);
    EXPECT_EQ(r.topk_TK[0][0].item<int>(), 2);
    EXPECT_EQ(r.topk_TK[0][1].item<int>(), 1);
    const double total = 1 + std::exp(1.0) + std::exp(2.0);
    EXPECT_NEAR(r.weights_TK[0][0].item<double>(), std::exp(2.0) / total, 1e-6);
    EXPECT_NEAR(r.weights_TK[0][1].item<double>(), std::exp(1.0) / total, 1e-6);
}

TEST(Gate, RenormalizedSoftmaxIsTheSoftmaxOverTheChosenLogits) {
    const auto s = spec(GateKind::SoftmaxRenormalised, 3, 2);
    const auto r = route(at::tensor({0.0F, 1.0F, 2.0F}).view({1, 3}), {}, s);
    EXPECT_NEAR(r.weights_TK[0][0].item<double>(), sigma(1.0), 1e-6); // e^2 / (e^2 + e^1)
}

TEST(SigmoidGate, CorrectionBiasSelectsButDoesNotWeigh) {
    auto s = spec(GateKind::SigmoidCorrected, 3, 2);
    s.scale = 2.5;
    GateInputs inputs;
    inputs.correction_E = at::tensor({0.9F, 0.0F, 0.0F});
    const auto r = route(at::tensor({-2.0F, 0.5F, 1.0F}).view({1, 3}), inputs, s);
    // sigma(-2) + 0.9 = 1.02 beats sigma(1) = 0.73 and sigma(0.5) = 0.62.
    EXPECT_EQ(r.topk_TK[0][0].item<int>(), 0);
    EXPECT_EQ(r.topk_TK[0][1].item<int>(), 2);
    const double a = sigma(-2), b = sigma(1);
    EXPECT_NEAR(r.weights_TK[0][0].item<double>(), 2.5 * a / (a + b), 1e-6);
    EXPECT_NEAR(r.weights_TK[0][1].item<double>(), 2.5 * b / (a + b), 1e-6);
}

TEST(SigmoidGate, OnlyExpertsOfTheBestGroupsAreChosen) {
    auto s = spec(GateKind::SigmoidCorrected, 6, 2);
    s.groups = 3;
    s.topGroups = 1;
    // Group sums of the two best: {3, -9}, {1, 1}, {0, 0}: the single best expert 0 is in a losing
    // group once scores are sigmoids: 0.95 + 0.0001 < 0.73 + 0.73.
    const auto r = route(at::tensor({3.0F, -9.0F, 1.0F, 1.0F, 0.0F, 0.0F}).view({1, 6}), {}, s);
    EXPECT_EQ(r.topk_TK[0][0].item<int>(), 2);
    EXPECT_EQ(r.topk_TK[0][1].item<int>(), 3);
}

TEST(SoftmaxGate, AGroupIsScoredByItsBestExpertAndOthersDropOut) {
    auto s = spec(GateKind::Softmax, 6, 2);
    s.groups = 3;
    s.topGroups = 1;
    s.groupBest = 1;
    s.scale = 16;
    // The best expert is 0, so that its weak neighbor beats 2 and 3 of the second group.
    const auto r = route(at::tensor({3.0F, -1.0F, 2.0F, 2.0F, 0.0F, 0.0F}).view({1, 6}), {}, s);
    EXPECT_EQ(r.topk_TK[0][0].item<int>(), 0);
    EXPECT_EQ(r.topk_TK[0][1].item<int>(), 1);
    const double total = std::exp(3) + std::exp(-1) + 2 * std::exp(2) + 2;
    EXPECT_NEAR(r.weights_TK[0][0].item<double>(), 16 * std::exp(3) / total, 1e-5);
    EXPECT_NEAR(r.weights_TK[0][1].item<double>(), 16 * std::exp(-1) / total, 1e-5);
}

TEST(Gate, TiesGoToTheLowerExpertIndex) {
    for (const auto kind :
        {GateKind::Softmax, GateKind::SoftmaxRenormalised, GateKind::SigmoidCorrected}) {
        const auto s = spec(kind, 5, 3);
        const auto r = route(at::tensor({1.0F, 2.0F, 2.0F, 1.0F, 1.0F}).view({1, 5}), {}, s);
        EXPECT_EQ(r.topk_TK[0][0].item<int>(), 1);
        EXPECT_EQ(r.topk_TK[0][1].item<int>(), 2);
        EXPECT_EQ(r.topk_TK[0][2].item<int>(), 0);
    }
}

TEST(Gate, LogitsThatBfloat16WouldMergeStayDistinct) {
    // 1.000 and 1.001 are one number in bfloat16; the choice must see the difference.
    const auto r
        = route(at::tensor({1.0F, 1.001F}).view({1, 2}), {}, spec(GateKind::Softmax, 2, 1));
    EXPECT_EQ(r.topk_TK[0][0].item<int>(), 1);
}

TEST(Gate, TheBiasEntersChoiceAndWeights) {
    const auto s = spec(GateKind::SoftmaxRenormalised, 3, 2);
    GateInputs inputs;
    inputs.bias_TE = at::tensor({5.0F, 0.0F, 0.0F}).view({1, 3});
    const auto r = route(at::tensor({0.0F, 1.0F, 2.0F}).view({1, 3}), inputs, s);
    EXPECT_EQ(r.topk_TK[0][0].item<int>(), 0);
    EXPECT_NEAR(r.weights_TK[0][0].item<double>(), sigma(5.0 - 2.0), 1e-6);
}

// d(sum_k c_k w_k)/dz by central differences, for every kind.
TEST(Gate, GradientOfTheWeightsIsThatOfFiniteDifferences) {
    const auto c = at::tensor({0.3F, -1.1F, 0.7F});
    for (const auto kind :
        {GateKind::Softmax, GateKind::SoftmaxRenormalised, GateKind::SigmoidCorrected}) {
        auto s = spec(kind, 5, 3);
        s.scale = kind == GateKind::SigmoidCorrected ? 2.446 : 1.0;
        const auto z0 = at::tensor({0.2F, -0.4F, 1.3F, 0.9F, -0.7F}).view({1, 5});
        auto z = z0.clone().requires_grad_(true);
        torch::autograd::backward({route(z, {}, s).weights_TK}, {c.view({1, 3})});
        for (int e = 0; e < 5; ++e) {
            constexpr float h = 1e-2F;
            const auto value = [&](float delta) {
                auto moved = z0.clone();
                moved[0][e] += delta;
                return (route(moved, {}, s).weights_TK[0] * c).sum().item<double>();
            };
            EXPECT_NEAR(z.grad()[0][e].item<double>(), (value(h) - value(-h)) / (2 * h), 2e-4)
                << "expert " << e;
        }
    }
}

TEST(Gate, OneRenormalizedExpertGivesTheRouterNoGradientAndIsReported) {
    for (const auto kind : {GateKind::SoftmaxRenormalised, GateKind::SigmoidCorrected}) {
        const auto s = spec(kind, 4, 1);
        EXPECT_TRUE(routerGetsNoGradient(s));
        auto z = at::tensor({0.2F, -0.4F, 1.3F, 0.9F}).view({1, 4}).requires_grad_(true);
        torch::autograd::backward({route(z, {}, s).weights_TK}, {at::ones({1, 1})});
        EXPECT_LT(z.grad().abs().max().item<double>(), 1e-7);
    }
    EXPECT_FALSE(routerGetsNoGradient(spec(GateKind::Softmax, 4, 1)));
    EXPECT_FALSE(routerGetsNoGradient(spec(GateKind::SoftmaxRenormalised, 4, 2)));
}

// The same rule in tensor operations: softmax, a stable sort, the chosen probabilities.
TEST(Gate, RoutesToMoreThanFiveHundredExpertsOfMany) {
    constexpr int E = 1500, K = 1100;
    at::manual_seed(3);
    const auto z0 = at::randn({3, E});
    const auto s = spec(GateKind::Softmax, E, K);
    auto z = z0.clone().requires_grad_(true), same = z0.clone().requires_grad_(true);
    const auto r = route(z, {}, s);
    const auto order
        = std::get<1>(at::sort(z0, /*stable=*/true, -1, /*descending=*/true)).narrow(1, 0, K);
    EXPECT_TRUE(at::equal(r.topk_TK.to(at::kLong), order));
    EXPECT_TRUE(at::equal(largestLogits(z0, K).to(at::kLong), order));
    const auto expected = at::softmax(same, -1).gather(1, order);
    EXPECT_TRUE(at::allclose(r.weights_TK, expected, 1e-5, 1e-9));
    const auto c = at::randn({3, K});
    torch::autograd::backward({r.weights_TK}, {c});
    torch::autograd::backward({expected}, {c});
    EXPECT_TRUE(at::allclose(z.grad(), same.grad(), 1e-4, 1e-8));
}

TEST(SigmoidGate, AsManyGroupsAsExpertsChooseLikeNone) {
    constexpr int E = 1024, K = 6;
    auto grouped = spec(GateKind::SigmoidCorrected, E, K);
    grouped.groups = grouped.topGroups = E;
    at::manual_seed(4);
    const auto z = at::randn({4, E});
    GateInputs inputs;
    inputs.correction_E = at::rand({E});
    const auto r = route(z, inputs, grouped);
    const auto plain = route(z, inputs, spec(GateKind::SigmoidCorrected, E, K));
    EXPECT_TRUE(at::equal(r.topk_TK, plain.topk_TK));
    EXPECT_TRUE(at::equal(r.weights_TK, plain.weights_TK));
}

TEST(Gate, ASpecThatDoesNotFitTheLogitsIsRefused) {
    const auto z = at::zeros({2, 8});
    auto groups = spec(GateKind::SigmoidCorrected, 8, 2);
    groups.groups = 3;
    auto many = groups;
    many.groups = 4;
    many.topGroups = 5;
    for (const auto& s : {spec(GateKind::Softmax, 8, 9), spec(GateKind::Softmax, 8, 0),
             spec(GateKind::Softmax, 9, 2), groups, many})
        EXPECT_THROW(route(z, {}, s), c10::Error);
    EXPECT_THROW(largestLogits(z, 9), c10::Error);
}

TEST(Gate, TheBackwardNeedsNoSpecThatOutlivesTheForward) {
    auto s = std::make_unique<GateSpec>(spec(GateKind::SigmoidCorrected, 5, 3));
    s->scale = 2.446;
    const auto z0 = at::tensor({0.2F, -0.4F, 1.3F, 0.9F, -0.7F}).view({1, 5});
    auto kept = z0.clone().requires_grad_(true), gone = z0.clone().requires_grad_(true);
    const auto a = route(kept, {}, *s).weights_TK, b = route(gone, {}, *s).weights_TK;
    torch::autograd::backward({a}, {at::ones({1, 3})});
    *s = spec(GateKind::Softmax, 2, 1);
    s.reset();
    torch::autograd::backward({b}, {at::ones({1, 3})});
    EXPECT_TRUE(at::equal(kept.grad(), gone.grad()));
}

TEST(Gate, RouterLogitsAreRawAndTheirSoftmaxIsTheBaseProbability) {
    const auto z = at::tensor({2.0F, -1.0F, 0.5F, 3.0F}).view({1, 4});
    EXPECT_GT(std::abs(z.sum().item<double>() - 1.0), 1.0); // rows of z do not sum to 1
    const auto p = routerProbabilities(z);
    EXPECT_NEAR(p.sum().item<double>(), 1.0, 1e-6);
    const double total = std::exp(2.0) + std::exp(-1.0) + std::exp(0.5) + std::exp(3.0);
    EXPECT_NEAR(p[0][3].item<double>(), std::exp(3.0) / total, 1e-6);
}

} // namespace
} // namespace mooring
