// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/batches.h"
#include "core/base/cancel_scope.h"
#include <algorithm>
#include <cmath>

namespace mooring {

MicroBatch makeMicroBatch(std::vector<const Sample*> samples, const at::Device& device) {
    MicroBatch micro;
    std::vector<std::span<const std::int32_t>> rows;
    std::vector<std::vector<float>> weights;
    for (const auto* sample : samples) {
        rows.emplace_back(sample->ids);
        weights.push_back(sample->weights());
        micro.rowOfToken_T.insert(micro.rowOfToken_T.end(), sample->ids.size(), sample->row);
        const auto spans = sample->spans();
        micro.span_T.insert(micro.span_T.end(), spans.begin(), spans.end());
    }
    micro.tokens = makeBatch(rows, device);
    const std::vector<std::span<const float>> views(weights.begin(), weights.end());
    micro.targets = makeTargets(rows, views, device);
    micro.samples = std::move(samples);
    return micro;
}

std::vector<std::vector<const Sample*>> splitByTokens(
    const std::vector<const Sample*>& samples, std::int64_t tokens) {
    std::vector<std::vector<const Sample*>> parts;
    std::int64_t used = 0;
    for (const auto* sample : samples) {
        if (parts.empty() || used + sample->length() > tokens) {
            parts.emplace_back();
            used = 0;
        }
        parts.back().push_back(sample);
        used += sample->length();
    }
    return parts;
}

namespace {

// The samples of a step, split into its micro-batches.
std::vector<std::vector<const Sample*>> stepParts(const std::vector<Sample>& samples,
    const SampleOrder& order, const RunConfig& config, std::int64_t step) {
    const auto global = static_cast<std::uint64_t>(config.batch.global);
    const std::uint64_t begin = static_cast<std::uint64_t>(step - 1) * global;
    std::uint64_t count = global;
    if (config.optimizer.steps <= 0) {
        const auto all = static_cast<std::uint64_t>(
            std::llround(std::min(9e18, // as far as whole numbers reach
                config.optimizer.epochs * static_cast<double>(order.epochSize()))));
        count = std::min(global, all > begin ? all - begin : 1);
    }
    std::vector<const Sample*> chosen;
    for (std::uint64_t i = 0; i < count; ++i)
        chosen.push_back(&samples[order.at(begin + i)]);
    if (config.batch.microTokens > 0)
        return splitByTokens(chosen, config.batch.microTokens);
    if (config.data.packing)
        return splitByTokens(chosen, config.batch.micro * config.data.maxLength);
    std::vector<std::vector<const Sample*>> parts;
    for (std::size_t i = 0; i < chosen.size(); i += static_cast<std::size_t>(config.batch.micro)) {
        const auto end = std::min(chosen.size(), i + static_cast<std::size_t>(config.batch.micro));
        parts.emplace_back(chosen.begin() + static_cast<std::ptrdiff_t>(i),
            chosen.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return parts;
}

std::int64_t tokensOf(const std::vector<const Sample*>& part) {
    std::int64_t tokens = 0;
    for (const auto* sample : part)
        tokens += sample->length();
    return tokens;
}

void addMicroBatch(StepBatch& batch, std::vector<const Sample*> part, const at::Device& device) {
    for (const auto* sample : part)
        batch.rows.push_back(sample->row);
    batch.micros.push_back(makeMicroBatch(std::move(part), device));
    const auto& micro = batch.micros.back();
    batch.validTokens += micro.tokens.tokens();
    batch.supervised += micro.targets.supervised;
    batch.totalWeight += micro.targets.totalWeight;
}

} // namespace

StepBatch makeStep(const std::vector<Sample>& samples, const SampleOrder& order,
    const RunConfig& config, std::int64_t step, const at::Device& device) {
    StepBatch batch;
    for (auto& part : stepParts(samples, order, config, step))
        addMicroBatch(batch, std::move(part), device);
    return batch;
}

std::int64_t longestStep(const std::vector<Sample>& samples, const SampleOrder& order,
    const RunConfig& config, std::int64_t steps) {
    constexpr std::int64_t kSamples = std::int64_t(1) << 20;
    const auto looked = std::max(static_cast<std::int64_t>(order.epochSize()), kSamples);
    steps = std::min(steps, (looked - 1) / config.batch.global + 1);
    std::int64_t longest = 1, most = 0;
    for (std::int64_t step = 1; step <= steps; ++step) {
        endIfCanceled();
        for (const auto& part : stepParts(samples, order, config, step))
            if (const auto tokens = tokensOf(part); tokens > most) {
                most = tokens;
                longest = step;
            }
    }
    return longest;
}

StepBatch longestMicroBatch(const std::vector<Sample>& samples, const SampleOrder& order,
    const RunConfig& config, std::int64_t step, const at::Device& device) {
    auto parts = stepParts(samples, order, config, step);
    auto largest = std::max_element(parts.begin(), parts.end(),
        [](const auto& a, const auto& b) { return tokensOf(a) < tokensOf(b); });
    StepBatch batch;
    addMicroBatch(batch, std::move(*largest), device);
    return batch;
}

} // namespace mooring
