// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/adapters.h"
#include "core/train/optimizer.h"
#include "core/train/training_step.h"
#include "tests/core/model/family_configs.h"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

namespace mooring {
namespace {

TrainConfig groupsOf(std::vector<std::string> groups) {
    return {"groups", std::move(groups), {}, "auto"};
}

TrainConfig loraOf(std::vector<std::string> targets, std::int64_t rank = 3) {
    return {"lora", {}, LoraConfig{rank, 6, std::move(targets)}, "auto"};
}

std::vector<at::Tensor> baseRouters(Model& model) {
    std::vector<at::Tensor> routers;
    for (int l = 0; l < model.moeLayerCount(); ++l)
        routers.push_back(model.moe(l).router->master.clone());
    return routers;
}

// Three optimizer steps on all samples under `live`.
void trainThreeSteps(Model& model, const LiveValues& live = {}, bool freezeRouter = false) {
    TrainingStep step(model, StepBase{nullptr, baseRouters(model), nullptr});
    Optimizer optimizer(OptimizerConfig{}, model.parameters());
    const Skip skip
        = [&](const Parameter& p) { return freezeRouter && p.group == ParameterGroup::Router; };
    for (int n = 1; n <= 3; ++n) {
        optimizer.zeroGrad();
        step.run(test::stepOf(test::tinySamples(), 2), live);
        optimizer.update(1e-2, n, optimizer.clip(skip), skip);
    }
}

std::map<std::string, at::Tensor> copyOf(const Model& model) {
    std::map<std::string, at::Tensor> values;
    for (const auto& p : model.parameters().parameters())
        values[p.name] = p.compute.clone();
    return values;
}

TEST(Trainable, WhatIsFrozenKeepsItsBitsAndWhatTrainsMoves) {
    for (const auto& config : {test::deepseekConfig(), test::qwenConfig()})
        for (const std::string group :
            {"attention", "routed_experts", "router", "embeddings", "norms", "head"}) {
            SCOPED_TRACE(group);
            auto model = test::tinyModel(config, false);
            const auto before = copyOf(*model);
            ASSERT_TRUE(prepareTraining(*model, groupsOf({group}), 1).ok());
            trainThreeSteps(*model);
            for (const auto& p : model->parameters().parameters()) {
                const bool same = at::equal(p.compute, before.at(p.name));
                EXPECT_EQ(same, groupName(p.group) != group) << p.name;
                EXPECT_EQ(p.trains(), groupName(p.group) == group) << p.name;
            }
        }
}

TEST(Trainable, GradientsOfASubsetAreThoseOfTheWhole) {
    // The backward that begins at the first layer that trains gives the same numbers as the full
    // one.
    auto whole = test::tinyModel(test::qwenConfig());
    TrainingStep all(*whole, StepBase{nullptr, baseRouters(*whole), nullptr});
    all.run(test::stepOf(test::tinySamples(), 2), LiveValues{});
    std::map<std::string, at::Tensor> expected;
    for (const auto& p : whole->parameters().parameters())
        expected[p.name] = p.grad;
    for (const std::string group : {"dense_mlp", "router", "norms", "head"}) {
        auto model = test::tinyModel(test::qwenConfig(), false);
        ASSERT_TRUE(prepareTraining(*model, groupsOf({group}), 1).ok());
        TrainingStep step(*model, StepBase{nullptr, baseRouters(*model), nullptr});
        step.run(test::stepOf(test::tinySamples(), 2), LiveValues{});
        for (const auto* p : model->parameters().trained())
            EXPECT_TRUE(at::equal(p->grad, expected[p->name])) << p->name;
    }
}

TEST(Trainable, AGroupOrTargetThatMatchesNothingIsAnErrorThatSaysWhatIsThere) {
    auto model = test::tinyModel(test::qwenConfig(), false); // no shared experts
    for (const auto& train : {groupsOf({"router", "shared_experts"}), loraOf({"shared_experts"})}) {
        const auto result = prepareTraining(*model, train, 1);
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().code, ErrorCode::Usage);
        EXPECT_NE(result.error().message().find("shared_experts"), std::string::npos);
        EXPECT_NE(result.error().message().find("routed_experts"), std::string::npos);
    }
    EXPECT_FALSE(trainableTable(*model, groupsOf({"shared_experts"})).ok());
}

TEST(Trainable, TheTableCountsByGroupWithoutWeights) {
    const auto folder = test::freshFolder("table");
    std::ofstream(folder / "config.json") << test::qwenConfig().dump();
    // qwenConfig: D 32, V 50, 3 layers (layer 1 dense, width 40), E 8, I 12, 4 heads and 2 of keys
    // of width 8. Attention of a layer: q 32x32, k and v 16x32, o 32x32.
    const std::int64_t attention = 3 * (2 * 32 * 32 + 2 * 16 * 32);
    const std::int64_t experts = 2 * 8 * 3 * 12 * 32;
    const auto full = trainableTable(folder, TrainConfig{});
    ASSERT_TRUE(full.ok()) << full.error().message();
    std::map<std::string, TrainableGroup> groups;
    for (const auto& group : full->groups)
        groups[group.name] = group;
    EXPECT_EQ(groups["attention"].total, attention);
    EXPECT_EQ(groups["routed_experts"].total, experts);
    EXPECT_EQ(groups["router"].total, 2 * 8 * 32);
    EXPECT_EQ(groups["dense_mlp"].total, 3 * 40 * 32);
    EXPECT_EQ(groups["head"].total, 50 * 32);
    EXPECT_FALSE(groups.contains("shared_experts"));
    EXPECT_EQ(full->trainable, full->total);
    const auto router = trainableTable(folder, TrainConfig{"router", {}, {}, "auto"});
    EXPECT_EQ(router->trainable, 2 * 8 * 32);
    EXPECT_EQ(router->total, full->total);
    const auto lora = trainableTable(folder, loraOf({"attention", "routed_experts"}, 3));
    // r (in + out): q, o 64; k, v 48; gate_up 32 + 24; down 12 + 32.
    EXPECT_EQ(lora->trainable, 3 * 3 * (64 + 64 + 48 + 48) + 2 * 8 * 3 * (56 + 44));
    // The same once the model is there.
    auto model = test::tinyModel(test::qwenConfig(), false);
    ASSERT_TRUE(prepareTraining(*model, loraOf({"attention", "routed_experts"}, 3), 1).ok());
    std::int64_t trained = 0;
    for (const auto* p : model->parameters().trained())
        trained += p->elements();
    EXPECT_EQ(trained, lora->trainable);
}

TEST(Lora, StartsAsTheBaseAndTheSeedAloneDraws) {
    auto plain = test::tinyModel(test::deepseekConfig(), false);
    auto model = test::tinyModel(test::deepseekConfig(), false);
    ASSERT_TRUE(prepareTraining(*model, loraOf(loraTargets()), 5).ok());
    const std::vector<std::int32_t> row = {3, 1, 4, 1, 5, 9};
    const std::vector<std::span<const std::int32_t>> rows = {row};
    const auto batch = makeBatch(rows, at::kCPU);
    RoutingPlan plan;
    EXPECT_TRUE(at::equal(plain->forward(batch, plan), model->forward(batch, plan)));
    auto again = test::tinyModel(test::deepseekConfig(), false);
    ASSERT_TRUE(prepareTraining(*again, loraOf(loraTargets()), 5).ok());
    auto other = test::tinyModel(test::deepseekConfig(), false);
    ASSERT_TRUE(prepareTraining(*other, loraOf(loraTargets()), 6).ok());
    const auto a = [](Model& m) { return m.layers()[2].experts.gateUp->adapter.a->master; };
    EXPECT_TRUE(at::equal(a(*model), a(*again)));
    EXPECT_FALSE(at::equal(a(*model), a(*other)));
    // Uniform within 1 / sqrt(32): the bound of kaiming_uniform with a = sqrt 5.
    const double bound = 1 / std::sqrt(32.0);
    EXPECT_LE(a(*model).abs().max().item<double>(), bound);
    EXPECT_NEAR(a(*model).square().mean().item<double>(), bound * bound / 3, 0.15 * bound * bound);
}

TEST(Lora, TheBaseKeepsItsBitsHasNoGradientsAndNoMasters) {
    auto model = Model::initialise(test::qwenConfig(), "test", 0.2, 7, at::kCPU, at::kBFloat16);
    ASSERT_TRUE(model.ok());
    const auto before = copyOf(**model);
    ASSERT_TRUE(
        prepareTraining(**model, loraOf({"attention", "routed_experts", "router"}), 1).ok());
    trainThreeSteps(**model);
    for (const auto& p : (*model)->parameters().parameters()) {
        EXPECT_EQ(p.trains(), p.isAdapter) << p.name;
        if (p.isAdapter) {
            EXPECT_GT(p.master.abs().max().item<double>(), 0) << p.name;
            EXPECT_EQ(p.master.scalar_type(), at::kFloat);
        } else {
            EXPECT_TRUE(at::equal(p.compute, before.at(p.name))) << p.name;
            EXPECT_TRUE(p.master.is_same(p.compute)) << p.name;
        }
    }
}

TEST(Lora, MergedLogitsAreThoseWithTheAdapterOn) {
    for (const auto& config : test::everyFamily()) {
        auto model = test::tinyModel(config, false);
        std::vector<std::string> targets = loraTargets();
        std::erase_if(targets, [&](const std::string& target) {
            const auto& all = model->parameters().parameters();
            return std::none_of(all.begin(), all.end(),
                [&](const Parameter& p) { return groupName(p.group) == target; });
        });
        ASSERT_TRUE(prepareTraining(*model, loraOf(targets), 5).ok());
        trainThreeSteps(*model);
        const auto folder = test::freshFolder("merged");
        ASSERT_TRUE(model->save(folder).ok());
        auto merged = Model::load(folder, at::kCPU, at::kFloat);
        ASSERT_TRUE(merged.ok()) << merged.error().message();
        const std::vector<std::int32_t> row = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
        const std::vector<std::span<const std::int32_t>> rows = {row};
        const auto batch = makeBatch(rows, at::kCPU);
        RoutingPlan plan;
        const auto on = model->logits(model->forward(batch, plan));
        const auto whole = (*merged)->logits((*merged)->forward(batch, plan));
        EXPECT_LT((on - whole).norm().item<double>(), 1e-5 * on.norm().item<double>());
        auto base = test::tinyModel(config, false);
        const auto off = base->logits(base->forward(batch, plan));
        EXPECT_GT((on - off).norm().item<double>(), 1e-2 * on.norm().item<double>());
    }
}

TEST(Lora, AnAdapterIsReadBackAsItWasWritten) {
    auto model = test::tinyModel(test::deepseekConfig(), false);
    ASSERT_TRUE(prepareTraining(*model, loraOf(loraTargets()), 5).ok());
    trainThreeSteps(*model);
    const auto folder = test::freshFolder("adapter");
    ASSERT_TRUE(saveAdapter(*model, folder).ok());
    auto again = test::tinyModel(test::deepseekConfig(), false);
    const auto loaded = loadAdapter(*again, folder);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message();
    std::map<std::string, at::Tensor> values;
    for (const auto& p : again->parameters().parameters())
        values[p.name] = p.master;
    for (const auto* p : model->parameters().trained())
        EXPECT_TRUE(at::equal(p->master, values[p->name])) << p->name;
    // Of another model: named, not guessed.
    auto other = test::tinyModel(test::qwenConfig(), false);
    const auto wrong = loadAdapter(*other, folder);
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.error().code, ErrorCode::Input);
}

