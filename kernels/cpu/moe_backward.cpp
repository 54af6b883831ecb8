// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/moe_bias.h"
#include "kernels/cpu/moe_experts.h"
#include "kernels/cpu/moe_low_rank.h"
#include "kernels/cpu/moe_weight_gradients.h"

#include <algorithm>

namespace mooring::kernels::cpu {

namespace {

template <typename T>
struct Backward {
    const MatrixOps<T>& ops;
    const MoeShape& shape;
    const ExpertOrder& order;
    const T* gateUp;
    const T* down;
    const float* weights_TK;
    const T* saved_R2I;
    float* slots_RD; ///< the share of each (token, slot) in dx; null where dx is unwanted
    float* dWeights_TK;
    WeightGradients<T> weightGradients;
    Word* sharedDGateUp; ///< rows of the experts that are cut into several blocks
    Word* sharedWeightedH;

    void run(const RowBlock& block) const;
    void throughDown(const RowBlock& block, const Word* const* dy, const HiddenRows& rows) const;
    void throughGateUp(const RowBlock& block, const HiddenRows& rows) const;
    LowRankRows<T> projectBack(const RowBlock& block, const LowRank<T>& low, std::int64_t out,
        const Word* const* rows, T* back) const;
    void projectIn(const RowBlock& block, const HiddenRows& rows) const;
};

/// One task: d hidden, d x, and the weight gradients too where the block is all its expert has.
template <typename T>
void Backward<T>::run(const RowBlock& block) const {
    Scratch& scratch = Scratch::ofThread();
    const std::int64_t count = block.end - block.begin;
    HiddenRows rows = weightGradients.rowsAt(sharedDGateUp, sharedWeightedH, block.begin);
    if (block.whole) {
        rows.dGateUp = scratch.get<Word>(Buffer::LocalDGateUp, count * rows.dGateUpPitch);
        rows.weightedH = weightGradients.needsWeightedH()
            ? scratch.get<Word>(Buffer::LocalWeightedH, count * rows.weightedHPitch)
            : nullptr;
    }
    if (slots_RD == nullptr && !weightGradients.needsHidden()) {
        rows.dGateUp = nullptr;
    }
    const T** dyRows = scratch.get<const T*>(Buffer::OutPointers, count);
    tokenRows(shape, order, block.begin, block.end, weightGradients.dy_TD, dyRows);
    throughDown(block, operandRows(ops, dyRows, count, shape.D, scratch), rows);
    if (rows.dGateUp != nullptr) {
        throughGateUp(block, rows);
    }
    projectIn(block, rows);
    if (block.whole) {
        weightGradients.add(block.expert, rows, 0, shape.D);
        weightGradients.addExtras(block.expert, rows);
    }
}

/// back = scale * rows B_e, ready to go on with rows W_e.
template <typename T>
LowRankRows<T> Backward<T>::projectBack(const RowBlock& block, const LowRank<T>& low,
    std::int64_t out, const Word* const* rows, T* back) const {
    if (low.rank == 0) {
        return LowRankRows<T>::none(ops);
    }
    const std::int64_t count = block.end - block.begin;
    T* values = back + block.begin * low.rank;
    projectAcross(
        ops, rows, count, low.b + block.expert * out * low.rank, out, low.rank, low.scale, values);
    return LowRankRows<T>::of(ops, values, count, low.rank);
}

/// What went into the low-rank paths, once more: the gradients of B need it.
template <typename T>
void Backward<T>::projectIn(const RowBlock& block, const HiddenRows& rows) const {
    Scratch& scratch = Scratch::ofThread();
    const std::int64_t count = block.end - block.begin;
    if (const LowRank<T>& low = weightGradients.extras.gateUp; low.dB != nullptr) {
        const T** tokens = scratch.get<const T*>(Buffer::OutPointers, count);
        tokenRows(shape, order, block.begin, block.end, weightGradients.x_TD, tokens);
        projectAlong(ops, operandRows(ops, tokens, count, shape.D, scratch), count,
            low.a + block.expert * low.rank * shape.D, shape.D, low.rank, low.scale,
            weightGradients.gateUpPath.in + block.begin * low.rank);
    }
    if (const LowRank<T>& low = weightGradients.extras.down; low.dB != nullptr) {
        const Word** h = scratch.get<const Word*>(Buffer::HPointers, count);
        fillPointers<const Word*>(h, count, rows.weightedH, rows.weightedHPitch);
        projectAlong(ops, h, count, low.a + block.expert * low.rank * shape.I, shape.I, low.rank,
            low.scale, weightGradients.downPath.in + block.begin * low.rank);
    }
}

template <typename T>
void Backward<T>::throughDown(
    const RowBlock& block, const Word* const* dy, const HiddenRows& rows) const {
    Scratch& scratch = Scratch::ofThread();
    const std::int64_t count = block.end - block.begin;
    const std::int64_t words = (shape.D + ops.perWord - 1) / ops.perWord;
    float* weights = scratch.get<float>(Buffer::Weights, count);
    float* dots = scratch.get<float>(Buffer::Dots, count);
    for (std::int64_t i = 0; i < count; ++i) {
        weights[i] = weights_TK[order.pair[block.begin + i]];
        dots[i] = 0;
    }
    addBiasProducts(ops, weightGradients.extras.downBias, block.expert, shape.D, dy, count, dots);
    const LowRank<T>& low = weightGradients.extras.down;
    const LowRankRows<T> back = projectBack(block, low, shape.D, dy, weightGradients.downPath.back);
    const std::int64_t hWords = (shape.I + ops.perWord - 1) / ops.perWord;
    if (rows.weightedH != nullptr && shape.I % ops.perWord != 0) {
        for (std::int64_t i = 0; i < count; ++i) {
            rows.weightedH[i * rows.weightedHPitch + hWords - 1] = {0};
        }
    }
    float* tile = scratch.get<float>(Buffer::Tile, count * ops.panel);
    float** tileRows = scratch.get<float*>(Buffer::TilePointers, count);
    fillPointers(tileRows, count, tile, ops.panel);
    Word* panel = scratch.get<Word>(Buffer::Panel, words * ops.panel);
    const T** lines = scratch.get<const T*>(Buffer::WeightPointers, shape.D);
    fillPointers(lines, shape.D, down + block.expert * shape.D * shape.I, shape.I);
    const T* saved = saved_R2I + block.begin * 2 * shape.I;
    for (std::int64_t n0 = 0; n0 < shape.I; n0 += ops.panel) {
        const std::int64_t width = std::min(ops.panel, shape.I - n0);
        const std::int64_t pitch = roundUp(width, ops.lanes);
        ops.packAcross(lines, n0, width, shape.D, panel, pitch);
        ops.multiply({count, words, width, dy, 1, panel, pitch, tileRows, 0, false});
        back.extendAcross(
            low.a + block.expert * low.rank * shape.I, shape.I, n0, width, tileRows, 0);
        ops.gluBackward({count, width, n0, shape.I, tile, ops.panel, saved, weights, rows.dGateUp,
            rows.dGateUpPitch, rows.weightedH, rows.weightedHPitch, dots,
            weightGradients.extras.clamp});
    }
    for (std::int64_t i = 0; i < count; ++i) {
        dWeights_TK[order.pair[block.begin + i]] = dots[i];
    }
}

template <typename T>
void Backward<T>::throughGateUp(const RowBlock& block, const HiddenRows& rows) const {
    Scratch& scratch = Scratch::ofThread();
    const std::int64_t count = block.end - block.begin;
    const std::int64_t words = 2 * shape.I / ops.perWord;
    const Word** dRows = scratch.get<const Word*>(Buffer::HPointers, count);
    fillPointers<const Word*>(dRows, count, rows.dGateUp, rows.dGateUpPitch);
    const LowRank<T>& low = weightGradients.extras.gateUp;
    const LowRankRows<T> back
        = projectBack(block, low, 2 * shape.I, dRows, weightGradients.gateUpPath.back);
    if (slots_RD == nullptr) {
        return;
    }
    float** slotRows = scratch.get<float*>(Buffer::TilePointers, count);
    for (std::int64_t i = 0; i < count; ++i) {
        slotRows[i] = slots_RD + order.pair[block.begin + i] * shape.D;
    }
    Word* panel = scratch.get<Word>(Buffer::Panel, words * ops.panel);
    const T** lines = scratch.get<const T*>(Buffer::WeightPointers, 2 * shape.I);
    fillPointers(lines, 2 * shape.I, gateUp + block.expert * 2 * shape.I * shape.D, shape.D);
    for (std::int64_t n0 = 0; n0 < shape.D; n0 += ops.panel) {
        const std::int64_t width = std::min(ops.panel, shape.D - n0);
        const std::int64_t pitch = roundUp(width, ops.lanes);
        ops.packAcross(lines, n0, width, 2 * shape.I, panel, pitch);
        ops.multiply({count, words, width, dRows, 1, panel, pitch, slotRows, n0, false});
        back.extendAcross(
            low.a + block.expert * low.rank * shape.D, shape.D, n0, width, slotRows, n0);
    }
}

/// Experts that are cut into several blocks: their weight gradients wait for all blocks and are
/// then shared out by columns of D.
struct GradientChunk {
    std::int64_t expert, begin, end; ///< begin == end: the extras' part
};

std::vector<GradientChunk> gradientChunks(const MoeShape& shape,
    const std::vector<RowBlock>& blocks, const ExpertOrder& order, bool whole, bool extras) {
    constexpr std::int64_t kColumns = 256;
    std::vector<GradientChunk> chunks;
    for (const RowBlock& block : blocks) {
        if (!block.whole && block.begin == order.offsets[block.expert]) {
            for (std::int64_t d = 0; whole && d < shape.D; d += kColumns) {
                chunks.push_back({block.expert, d, std::min(shape.D, d + kColumns)});
            }
            if (extras) {
                chunks.push_back({block.expert, 0, 0});
            }
        }
    }
    return chunks;
}

} // namespace

template <typename T>
void moeBackward(const MoeShape& shape, const ExpertOrder& order, const T* x_TD, const T* gateUp,
    const T* down, const float* weights_TK, const T* saved_R2I, const T* dy_TD, T* dx_TD,
    float* dWeights_TK, float* dGateUp, float* dDown, const ParallelFor& parallelFor,
    const ExpertExtras<T>& extras) {
    const std::int64_t pairs = shape.T * shape.K;
    if (pairs == 0) {
        return;
    }
    const MatrixOps<T>& ops = activeMatrixOps<T>();
    Scratch& scratch = Scratch::ofThread();
    float* slots = dx_TD != nullptr ? scratch.get<float>(Buffer::Slots, pairs * shape.D) : nullptr;
    const std::int64_t ranks = extras.gateUp.rank + extras.down.rank;
    T* paths = scratch.get<T>(Buffer::LowRankSaved, 2 * pairs * ranks);
    T* downPaths = paths + 2 * pairs * extras.gateUp.rank;
    const WeightGradients<T> gradients{ops, shape, order, x_TD, dy_TD, weights_TK, dGateUp, dDown,
        extras, {paths, paths + pairs * extras.gateUp.rank},
        {downPaths, downPaths + pairs * extras.down.rank}};
    const std::vector<RowBlock> blocks = rowBlocks(order);
    const std::vector<GradientChunk> chunks = gradientChunks(
        shape, blocks, order, dGateUp != nullptr || dDown != nullptr, gradients.trainsExtras());
    const bool cut = std::any_of(
        blocks.begin(), blocks.end(), [](const RowBlock& block) { return !block.whole; });
    const HiddenRows pitches = gradients.rowsAt(nullptr, nullptr, 0);
    Word* dHidden
        = cut ? scratch.get<Word>(Buffer::DGateUp, pairs * pitches.dGateUpPitch) : nullptr;
    Word* weightedH = cut && gradients.needsWeightedH()
        ? scratch.get<Word>(Buffer::WeightedH, pairs * pitches.weightedHPitch)
        : nullptr;
    const Backward<T> backward{ops, shape, order, gateUp, down, weights_TK, saved_R2I, slots,
        dWeights_TK, gradients, dHidden, weightedH};
    parallelFor(static_cast<std::int64_t>(blocks.size()),
        [&](std::int64_t task) { backward.run(blocks[task]); });

    const std::int64_t chunkTasks = static_cast<std::int64_t>(chunks.size());
    const std::int64_t tokenTasks
        = dx_TD != nullptr ? (shape.T + kCombineTokens - 1) / kCombineTokens : 0;
    if (chunkTasks + tokenTasks > 0) {
        parallelFor(chunkTasks + tokenTasks, [&](std::int64_t task) {
            if (task < chunkTasks) {
                const GradientChunk& chunk = chunks[task];
                const HiddenRows rows
                    = gradients.rowsAt(dHidden, weightedH, order.offsets[chunk.expert]);
                if (chunk.begin < chunk.end) {
                    gradients.add(chunk.expert, rows, chunk.begin, chunk.end);
                } else {
                    gradients.addExtras(chunk.expert, rows);
                }
            } else {
                combineTokens<T>(ops, shape, task - chunkTasks, slots, nullptr, dx_TD);
            }
        });
    }
}

#define MOORING_INSTANTIATE(T)                                                                     \
    template void moeBackward<T>(const MoeShape&, const ExpertOrder&, const T*, const T*,          \
        const T*, const float*, const T*, const T*, T*, float*, float*, float*,                    \
        const ParallelFor&, const ExpertExtras<T>&);
MOORING_INSTANTIATE(float)
MOORING_INSTANTIATE(bfloat16)
#undef MOORING_INSTANTIATE

} // namespace mooring::kernels::cpu
