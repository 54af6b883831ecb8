// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/moe_bias.h"

namespace mooring::kernels::cpu {

template <typename T>
void addBias(const MatrixOps<T>& ops, const Bias<T>& bias, std::int64_t expert, std::int64_t length,
    std::int64_t n0, std::int64_t width, std::int64_t count, float* const* c, std::int64_t c0) {
    if (bias.values == nullptr) {
        return;
    }
    Scratch& scratch = Scratch::ofThread();
    Word* one = scratch.get<Word>(Buffer::BiasOne, 1);
    ops.toWords(&kOne<T>, 1, one);
    const Word** ones = scratch.get<const Word*>(Buffer::BiasPointers, count);
    fillPointers<const Word*>(ones, count, one, 0);
    const T** columns = scratch.get<const T*>(Buffer::BiasColumns, ops.panel);
    fillPointers(columns, width, bias.values + expert * length + n0, 1);
    Word* panel = scratch.get<Word>(Buffer::BiasPanel, ops.panel);
    const std::int64_t pitch = roundUp(width, ops.lanes);
    ops.packAlong(columns, width, 1, panel, pitch);
    ops.multiply({count, 1, width, ones, 1, panel, pitch, c, c0, true});
}

template <typename T>
void addBiasProducts(const MatrixOps<T>& ops, const Bias<T>& bias, std::int64_t expert,
    std::int64_t length, const Word* const* rows, std::int64_t count, float* sums) {
    if (bias.values == nullptr) {
        return;
    }
    Scratch& scratch = Scratch::ofThread();
    const std::int64_t words = (length + ops.perWord - 1) / ops.perWord;
    float** single = scratch.get<float*>(Buffer::TilePointers, count);
    fillPointers(single, count, sums, 1);
    const T* values = bias.values + expert * length;
    Word* panel = scratch.get<Word>(Buffer::Panel, words * ops.lanes);
    ops.packAlong(&values, 1, length, panel, ops.lanes);
    ops.multiply({count, words, 1, rows, 1, panel, ops.lanes, single, 0, true});
}

#define MOORING_INSTANTIATE(T)                                                                     \
    template void addBias<T>(const MatrixOps<T>&, const Bias<T>&, std::int64_t, std::int64_t,      \
        std::int64_t, std::int64_t, std::int64_t, float* const*, std::int64_t);                    \
    template void addBiasProducts<T>(const MatrixOps<T>&, const Bias<T>&, std::int64_t,            \
        std::int64_t, const Word* const*, std::int64_t, float*);
MOORING_INSTANTIATE(float)
MOORING_INSTANTIATE(bfloat16)
#undef MOORING_INSTANTIATE

} // namespace mooring::kernels::cpu
