// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/token_batch.h"
#include <algorithm>

namespace mooring {

namespace {

at::Tensor onDevice(const std::vector<std::int64_t>& values, const at::Device& device) {
    return at::tensor(values, at::kLong).to(device);
}

} // namespace

TokenBatch makeBatch(
    std::span<const std::span<const std::int32_t>> rows, const at::Device& device) {
    TokenBatch batch;
    batch.rows = static_cast<std::int64_t>(rows.size());
    std::size_t longest = 0, total = 0;
    for (const auto& row : rows) {
        longest = std::max(longest, row.size());
        total += row.size();
    }
    batch.longest = static_cast<std::int64_t>(longest);
    batch.padded = total != longest * rows.size();
    batch.offsets.push_back(0);
    std::vector<std::int64_t> ids, positions, slots;
    ids.reserve(total);
    for (std::size_t b = 0; b < rows.size(); ++b) {
        for (std::size_t i = 0; i < rows[b].size(); ++i) {
            ids.push_back(rows[b][i]);
            positions.push_back(static_cast<std::int64_t>(i));
            slots.push_back(static_cast<std::int64_t>(b * longest + i));
        }
        batch.offsets.push_back(static_cast<std::int64_t>(ids.size()));
    }
    batch.ids_T = onDevice(ids, device);
    batch.position_T = onDevice(positions, device);
    batch.slot_T = onDevice(slots, device);
    return batch;
}

Targets makeTargets(std::span<const std::span<const std::int32_t>> rows,
    std::span<const std::span<const float>> weights, const at::Device& device) {
    Targets targets;
    std::vector<std::int64_t> target;
    std::vector<float> weight;
    for (std::size_t b = 0; b < rows.size(); ++b)
        for (std::size_t i = 0; i < rows[b].size(); ++i) {
            const bool last = i + 1 == rows[b].size();
            target.push_back(last ? 0 : rows[b][i + 1]);
            weight.push_back(last ? 0.0F : weights[b][i + 1]);
            targets.totalWeight += weight.back();
            targets.supervised += weight.back() > 0;
        }
    targets.target_T = onDevice(target, device);
    targets.weight_T = at::tensor(weight, at::kFloat).to(device);
    return targets;
}

} // namespace mooring
