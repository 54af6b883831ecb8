// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/moe_bias.h"
#include "kernels/cpu/moe_experts.h"
#include "kernels/cpu/moe_low_rank.h"

#include <algorithm>

namespace mooring::kernels::cpu {

namespace {

template <typename T>
struct Forward {
    const MatrixOps<T>& ops;
    const MoeShape& shape;
    const ExpertOrder& order;
    const T* x_TD;
    const T* gateUp;
    const T* down;
    T* saved_R2I;
    float* slots_RD;
    const ExpertExtras<T>& extras;

    void run(const RowBlock& block) const;
    LowRankRows<T> project(const RowBlock& block, const LowRank<T>& low, std::int64_t length,
        const Word* const* rows) const;
    void hidden(const RowBlock& block, const Word* const* x, const LowRankRows<T>& low, Word* h,
        std::int64_t pitch) const;
    void output(const RowBlock& block, const Word* const* h, const LowRankRows<T>& low) const;
};

/// One task: while the rows are in cache they pass gate and up, SwiGLU and down.
template <typename T>
void Forward<T>::run(const RowBlock& block) const {
    Scratch& scratch = Scratch::ofThread();
    const std::int64_t count = block.end - block.begin;
    const T** rows = scratch.get<const T*>(Buffer::WeightPointers, std::max(count, shape.D));
    tokenRows(shape, order, block.begin, block.end, x_TD, rows);
    const Word* const* x = operandRows(ops, rows, count, shape.D, scratch);

    const std::int64_t words = (shape.I + ops.perWord - 1) / ops.perWord;
    const std::int64_t pitch = operandPitch(words);
    Word* h = scratch.get<Word>(Buffer::H, count * pitch);
    if (shape.I % ops.perWord != 0) {
        for (std::int64_t i = 0; i < count; ++i) {
            h[i * pitch + words - 1] = {0};
        }
    }
    hidden(block, x, project(block, extras.gateUp, shape.D, x), h, pitch);
    const Word** hRows = scratch.get<const Word*>(Buffer::HPointers, count);
    fillPointers<const Word*>(hRows, count, h, pitch);
    output(block, hRows, project(block, extras.down, shape.I, hRows));
}

/// scale * rows A_e^T, ready to go on with rows W_e^T.
template <typename T>
LowRankRows<T> Forward<T>::project(const RowBlock& block, const LowRank<T>& low,
    std::int64_t length, const Word* const* rows) const {
    if (low.rank == 0) {
        return LowRankRows<T>::none(ops);
    }
    const std::int64_t count = block.end - block.begin;
    T* values = Scratch::ofThread().get<T>(Buffer::LowRankValues, count * low.rank);
    projectAlong(ops, rows, count, low.a + block.expert * low.rank * length, length, low.rank,
        low.scale, values);
    return LowRankRows<T>::of(ops, values, count, low.rank);
}

/// A panel holds as many gate columns as up columns, so SwiGLU needs no second panel.
template <typename T>
void Forward<T>::hidden(const RowBlock& block, const Word* const* x, const LowRankRows<T>& low,
    Word* h, std::int64_t pitch) const {
    Scratch& scratch = Scratch::ofThread();
    const std::int64_t count = block.end - block.begin;
    const std::int64_t words = (shape.D + ops.perWord - 1) / ops.perWord;
    float* tile = scratch.get<float>(Buffer::Tile, count * ops.panel);
    float** tileRows = scratch.get<float*>(Buffer::TilePointers, count);
    fillPointers(tileRows, count, tile, ops.panel);
    Word* panel = scratch.get<Word>(Buffer::Panel, words * ops.panel);
    const T** columns = scratch.get<const T*>(Buffer::OutPointers, ops.panel);
    const T* gate = gateUp + block.expert * 2 * shape.I * shape.D;
    T* saved = saved_R2I != nullptr ? saved_R2I + block.begin * 2 * shape.I : nullptr;
    for (std::int64_t n0 = 0; n0 < shape.I; n0 += ops.panel / 2) {
        const std::int64_t width = std::min(ops.panel / 2, shape.I - n0);
        fillPointers(columns, width, gate + n0 * shape.D, shape.D);
        fillPointers(columns + width, width, gate + (shape.I + n0) * shape.D, shape.D);
        const std::int64_t panelPitch = roundUp(2 * width, ops.lanes);
        ops.packAlong(columns, 2 * width, shape.D, panel, panelPitch);
        ops.multiply({count, words, 2 * width, x, 1, panel, panelPitch, tileRows, 0, false});
        const T* b = extras.gateUp.b + block.expert * 2 * shape.I * low.rank;
        fillPointers(columns, width, b + n0 * low.rank, low.rank);
        fillPointers(columns + width, width, b + (shape.I + n0) * low.rank, low.rank);
        low.extendAlong(columns, 2 * width, tileRows, 0);
        for (const std::int64_t half : {0, 1}) {
            addBias(ops, extras.gateUpBias, block.expert, 2 * shape.I, half * shape.I + n0, width,
                count, tileRows, half * width);
        }
        ops.gluForward({count, width, n0, shape.I, tile, ops.panel, saved, h, pitch, extras.clamp});
    }
}

template <typename T>
void Forward<T>::output(
    const RowBlock& block, const Word* const* h, const LowRankRows<T>& low) const {
    Scratch& scratch = Scratch::ofThread();
    const std::int64_t count = block.end - block.begin;
    const std::int64_t words = (shape.I + ops.perWord - 1) / ops.perWord;
    float** slotRows = scratch.get<float*>(Buffer::TilePointers, count);
    for (std::int64_t i = 0; i < count; ++i) {
        slotRows[i] = slots_RD + order.pair[block.begin + i] * shape.D;
    }
    Word* panel = scratch.get<Word>(Buffer::Panel, words * ops.panel);
    const T** columns = scratch.get<const T*>(Buffer::OutPointers, ops.panel);
    const T* weights = down + block.expert * shape.D * shape.I;
    for (std::int64_t n0 = 0; n0 < shape.D; n0 += ops.panel) {
        const std::int64_t width = std::min(ops.panel, shape.D - n0);
        const std::int64_t panelPitch = roundUp(width, ops.lanes);
        fillPointers(columns, width, weights + n0 * shape.I, shape.I);
        ops.packAlong(columns, width, shape.I, panel, panelPitch);
        ops.multiply({count, words, width, h, 1, panel, panelPitch, slotRows, n0, false});
        fillPointers(
            columns, width, extras.down.b + (block.expert * shape.D + n0) * low.rank, low.rank);
        low.extendAlong(columns, width, slotRows, n0);
        addBias(ops, extras.downBias, block.expert, shape.D, n0, width, count, slotRows, n0);
    }
}

} // namespace

template <typename T>
void moeForward(const MoeShape& shape, const ExpertOrder& order, const T* x_TD, const T* gateUp,
    const T* down, const float* weights_TK, T* y_TD, T* saved_R2I, const ParallelFor& parallelFor,
    const ExpertExtras<T>& extras) {
    const std::int64_t pairs = shape.T * shape.K;
    if (pairs == 0) {
        return;
    }
    const MatrixOps<T>& ops = activeMatrixOps<T>();
    float* slots = Scratch::ofThread().get<float>(Buffer::Slots, pairs * shape.D);
    const Forward<T> forward{ops, shape, order, x_TD, gateUp, down, saved_R2I, slots, extras};
    const std::vector<RowBlock> blocks = rowBlocks(order);
    parallelFor(static_cast<std::int64_t>(blocks.size()),
        [&](std::int64_t task) { forward.run(blocks[task]); });
    parallelFor((shape.T + kCombineTokens - 1) / kCombineTokens,
        [&](std::int64_t task) { combineTokens(ops, shape, task, slots, weights_TK, y_TD); });
}

#define MOORING_INSTANTIATE(T)                                                                     \
    template void moeForward<T>(const MoeShape&, const ExpertOrder&, const T*, const T*, const T*, \
        const float*, T*, T*, const ParallelFor&, const ExpertExtras<T>&);
MOORING_INSTANTIATE(float)
MOORING_INSTANTIATE(bfloat16)
#undef MOORING_INSTANTIATE

} // namespace mooring::kernels::cpu
