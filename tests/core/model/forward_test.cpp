// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layers/ops.h"
#include "core/model/layers/routing_recorder.h"
#include "core/train/optimizer.h"
#include "core/train/training_step.h"
#include "tests/core/model/family_configs.h"
#include <cmath>
#include <torch/csrc/autograd/autograd.h>

namespace mooring {
namespace {

TEST(Forward, GenerationWithACacheGivesTheLogitsOfAFullForward) {
    for (const auto& config : {test::deepseekConfig(), test::qwenConfig()}) {
        auto model = test::tinyModel(config, false);
        const std::vector<std::vector<std::int32_t>> rows
            = {{3, 1, 4, 1, 5, 9, 2, 6}, {2, 7, 1, 8, 2}};
        const auto forwardAll = [&](std::size_t cut) {
            std::vector<std::span<const std::int32_t>> views;
            for (const auto& row : rows)
                views.emplace_back(row.data(), row.size() - cut);
            return makeBatch(views, at::kCPU);
        };
        RoutingPlan plain;
        const auto whole = forwardAll(0);
        const auto logits = model->logits(model->forward(whole, plain));
        Model::Cache cache;
        model->prefill(forwardAll(2), 16, cache);
        model->step(at::tensor({std::int64_t{2}, std::int64_t{8}}), cache);
        const auto last
            = model->logits(model->step(at::tensor({std::int64_t{6}, std::int64_t{2}}), cache));
        for (int b = 0; b < 2; ++b) {
            const auto expected = logits[whole.offsets[b + 1] - 1];
            EXPECT_LT((last[b] - expected).abs().max().item<double>(),
                1e-4 * expected.abs().max().item<double>());
        }
    }
}

TEST(Forward, TwoRunsOfTrainingAgreeToTheBit) {
    const auto run = [] {
        auto model = test::tinyModel(test::deepseekConfig());
        TrainingStep step(
            *model, {nullptr, {model->moe(0).router->master, model->moe(1).router->master}});
        Optimizer optimizer(OptimizerConfig{}, model->parameters());
        const Skip none = [](const Parameter&) { return false; };
        for (int n = 1; n <= 4; ++n) {
            optimizer.zeroGrad();
            step.run(test::stepOf(test::tinySamples(), 2), LiveValues{});
            optimizer.update(1e-2, n, optimizer.clip(none), none);
        }
        return model->parameters().flatMaster().clone();
    };
    EXPECT_TRUE(at::equal(run(), run()));
}

TEST(Forward, MastersKeepUpdatesThatBfloat16WouldRoundAway) {
    auto model = Model::initialise(test::qwenConfig(), "test", 0.2, 7, at::kCPU, at::kBFloat16);
    ASSERT_TRUE(model.ok());
    auto& store = (*model)->parameters();
    store.prepareTraining([](const Parameter&) { return true; });
    auto& head = (*model)->head();
    const auto before = head.master.clone();
    EXPECT_EQ(head.compute.scalar_type(), at::kBFloat16);
    for (int i = 0; i < 100; ++i) {
        head.master.add_(1e-5); // each is far below a bf16 step at 0.2
        store.refreshCompute();
    }
    EXPECT_NEAR((head.master - before).mean().item<double>(), 1e-3, 1e-5);
    EXPECT_FALSE(at::equal(head.compute, before.to(at::kBFloat16)));
    EXPECT_EQ((*model)->moe(0).router->compute.scalar_type(), at::kFloat); // the router stays fp32
}

// The path of other devices is the same sum; here both run on the CPU through their autograd.
void expectDeviceExpertsAgree(Model& model, ExpertWeights experts) {
    const auto x0 = at::arange(5 * 32, at::kFloat).mul(0.7).sin().view({5, 32});
    const auto topk = at::tensor({0, 3, 1, 2, 7, 3, 3, 0, 6, 1}).view({5, 2}).to(at::kInt);
    const auto w0 = at::linspace(0.1, 1.0, 10).view({5, 2});
    const auto run = [&](const auto& operation) {
        auto x = x0.clone().requires_grad_(true);
        auto w = w0.clone().requires_grad_(true);
        model.parameters().flatGrad().zero_();
        const auto y = operation(x, topk, w, experts);
        torch::autograd::backward({y}, {at::cos(y.detach())});
        std::vector<at::Tensor> all = {y.detach(), x.grad(), w.grad()};
        for (auto* p : {experts.gateUp, experts.down, experts.gateUpBias, experts.downBias})
            if (p)
                all.push_back(p->grad.clone());
        return all;
    };
    const auto a = run(moeExperts), b = run(moeExpertsByProducts);
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_LT((a[i] - b[i]).norm().item<double>(), 1e-5 * a[i].norm().item<double>()) << i;
}

TEST(Forward, TheDeviceExpertsAgreeWithTheKernels) {
    auto model = test::tinyModel(test::qwenConfig());
    const auto& moe = model->moe(0);
    expectDeviceExpertsAgree(*model, {moe.gateUp, moe.down});
    auto withBiases = test::tinyModel(test::gptOssConfig());
    const auto& w = withBiases->moe(0);
    expectDeviceExpertsAgree(*withBiases, {w.gateUp, w.down, w.gateUpBias, w.downBias, 0.6});
}

TEST(Optimizer, AdamWFollowsThePublishedUpdateByHand) {
    auto model = test::tinyModel(test::qwenConfig());
    auto& store = model->parameters();
    OptimizerConfig config;
    config.weightDecay = 0.1;
    config.clipNorm = 1e9;
    Optimizer optimizer(config, store);
    auto& matrix = model->head();
    auto& norm = *model->layers()[0].inputNorm;
    const double p0 = matrix.master[0][0].item<double>();
    matrix.grad[0][0] = 0.5;
    norm.grad[0] = 0.5;
    const Skip none = [](const Parameter&) { return false; };
    const auto clip = optimizer.clip(none);
    EXPECT_NEAR(clip.norm, std::sqrt(0.5), 1e-6);
    optimizer.update(1e-2, 1, clip, none);
    // Step 1: m/(1-b1) = g, sqrt(v/(1-b2)) = |g|: the update is lr g/(|g| + eps); decay first, on
    // matrices only.
    EXPECT_NEAR(matrix.master[0][0].item<double>(),
        p0 * (1 - 1e-2 * 0.1) - 1e-2 * 0.5 / (0.5 + 1e-8), 1e-6);
    EXPECT_NEAR(norm.master[0].item<double>(), 1 - 1e-2, 1e-6);
    // Step 2 without a gradient still moves by momentum and decay.
    const double p1 = matrix.master[0][0].item<double>();
    optimizer.zeroGrad();
    optimizer.update(1e-2, 2, optimizer.clip(none), none);
    const double m = 0.9 * 0.05 / (1 - 0.81), v = 0.95 * 0.05 * 0.25 / (1 - 0.9025);
    EXPECT_NEAR(matrix.master[0][0].item<double>(),
        p1 * (1 - 1e-3) - 1e-2 * m / (std::sqrt(v) + 1e-8), 1e-6);
}

TEST(Optimizer, AFrozenRouterKeepsItsBits) {
    auto model = test::tinyModel(test::qwenConfig());
    Optimizer optimizer(OptimizerConfig{}, model->parameters());
    model->parameters().flatGrad().fill_(0.1);
    const auto before = model->moe(0).router->master.clone();
    const Skip router = [](const Parameter& p) { return p.group == ParameterGroup::Router; };
    const auto all = optimizer.clip([](const Parameter&) { return false; }).norm;
    const auto clip = optimizer.clip(router);
    EXPECT_LT(clip.norm, all); // the norm is that of what trains
    optimizer.update(1e-2, 1, clip, router);
    EXPECT_TRUE(at::equal(model->moe(0).router->master, before));
    EXPECT_FALSE(at::equal(model->moe(0).down->master, before));
}

} // namespace
} // namespace mooring
