// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/self_test.h"
#include "core/base/format_bytes.h"
#include "core/train/materials.h"
#include "core/train/optimizer.h"
#include "core/train/training_step.h"
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <filesystem>
#include <thread>
#include <unistd.h>

namespace mooring {

Findings describeMachine() {
    Findings f;
    f.emplace_back("Mooring", MOORING_VERSION);
    f.emplace_back("LibTorch", MOORING_TORCH_VERSION);
    f.emplace_back("cores", std::to_string(std::max(1U, std::thread::hardware_concurrency())));
    const double memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES))
        * static_cast<double>(::sysconf(_SC_PAGESIZE));
    f.emplace_back("memory", formatBytes(memory));
    const int gpus = cudaDevices();
    f.emplace_back(
        "GPU", gpus > 0 ? std::to_string(gpus) + " CUDA device(s)" : "none; runs use the CPU");
    f.emplace_back("CPU kernels", at::get_cpu_capability());
    std::error_code failed;
    const auto space = std::filesystem::space(std::filesystem::current_path(failed), failed);
    if (!failed)
        f.emplace_back("free disk here", formatBytes(static_cast<double>(space.available)));
    return f;
}

namespace {

nlohmann::ordered_json tinyConfig() {
    return {{"model_type", "deepseek_v3"}, {"hidden_size", 32}, {"vocab_size", 64},
        {"num_hidden_layers", 2}, {"first_k_dense_replace", 1}, {"intermediate_size", 48},
        {"moe_intermediate_size", 16}, {"n_shared_experts", 1}, {"n_routed_experts", 8},
        {"num_experts_per_tok", 2}, {"num_attention_heads", 2}, {"qk_rope_head_dim", 8},
        {"qk_nope_head_dim", 8}, {"v_head_dim", 16}, {"kv_lora_rank", 16},
        {"max_position_embeddings", 64}};
}

std::vector<Sample> tinySamples() {
    std::vector<Sample> samples;
    for (int row = 0; row < 8; ++row) {
        std::vector<std::int32_t> ids;
        for (int i = 0; i < 12 + row; ++i)
            ids.push_back((7 * i + 5 * row) % 64);
        samples.push_back({row, std::move(ids), {{6, 0, 0.0F}, {6 + row, 1, 1.0F}}});
    }
    return samples;
}

Result<std::vector<double>> tinyRun() {
    MOORING_TRY(
        auto model, Model::initialise(tinyConfig(), "self-test", 0.05, 1, at::kCPU, at::kFloat));
    RunConfig config;
    config.batch.global = config.batch.micro = 8;
    config.optimizer.steps = 20;
    config.optimizer.lr = 1e-2;
    const auto samples = tinySamples();
    const SampleOrder order(samples.size(), 1, false);
    std::vector<at::Tensor> routers = {model->moe(0).router->master.clone()};
    model->parameters().prepareTraining([](const Parameter&) { return true; });
    Optimizer optimizer(config.optimizer, model->parameters());
    TrainingStep step(*model, StepBase{nullptr, routers});
    std::vector<double> losses;
    const Skip none = [](const Parameter&) { return false; };
    for (std::int64_t n = 1; n <= config.optimizer.steps; ++n) {
        optimizer.zeroGrad();
        const auto result = step.run(makeStep(samples, order, config, n, at::kCPU), LiveValues{});
        optimizer.update(config.optimizer.lr, n, optimizer.clip(none), none);
        losses.push_back(result.ce);
    }
    return losses;
}

} // namespace

Result<void> selfTest() {
    try {
        MOORING_TRY(const auto first, tinyRun());
        MOORING_TRY(const auto second, tinyRun());
        const Error broken{ErrorCode::RunFailed, "the self-test failed", "doctor",
            "please report this line and the machine"};
        if (!(first.back() < 0.5 * first.front()))
            return Error{broken.code, broken.what + ": the loss does not decrease", broken.where,
                broken.hint};
        if (first != second)
            return Error{broken.code, broken.what + ": two identical runs differ", broken.where,
                broken.hint};
        return {};
    } catch (const std::exception& e) {
        const std::string text = e.what();
        return Error{ErrorCode::RunFailed, text.substr(0, text.find('\n')), "self-test",
            "please report this line and the machine"};
    }
}

} // namespace mooring
