// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layers/token_batch.h"
#include <algorithm>
#include <numeric>

namespace mooring {

namespace {

at::Tensor onDevice(const std::vector<std::int64_t>& values, const at::Device& device) {
    return at::tensor(values, at::kLong).to(device);
}

// Groups of rows, the longest first: a row that is shorter by more than an eighth begins the next
// one. Returns where each row begins in the layout.
std::vector<std::int64_t> groupRows(
    std::span<const std::span<const std::int32_t>> rows, TokenBatch& batch) {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return rows[a].size() > rows[b].size(); });
    std::vector<std::int64_t> begins(rows.size());
    for (const std::size_t r : order) {
        const auto length = static_cast<std::int64_t>(rows[r].size());
        if (batch.groups.empty() || 8 * length < 7 * batch.groups.back().longest)
            batch.groups.push_back({0, length});
        ++batch.groups.back().rows;
        begins[r] = batch.places;
        batch.places += batch.groups.back().longest;
    }
    return begins;
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
    const auto begins = groupRows(rows, batch);
    std::vector<std::int64_t> ids, positions, slots, places;
    ids.reserve(total);
    for (std::size_t b = 0; b < rows.size(); ++b) {
        for (std::size_t i = 0; i < rows[b].size(); ++i) {
            ids.push_back(rows[b][i]);
            positions.push_back(static_cast<std::int64_t>(i));
            slots.push_back(static_cast<std::int64_t>(b * longest + i));
            places.push_back(begins[b] + static_cast<std::int64_t>(i));
        }
        batch.offsets.push_back(static_cast<std::int64_t>(ids.size()));
    }
    batch.ids_T = onDevice(ids, device);
    batch.position_T = onDevice(positions, device);
    batch.slot_T = onDevice(slots, device);
    batch.place_T = onDevice(places, device);
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