TEST(Lora, RouterL2CoversScaleTimesBA) {
    auto model = test::tinyModel(test::qwenConfig(), false);
    ASSERT_TRUE(prepareTraining(*model, loraOf({"router"}), 5).ok());
    auto& router = *model->moe(1).router;
    router.adapter.b->master.copy_(at::arange(router.adapter.b->elements(), at::kFloat)
                                       .sin()
                                       .view_as(router.adapter.b->master));
    TrainingStep step(*model, StepBase{nullptr, baseRouters(*model), nullptr});
    const auto gradients = [&](double strength) {
        model->parameters().flatGrad().zero_();
        LiveValues live;
        live.strengths = {{"router_l2", strength}};
        const auto result = step.run(test::stepOf(test::tinySamples(), 2), live);
        return std::tuple{result, router.adapter.a->grad.clone(), router.adapter.b->grad.clone()};
    };
    const auto [without, a0, b0] = gradients(0);
    const auto [with, a1, b1] = gradients(1e3);
    const auto& A = router.adapter.a->master;
    const auto& B = router.adapter.b->master;
    const double s = router.adapter.scale; // 6 / 3
    // lambda / L ||s B A||^2: d/dA = 2 lambda / L s^2 B^T B A, d/dB = 2 lambda / L s^2 B A A^T.
    const double factor = 2 * 1e3 / 2 * s * s;
    EXPECT_NEAR(
        with.terms.at("router_l2").raw, (at::mm(B, A) * s).square().sum().item<double>() / 2, 1e-4);
    const auto dA = at::mm(B.t(), at::mm(B, A)) * factor, dB = at::mm(at::mm(B, A), A.t()) * factor;
    EXPECT_LT((a1 - a0 - dA).norm().item<double>(), 1e-4 * dA.norm().item<double>());
    EXPECT_LT((b1 - b0 - dB).norm().item<double>(), 1e-4 * dB.norm().item<double>());
}

TEST(Lora, AFrozenRouterKeepsItsAdapter) {
    auto model = test::tinyModel(test::qwenConfig(), false);
    ASSERT_TRUE(prepareTraining(*model, loraOf({"attention", "router"}), 5).ok());
    const auto& low = model->moe(0).router->adapter;
    const auto a = low.a->master.clone(), b = low.b->master.clone();
    trainThreeSteps(*model, {}, /*freezeRouter=*/true);
    EXPECT_TRUE(at::equal(low.a->master, a) && at::equal(low.b->master, b));
    trainThreeSteps(*model);
    EXPECT_FALSE(at::equal(low.b->master, b));
}

} // namespace
} // namespace mooring
