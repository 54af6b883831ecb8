// SPDX-License-Identifier: GPL-3.0-or-later
// What the forward and the backward pass of the experts share: the cut into tasks, the scratch
// memory and the operand rows. T tokens, D model width, I expert hidden, E experts, K top-k.
#pragma once

#include "kernels/cpu/isa/ops.h"
#include "kernels/moe_experts.h"

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

namespace mooring::kernels::cpu {

/// Rows [begin, end) of the sorted order, all of one expert; `whole` if they are all it has.
struct RowBlock {
    std::int64_t expert, begin, end;
    bool whole;
};

/// More rows than this are cut, so that a busy expert keeps several threads at work.
constexpr std::int64_t kMaxBlockRows = 256;

/// All rows as blocks, the largest first. The cut depends on the counts alone, never on threads.
std::vector<RowBlock> rowBlocks(const ExpertOrder& order);

/// The uses of scratch memory; each has a buffer of its own.
enum class Buffer {
    Slots, // shared: one fp32 row of D per (token, slot)
    DGateUp, // shared or local: operand rows of d gate and d up
    WeightedH, // shared or local: operand rows of weight * h
    LocalDGateUp,
    LocalWeightedH,
    Rows, // operand copies of x or dy rows
    RowPointers,
    HPointers,
    TilePointers,
    OutPointers,
    WeightPointers,
    Panel, // the packed second operand
    Packed, // the packed first operand of a weight gradient
    Tile, // one panel of fp32 results
    H,
    Weights,
    Dots,
    LowRankSaved, // shared: rows of the low-rank paths that the weight gradients need
    LowRankValues, // local: one path's rows of a block
    LowRankWords, // their operand copies
    LowRankPointers,
    LowRankLines,
    LowRankPanel,
    BiasOne, // the word that is in every row
    BiasPointers,
    BiasColumns,
    BiasPanel,
    BiasFactors, // what each row's dy is multiplied with for the gradient of a bias
    Count
};

/// Aligned memory that a thread keeps from call to call; the content is not initialized.
class Scratch {
public:
    static Scratch& ofThread();

    template <typename T>
    T* get(Buffer buffer, std::int64_t count) {
        return static_cast<T*>(bytes(buffer, static_cast<std::size_t>(count) * sizeof(T)));
    }

private:
    struct Free {
        void operator()(void* p) const { std::free(p); }
    };
    struct Block {
        std::unique_ptr<void, Free> memory;
        std::size_t size = 0;
    };

    void* bytes(Buffer buffer, std::size_t count);

    Block m_blocks[static_cast<std::size_t>(Buffer::Count)];
};

constexpr std::int64_t roundUp(std::int64_t n, std::int64_t step) {
    return (n + step - 1) / step * step;
}

/// The distance of operand rows of n words: whole cache lines, and an odd number of them, so that
/// a walk down a column does not hit the same cache sets again and again.
constexpr std::int64_t operandPitch(std::int64_t n) {
    const std::int64_t lines = (n + 15) / 16;
    return (lines + 1 - lines % 2) * 16;
}

/// Pointers to the operand words of `count` rows of D elements. Where the caller's memory has the
/// right form already it is read in place, else the rows are converted into scratch.
template <typename T>
const Word* const* operandRows(const MatrixOps<T>& ops, const T* const* rows, std::int64_t count,
    std::int64_t D, Scratch& scratch, Buffer pointers = Buffer::RowPointers,
    Buffer copies = Buffer::Rows);

/// Pointers to the rows of base_TD that a block's pairs belong to.
template <typename T>
void tokenRows(const MoeShape& shape, const ExpertOrder& order, std::int64_t begin,
    std::int64_t end, const T* base_TD, const T** rows) {
    for (std::int64_t row = begin; row < end; ++row) {
        rows[row - begin] = base_TD + order.pair[row] / shape.K * shape.D;
    }
}

/// pointers[i] = base + i * pitch
template <typename Pointer>
void fillPointers(Pointer* pointers, std::int64_t count, Pointer base, std::int64_t pitch) {
    for (std::int64_t i = 0; i < count; ++i) {
        pointers[i] = base + i * pitch;
    }
}

/// Tokens of one task of the last step, the sum over slots.
constexpr std::int64_t kCombineTokens = 32;

/// y[t] = sum over slots (times weights where given) for the tokens of one task.
template <typename T>
void combineTokens(const MatrixOps<T>& ops, const MoeShape& shape, std::int64_t task,
    const float* slots, const float* weights_TK, T* y_TD);

} // namespace mooring::kernels::cpu
