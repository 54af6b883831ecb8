// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/ATen.h>
#include <cstdint>
#include <span>
#include <vector>

namespace mooring {

// Rows of similar length, which go through attention together: little is padded, and rows never see
// each other.
struct RowGroup {
    std::int64_t rows = 0;
    std::int64_t longest = 0;
};

// Rows of different length as flat tokens: nothing is padded but inside attention, so that no
// padding can reach a loss, a count or a penalty. T valid tokens of B rows, S the longest.
struct TokenBatch {
    std::int64_t rows = 0; // B
    std::int64_t longest = 0; // S
    at::Tensor ids_T; // i64
    at::Tensor position_T; // i64, within its row
    at::Tensor slot_T; // i64, row * S + position: the place in the padded layout
    std::vector<std::int64_t> offsets; // B + 1
    // The layout of attention: the groups one after the other, rows [rows, longest] in each.
    std::vector<RowGroup> groups;
    std::int64_t places = 0; // of all groups
    at::Tensor place_T; // i64, of every token
    bool padded = false; // false: every row has S tokens, and a token's place is its number
    std::int64_t tokens() const { return ids_T.size(0); }
};

TokenBatch makeBatch(std::span<const std::span<const std::int32_t>> rows, const at::Device& device);

// Targets of next-token prediction in flat order: target_T[t] is the following token of the row (0
// at a row's end, where the weight is 0); weight_T[t] is the weight of that following token.
struct Targets {
    at::Tensor target_T; // i64
    at::Tensor weight_T; // fp32
    double totalWeight = 0;
    std::int64_t supervised = 0; // targets with a weight above 0
};
Targets makeTargets(std::span<const std::span<const std::int32_t>> rows,
    std::span<const std::span<const float>> weights, const at::Device& device);

} // namespace mooring
