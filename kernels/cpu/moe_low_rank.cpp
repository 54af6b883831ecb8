// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/moe_low_rank.h"

#include <algorithm>

namespace mooring::kernels::cpu {

namespace {

/// pack(n0, width, panel, pitch) fills the panel of the columns [n0, n0 + width) of the rank.
template <typename T, typename Pack>
void project(const MatrixOps<T>& ops, const Word* const* rows, std::int64_t count,
    std::int64_t length, std::int64_t rank, float scale, T* out_Cr, const Pack& pack) {
    Scratch& scratch = Scratch::ofThread();
    const std::int64_t words = (length + ops.perWord - 1) / ops.perWord;
    float* tile = scratch.get<float>(Buffer::Tile, count * ops.panel);
    float** tileRows = scratch.get<float*>(Buffer::TilePointers, count);
    fillPointers(tileRows, count, tile, ops.panel);
    Word* panel = scratch.get<Word>(Buffer::Panel, words * ops.panel);
    for (std::int64_t n0 = 0; n0 < rank; n0 += ops.panel) {
        const std::int64_t width = std::min(ops.panel, rank - n0);
        const std::int64_t pitch = roundUp(width, ops.lanes);
        pack(n0, width, panel, pitch);
        ops.multiply({count, words, width, rows, 1, panel, pitch, tileRows, 0, false});
        for (std::int64_t i = 0; i < count; ++i) {
            ops.combine(1, width, tileRows[i], &scale, out_Cr + i * rank + n0);
        }
    }
}

} // namespace

template <typename T>
void projectAlong(const MatrixOps<T>& ops, const Word* const* rows, std::int64_t count, const T* m,
    std::int64_t length, std::int64_t rank, float scale, T* out_Cr) {
    const T** lines = Scratch::ofThread().get<const T*>(Buffer::LowRankLines, rank);
    fillPointers(lines, rank, m, length);
    project(ops, rows, count, length, rank, scale, out_Cr,
        [&](std::int64_t n0, std::int64_t width, Word* panel, std::int64_t pitch) {
            ops.packAlong(lines + n0, width, length, panel, pitch);
        });
}

template <typename T>
void projectAcross(const MatrixOps<T>& ops, const Word* const* rows, std::int64_t count, const T* m,
    std::int64_t length, std::int64_t rank, float scale, T* out_Cr) {
    const T** lines = Scratch::ofThread().get<const T*>(Buffer::LowRankLines, length);
    fillPointers(lines, length, m, rank);
    project(ops, rows, count, length, rank, scale, out_Cr,
        [&](std::int64_t n0, std::int64_t width, Word* panel, std::int64_t pitch) {
            ops.packAcross(lines, n0, width, length, panel, pitch);
        });
}

template <typename T>
LowRankRows<T> LowRankRows<T>::of(
    const MatrixOps<T>& ops, const T* values_Cr, std::int64_t count, std::int64_t rank) {
    Scratch& scratch = Scratch::ofThread();
    const T** rows = scratch.get<const T*>(Buffer::LowRankLines, count);
    fillPointers(rows, count, values_Cr, rank);
    return {ops,
        operandRows(ops, rows, count, rank, scratch, Buffer::LowRankPointers, Buffer::LowRankWords),
        count, rank};
}

template <typename T>
void LowRankRows<T>::extendAlong(
    const T* const* columns, std::int64_t width, float* const* c, std::int64_t c0) const {
    if (words == nullptr) {
        return;
    }
    const std::int64_t length = (rank + ops.perWord - 1) / ops.perWord;
    const std::int64_t pitch = roundUp(width, ops.lanes);
    Word* panel = Scratch::ofThread().get<Word>(Buffer::LowRankPanel, length * ops.panel);
    ops.packAlong(columns, width, rank, panel, pitch);
    ops.multiply({count, length, width, words, 1, panel, pitch, c, c0, true});
}

template <typename T>
void LowRankRows<T>::extendAcross(const T* m, std::int64_t length, std::int64_t n0,
    std::int64_t width, float* const* c, std::int64_t c0) const {
    if (words == nullptr) {
        return;
    }
    Scratch& scratch = Scratch::ofThread();
    const T** lines = scratch.get<const T*>(Buffer::LowRankLines, rank);
    fillPointers(lines, rank, m, length);
    const std::int64_t rankWords = (rank + ops.perWord - 1) / ops.perWord;
    const std::int64_t pitch = roundUp(width, ops.lanes);
    Word* panel = scratch.get<Word>(Buffer::LowRankPanel, rankWords * ops.panel);
    ops.packAcross(lines, n0, width, rank, panel, pitch);
    ops.multiply({count, rankWords, width, words, 1, panel, pitch, c, c0, true});
}

#define MOORING_INSTANTIATE(T)                                                                     \
    template void projectAlong<T>(const MatrixOps<T>&, const Word* const*, std::int64_t, const T*, \
        std::int64_t, std::int64_t, float, T*);                                                    \
    template void projectAcross<T>(const MatrixOps<T>&, const Word* const*, std::int64_t,          \
        const T*, std::int64_t, std::int64_t, float, T*);                                          \
    template struct LowRankRows<T>;
MOORING_INSTANTIATE(float)
MOORING_INSTANTIATE(bfloat16)
#undef MOORING_INSTANTIATE

} // namespace mooring::kernels::cpu
