// SPDX-License-Identifier: GPL-3.0-or-later
// What an anchor costs: the step of every method on the demo model against a plain step of sft
// without monitoring, on the same batches in the same process, interleaved.
//
//     method_steps DEMO_FOLDER [ROUNDS]
#include "core/method/shuffles.h"
#include "core/routing/retention.h"
#include "core/train/materials.h"
#include "core/train/optimizer.h"
#include "core/train/prior_pass.h"
#include "core/train/training_step.h"
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>

using namespace mooring;

namespace {

struct Cost {
    double wall = 0;
    double cpu = 0; // of all threads: hardly moved by what else the machine does
};

struct Contender {
    std::string name;
    TrainingStep* step = nullptr;
    LiveValues live;
    std::vector<double> wallRatios, cpuRatios; // to the plain step of the same round
    Cost best{1e9, 1e9};
};

double cpuSeconds() {
    std::timespec now = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

LiveValues valuesOf(const MethodTraits& method) {
    LiveValues live;
    live.method = method.id;
    live.beta = method.hasBeta ? 1 : 0;
    if (method.hasStrength)
        live.strengths[method.id] = method.defaultStrength;
    return live;
}

// Forward, backward, clip and update, as the trainer does; then the weights are put back, so that
// every contender works on the same ones.
Cost costOf(Contender& contender, const StepBatch& batch, Optimizer& optimizer, Model& model) {
    const auto kept = model.parameters().flatMaster().clone();
    const Skip skip = [&](const Parameter& p) {
        return freezesRouter(contender.live) && p.group == ParameterGroup::Router;
    };
    const auto begin = std::chrono::steady_clock::now();
    const double cpu = cpuSeconds();
    optimizer.zeroGrad();
    contender.step->run(batch, contender.live);
    optimizer.update(1e-3, 1, optimizer.clip(skip), skip);
    const Cost cost{std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
        cpuSeconds() - cpu};
    contender.best
        = {std::min(contender.best.wall, cost.wall), std::min(contender.best.cpu, cost.cpu)};
    at::NoGradGuard guard;
    model.parameters().flatMaster().copy_(kept);
    model.parameters().refreshCompute();
    return cost;
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

int fail(const Error& error) {
    std::cerr << "error: " << error.message() << "\n";
    return 3;
}

} // namespace

int main(int count, char** words) {
    if (count < 2) {
        std::cerr << "error: no demo folder (method_steps): give the path of resources/demo\n";
        return 2;
    }
    const int rounds = count > 2 ? std::max(4, std::atoi(words[2])) : 40;
    auto config
        = loadRunConfig(std::filesystem::path(words[1]) / "sft.toml", {{"probe.sets", "[]"}});
    if (!config.ok())
        return fail(config.error());
    RunListener quiet;
    auto materials = gather(*config, quiet);
    if (!materials.ok())
        return fail(materials.error());
    auto& model = *materials->model;
    const auto& gate = model.architecture().gate;
    std::vector<at::Tensor> routers;
    for (int l = 0; l < model.moeLayerCount(); ++l)
        routers.push_back(model.moe(l).router->master.clone());
    auto prior = computePrior(model, materials->train, materials->trainRows.rows,
        {PriorGate::Softmax, true, true}, [](std::int64_t, std::int64_t) { return true; });
    drawShuffles(prior,
        at::arange(gate.experts, at::kLong)
            .div(8, "floor")
            .expand({model.moeLayerCount(), gate.experts}),
        42);
    model.parameters().prepareTraining([](const Parameter&) { return true; });
    Optimizer optimizer(config->optimizer, model.parameters());
    MethodOptions byToken;
    byToken.tokenReference = true;
    TrainingStep plain(model, {nullptr, routers}), step(model, {&prior, routers}),
        token(model, {&prior, routers}, byToken);

    std::vector<Contender> all
        = {{"sft, no monitoring", &plain, valuesOf(*findMethodTraits("sft"))}};
    for (const auto& method : methodTraits()) {
        all.push_back({method.id, &step, valuesOf(method)});
        if (method.id == "kl_to_base" || method.id == "logit_l2")
            all.push_back({method.id + ", token, stored", &token, valuesOf(method)});
    }
    const SampleOrder order(materials->train.size(), 42, true);
    for (int round = 0; round < rounds; ++round) {
        const auto batch = makeStep(materials->train, order, *config, round + 1, model.device());
        const auto base = costOf(all[0], batch, optimizer, model);
        for (std::size_t i = 1; i < all.size(); ++i) {
            // The order turns, so that no method always follows the same one.
            auto& contender = all[1 + (i + static_cast<std::size_t>(round)) % (all.size() - 1)];
            const auto cost = costOf(contender, batch, optimizer, model);
            contender.wallRatios.push_back(cost.wall / base.wall);
            contender.cpuRatios.push_back(cost.cpu / base.cpu);
        }
    }
    const auto& plainBest = all[0].best;
    std::printf("%d rounds of one demo step each, %d threads; fastest plain step %.1f ms\n\n",
        rounds, at::get_num_threads(), 1e3 * plainBest.wall);
    std::printf(
        "| step / plain step of sft | fastest | median | cpu time, least | cpu time, median |\n"
        "|---|---|---|---|---|\n");
    for (std::size_t i = 1; i < all.size(); ++i)
        std::printf("| %s | %.3f | %.3f | %.3f | %.3f |\n", all[i].name.c_str(),
            all[i].best.wall / plainBest.wall, median(all[i].wallRatios),
            all[i].best.cpu / plainBest.cpu, median(all[i].cpuRatios));
}
