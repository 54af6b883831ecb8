// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/adapters.h"
#include "core/train/training_step.h"
#include "tests/core/model/family_configs.h"
#include <map>

namespace mooring {
namespace {

struct Outcome {
    StepResult step;
    std::map<std::string, at::Tensor> gradients;
};

// A prior with a strong opinion, so that the bias changes choices.
Prior opinion(const Model& model, std::int64_t rows) {
    Prior prior;
    const auto L = static_cast<std::int64_t>(model.architecture().moeLayerIndices().size());
    const std::int64_t E = model.architecture().gate.experts;
    prior.pi_N2LE = at::softmax(
        at::arange(rows * 2 * L * E, at::kFloat).mul(1.3).sin().mul(3).view({rows, 2, L, E}), -1);
    prior.valid_N2 = at::ones({rows, 2}, at::kByte);
    return prior;
}

Outcome stepWith(const nlohmann::ordered_json& config, bool recompute, const LiveValues& live,
    const TrainConfig& train = {}) {
    auto model = test::tinyModel(config, false);
    if (!prepareTraining(*model, train, 3).ok())
        throw std::runtime_error("cannot be prepared");
    for (auto& p : model->parameters().parameters())
        if (p.isAdapter) // B is zero at first, and with it every gradient of A
            p.master.add_(at::arange(p.elements(), at::kFloat).sin().mul(0.1).view(p.shape));
    model->setRecompute(recompute);
    std::vector<at::Tensor> routers;
    for (int l = 0; l < model->moeLayerCount(); ++l)
        routers.push_back(model->moe(l).router->master.clone());
    const auto prior = opinion(*model, 6);
    TrainingStep step(*model, StepBase{&prior, routers, nullptr});
    Outcome outcome{step.run(test::stepOf(test::tinySamples(), 2), live), {}};
    for (const auto* p : model->parameters().trained())
        outcome.gradients[p->name] = p->grad.clone();
    return outcome;
}

double distance(const Outcome& a, const Outcome& b) {
    double difference = 0, size = 0;
    for (const auto& [name, gradient] : a.gradients) {
        difference += (gradient - b.gradients.at(name)).square().sum().item<double>();
        size += gradient.square().sum().item<double>();
    }
    return std::sqrt(difference / size);
}

LiveValues valuesOf(const std::string& method, double beta, std::map<std::string, double> terms) {
    LiveValues live;
    live.method = method;
    live.beta = beta;
    live.strengths = std::move(terms);
    return live;
}

TEST(Recompute, GivesTheSameLossGradientsAndCounts) {
    const TrainConfig lora
        = {"lora", {}, LoraConfig{2, 4, {"attention", "routed_experts", "router"}}, "auto"};
    for (const auto& config : test::everyFamily())
        for (const auto& train : {TrainConfig{}, lora, TrainConfig{"router", {}, {}, "auto"}})
            for (const auto& live :
                {valuesOf("sft", 0, {}), valuesOf("rpb", 1, {{"lbl", 0.3}, {"z_loss", 0.2}}),
                    valuesOf("rpb_hard", 0, {})}) {
                SCOPED_TRACE(
                    config["model_type"].get<std::string>() + " " + train.what + " " + live.method);
                const auto kept = stepWith(config, false, live, train);
                const auto again = stepWith(config, true, live, train);
                EXPECT_EQ(kept.step.ce, again.step.ce);
                EXPECT_EQ(kept.step.total, again.step.total);
                EXPECT_LT(distance(kept, again), 1e-6);
                for (std::size_t l = 0; l < kept.step.counts_E.size(); ++l)
                    EXPECT_TRUE(at::equal(kept.step.counts_E[l], again.step.counts_E[l]));
            }
}

TEST(Recompute, BiasAndPenaltyAreInTheGradientOnce) {
    const auto config = test::qwenConfig();
    const auto plain = stepWith(config, true, valuesOf("sft", 0, {}));
    const auto biased = stepWith(config, true, valuesOf("rpb", 1, {}));
    EXPECT_GT(distance(plain, biased), 0.05); // the recomputed backward knows the bias
    // A penalty's gradient is proportional to its strength: what 0.2 adds is half of what 0.4 adds,
    // and equals what it adds where nothing is recomputed.
    const auto added = [&](bool recompute, double strength) {
        const auto with = stepWith(config, recompute, valuesOf("sft", 0, {{"z_loss", strength}}));
        const auto without = stepWith(config, recompute, valuesOf("sft", 0, {}));
        const auto& name = "model.layers.2.mlp.gate.weight";
        return at::Tensor(with.gradients.at(name) - without.gradients.at(name));
    };
    const auto once = added(true, 0.2), twice = added(true, 0.4), kept = added(false, 0.2);
    EXPECT_GT(once.norm().item<double>(), 0);
    EXPECT_LT((once - kept).norm().item<double>(), 1e-5 * once.norm().item<double>());
    EXPECT_LT((twice - 2 * once).norm().item<double>(), 1e-4 * twice.norm().item<double>());
}

// A plan that counts how often it is asked.
struct CountingCalls : RoutingPlan {
    int asked = 0, told = 0;
    GateInputs before(int, const at::Tensor&) override {
        ++asked;
        return {};
    }
    void after(int, const at::Tensor&, const Routing&) override { ++told; }
};

TEST(Recompute, AsksThePlanOncePerLayer) {
    auto model = test::tinyModel(test::qwenConfig());
    model->setRecompute(true);
    const std::vector<std::int32_t> row = {3, 1, 4, 1, 5};
    const std::vector<std::span<const std::int32_t>> rows = {row};
    CountingCalls plan;
    at::Tensor embedding;
    const auto hidden = model->forward(makeBatch(rows, at::kCPU), plan, &embedding);
    hidden.sum().backward();
    EXPECT_EQ(plan.asked, 2);
    EXPECT_EQ(plan.told, 2);
    EXPECT_GT(model->moe(0).down->grad.abs().max().item<double>(), 0);
}

} // namespace
} // namespace mooring
