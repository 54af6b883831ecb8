// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training.h"
#include "core/base/format_bytes.h"
#include "core/measure/self_test.h"
#include "core/model/memory_estimate.h"
#include "core/run/trainable_text.h"
#include <cmath>
#include <cstdio>

namespace mooring::cli {

namespace {

struct StepTime {
    double tokens = 0; // of a step, at most
    double seconds = 0; // at the rate of plain matrix products: less is not possible
};

StepTime stepTime(const RunConfig& config, const MemoryEstimate& e, const DeviceFigures& device) {
    const auto perRow = static_cast<double>(e.rowTokens);
    const double tokens = static_cast<double>(config.batch.global) * perRow;
    return {tokens, device.flops > 0 ? tokens * e.flopsPerToken / device.flops : 0};
}

nlohmann::json partsJson(const std::vector<MemoryPart>& parts) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& part : parts)
        list.push_back({{"name", part.name}, {"bytes", std::llround(part.bytes)}});
    return list;
}

nlohmann::json answerJson(const RunConfig& config, const MemoryEstimate& e,
    const DeviceFigures& device, const std::string& advice) {
    const auto time = stepTime(config, e, device);
    return {{"parameters", e.parameters}, {"active", e.active},
        {"checkpoint_bytes", std::llround(e.checkpointBytes)}, {"recompute", e.recompute},
        {"run_bytes", std::llround(e.runBytes)}, {"compute", e.bf16 ? "bf16" : "fp32"},
        {"trainable", toJson(e.table)}, {"fixed", partsJson(e.fixed)}, {"step", partsJson(e.step)},
        {"total_bytes", std::llround(e.total())}, {"device", device.name},
        {"free_bytes", std::llround(device.freeBytes)},
        {"fits", device.freeBytes <= 0 || e.total() <= device.freeBytes}, {"advice", advice},
        {"micro_tokens", e.microTokens}, {"flops_per_token", e.flopsPerToken},
        {"products_flops", device.flops}, {"step_tokens", time.tokens},
        {"step_seconds_least", time.seconds}};
}

void printParts(const std::vector<MemoryPart>& parts) {
    for (const auto& part : parts)
        std::printf("  %-42s %10s\n", part.name.c_str(), formatBytes(part.bytes).c_str());
}

void printEstimate(const RunConfig& config, const MemoryEstimate& e, const DeviceFigures& device,
    const std::string& advice) {
    const bool large = e.parameters >= 1'000'000'000;
    const double unit = large ? 1e9 : 1e6;
    std::printf("%.2f %s parameters, %.2f active per token; %s on disk\n\n",
        static_cast<double>(e.parameters) / unit, large ? "billion" : "million",
        static_cast<double>(e.active) / unit, formatBytes(e.checkpointBytes).c_str());
    std::fputs(tableText(e.table).c_str(), stdout);
    std::printf("\nmemory held throughout\n");
    printParts(e.fixed);
    std::printf("peak during a step (micro-batches of %lld tokens)\n",
        static_cast<long long>(e.microTokens));
    printParts(e.step);
    std::printf("  %-42s %10s\n", "total", formatBytes(e.total()).c_str());
    if (device.freeBytes > 0)
        std::printf("%s has %s free: %s\n", device.name.c_str(),
            formatBytes(device.freeBytes).c_str(),
            e.total() <= device.freeBytes ? "it fits" : "it does not fit");
    if (!advice.empty())
        std::printf("%s\n", advice.c_str());
    std::printf(
        "\ndisk for the checkpoints that the run keeps: %s\n", formatBytes(e.runBytes).c_str());
    const auto time = stepTime(config, e, device);
    if (time.seconds > 0)
        std::printf("a step of up to %.0f tokens takes at least %.2g s: %.3g operations per token, "
                    "and %s performs %.3g matrix operations per second\n",
            time.tokens, time.seconds, e.flopsPerToken, device.name.c_str(), device.flops);
}

Result<void> estimate(const RunConfig& config, bool json) {
    MOORING_TRY(const auto e, estimateMemory(config));
    auto device = measureDevice(config.model.device, e.bf16);
    if (!device.ok()) {
        std::fprintf(stderr, "note: %s\n", device.error().message().c_str());
        device = DeviceFigures{config.model.device, 0, 0};
    }
    std::string advice;
    if (device->freeBytes > 0 && e.total() > device->freeBytes) {
        advice = whatWouldFit(config, device->freeBytes);
        if (advice.empty())
            advice = "no training setup of this model fits: use a smaller model or a larger device";
    }
    if (json)
        std::printf("%s\n", answerJson(config, e, *device, advice).dump().c_str());
    else
        printEstimate(config, e, *device, advice);
    return {};
}

} // namespace

void addEstimate(CLI::App& app, Invocation& invocation) {
    struct Arguments {
        std::string file;
        std::vector<std::string> set;
    };
    auto* command = newCommand(app, invocation, "estimate",
        "estimate a run's memory by part, disk and time, and what would fit if it does not",
        "mooring-cli estimate run.toml --set train.what=lora");
    auto arguments = std::make_shared<Arguments>();
    command->add_option("config", arguments->file, "run configuration (TOML)")->required();
    command->add_option("--set", arguments->set, "key=value, overrides the file; repeatable")
        ->take_all();
    command->callback([&invocation, arguments] {
        invocation.needsEngine = true;
        invocation.work = [&invocation, arguments]() -> Result<void> {
            MOORING_TRY(const auto overrides, parseOverrides(arguments->set));
            MOORING_TRY(const auto config, loadRunConfig(arguments->file, overrides));
            return estimate(config, invocation.json);
        };
    });
}

} // namespace mooring::cli
