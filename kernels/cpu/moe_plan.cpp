// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/moe_plan.h"

#include "kernels/cpu/moe_experts.h"

#include <algorithm>
#include <new>
#include <type_traits>

namespace mooring::kernels::cpu {

ExpertOrder sortByExpert(const std::int32_t* topk_TK, const MoeShape& shape) {
    const std::int64_t pairs = shape.T * shape.K;
    ExpertOrder order;
    order.offsets.assign(shape.E + 1, 0);
    for (std::int64_t i = 0; i < pairs; ++i) {
        ++order.offsets[topk_TK[i] + 1];
    }
    for (std::int64_t e = 0; e < shape.E; ++e) {
        order.offsets[e + 1] += order.offsets[e];
    }
    order.pair.resize(pairs);
    std::vector<std::int64_t> next(order.offsets.begin(), order.offsets.end() - 1);
    for (std::int64_t i = 0; i < pairs; ++i) {
        order.pair[next[topk_TK[i]]++] = static_cast<std::int32_t>(i);
    }
    return order;
}

std::vector<RowBlock> rowBlocks(const ExpertOrder& order) {
    std::vector<RowBlock> blocks;
    const std::int64_t experts = static_cast<std::int64_t>(order.offsets.size()) - 1;
    for (std::int64_t e = 0; e < experts; ++e) {
        const std::int64_t first = order.offsets[e];
        const std::int64_t rows = order.offsets[e + 1] - first;
        const std::int64_t parts = (rows + kMaxBlockRows - 1) / kMaxBlockRows;
        for (std::int64_t part = 0; part < parts; ++part) {
            blocks.push_back(
                {e, first + rows * part / parts, first + rows * (part + 1) / parts, parts == 1});
        }
    }
    std::stable_sort(blocks.begin(), blocks.end(),
        [](const RowBlock& a, const RowBlock& b) { return a.end - a.begin > b.end - b.begin; });
    return blocks;
}

Scratch& Scratch::ofThread() {
    thread_local Scratch scratch;
    return scratch;
}

void* Scratch::bytes(Buffer buffer, std::size_t count) {
    constexpr std::size_t kPage = 4096;
    Block& block = m_blocks[static_cast<std::size_t>(buffer)];
    if (count > block.size || !block.memory) {
        // A quarter more than asked, so that batches of slowly growing length do not reallocate.
        const std::size_t size = (count + count / 4 + kPage) / kPage * kPage;
        block.memory.reset();
        block.size = 0;
        block.memory.reset(std::aligned_alloc(kPage, size));
        if (!block.memory) {
            throw std::bad_alloc();
        }
        block.size = size;
    }
    return block.memory.get();
}

template <typename T>
const Word* const* operandRows(const MatrixOps<T>& ops, const T* const* rows, std::int64_t count,
    std::int64_t D, Scratch& scratch, Buffer pointerBuffer, Buffer copyBuffer) {
    const Word** pointers = scratch.get<const Word*>(pointerBuffer, count);
    const bool inPlace = ops.perWord == 1 ? std::is_same_v<T, float> : D % 2 == 0;
    if (inPlace) {
        for (std::int64_t i = 0; i < count; ++i) {
            pointers[i] = reinterpret_cast<const Word*>(rows[i]);
        }
        return pointers;
    }
    const std::int64_t pitch = operandPitch((D + ops.perWord - 1) / ops.perWord);
    Word* copies = scratch.get<Word>(copyBuffer, count * pitch);
    for (std::int64_t i = 0; i < count; ++i) {
        ops.toWords(rows[i], D, copies + i * pitch);
        pointers[i] = copies + i * pitch;
    }
    return pointers;
}

template <typename T>
void combineTokens(const MatrixOps<T>& ops, const MoeShape& shape, std::int64_t task,
    const float* slots, const float* weights_TK, T* y_TD) {
    const std::int64_t end = std::min(shape.T, (task + 1) * kCombineTokens);
    for (std::int64_t t = task * kCombineTokens; t < end; ++t) {
        const float* weights = weights_TK != nullptr ? weights_TK + t * shape.K : nullptr;
        ops.combine(shape.K, shape.D, slots + t * shape.K * shape.D, weights, y_TD + t * shape.D);
    }
}

#define MOORING_INSTANTIATE(T)                                                                     \
    template const Word* const* operandRows<T>(const MatrixOps<T>&, const T* const*, std::int64_t, \
        std::int64_t, Scratch&, Buffer, Buffer);                                                   \
    template void combineTokens<T>(                                                                \
        const MatrixOps<T>&, const MoeShape&, std::int64_t, const float*, const float*, T*);
MOORING_INSTANTIATE(float)
MOORING_INSTANTIATE(bfloat16)
#undef MOORING_INSTANTIATE

} // namespace mooring::kernels::cpu
