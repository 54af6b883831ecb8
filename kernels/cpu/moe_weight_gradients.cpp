// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/moe_weight_gradients.h"

#include <algorithm>

namespace mooring::kernels::cpu {

template <typename T>
HiddenRows WeightGradients<T>::rowsAt(Word* dHidden, Word* weightedH, std::int64_t row) const {
    const std::int64_t gatePitch = operandPitch(2 * shape.I / ops.perWord);
    const std::int64_t hPitch = operandPitch((shape.I + ops.perWord - 1) / ops.perWord);
    return {dHidden != nullptr ? dHidden + row * gatePitch : nullptr, gatePitch,
        weightedH != nullptr ? weightedH + row * hPitch : nullptr, hPitch};
}

template <typename T>
void WeightGradients<T>::add(
    std::int64_t expert, const HiddenRows& hidden, std::int64_t begin, std::int64_t end) const {
    const std::int64_t first = order.offsets[expert];
    const std::int64_t last = order.offsets[expert + 1];
    const T** rows = Scratch::ofThread().get<const T*>(Buffer::OutPointers, kMaxBlockRows);
    for (std::int64_t row = first; row < last; row += kMaxBlockRows) {
        const std::int64_t stop = std::min(last, row + kMaxBlockRows);
        if (dGateUp != nullptr) {
            tokenRows(shape, order, row, stop, x_TD, rows);
            addGateUp(expert, rows, stop - row,
                hidden.dGateUp + (row - first) * hidden.dGateUpPitch, hidden.dGateUpPitch, begin,
                end);
        }
        if (dDown != nullptr) {
            tokenRows(shape, order, row, stop, dy_TD, rows);
            addDown(expert, rows, stop - row,
                hidden.weightedH + (row - first) * hidden.weightedHPitch, hidden.weightedHPitch,
                begin, end);
        }
    }
}

/// Columns [n0, n0 + width) of operand rows with the contraction across the rows. fp32 rows are
/// read where they are; bf16 rows are interleaved in pairs into out.
template <typename T>
const Word* WeightGradients<T>::acrossRows(const Word* rows, std::int64_t pitch, std::int64_t count,
    std::int64_t n0, std::int64_t width, Word* out, std::int64_t outPitch) const {
    if (ops.perWord == 1) {
        return rows + n0;
    }
    const T** pointers = Scratch::ofThread().get<const T*>(Buffer::WeightPointers, count);
    for (std::int64_t i = 0; i < count; ++i) {
        pointers[i] = reinterpret_cast<const T*>(rows + i * pitch);
    }
    ops.packAcross(pointers, n0, width, count, out, outPitch);
    return out;
}

template <typename T>
void WeightGradients<T>::addGateUp(std::int64_t expert, const T* const* x, std::int64_t count,
    const Word* hidden, std::int64_t pitch, std::int64_t begin, std::int64_t end) const {
    Scratch& scratch = Scratch::ofThread();
    const std::int64_t outputs = 2 * shape.I;
    const std::int64_t words = (count + ops.perWord - 1) / ops.perWord;
    const std::int64_t packedPitch = operandPitch(outputs);
    Word* packed = scratch.get<Word>(Buffer::Packed, words * packedPitch);
    const Word* a = acrossRows(hidden, pitch, count, 0, outputs, packed, packedPitch);
    const std::int64_t aStep = ops.perWord == 1 ? pitch : packedPitch;
    const Word** aRows = scratch.get<const Word*>(Buffer::HPointers, outputs);
    fillPointers(aRows, outputs, a, 1);
    float** outRows = scratch.get<float*>(Buffer::TilePointers, outputs);
    fillPointers(outRows, outputs, dGateUp + expert * outputs * shape.D, shape.D);
    Word* panel = scratch.get<Word>(Buffer::Panel, words * ops.panel);
    for (std::int64_t n0 = begin; n0 < end; n0 += ops.panel) {
        const std::int64_t width = std::min(ops.panel, end - n0);
        const std::int64_t panelPitch = roundUp(width, ops.lanes);
        ops.packAcross(x, n0, width, count, panel, panelPitch);
        ops.multiply({outputs, words, width, aRows, aStep, panel, panelPitch, outRows, n0, true});
    }
}

template <typename T>
void WeightGradients<T>::addDown(std::int64_t expert, const T* const* dy, std::int64_t count,
    const Word* hidden, std::int64_t pitch, std::int64_t begin, std::int64_t end) const {
    // The first operand, columns of dy, is packed for so many of them at a time.
    constexpr std::int64_t kColumns = 256;
    Scratch& scratch = Scratch::ofThread();
    const std::int64_t words = (count + ops.perWord - 1) / ops.perWord;
    const std::int64_t most = std::min(kColumns, end - begin);
    const std::int64_t packedPitch = operandPitch(most);
    Word* packed = scratch.get<Word>(Buffer::Packed, words * packedPitch);
    const Word** aRows = scratch.get<const Word*>(Buffer::HPointers, most);
    fillPointers<const Word*>(aRows, most, packed, 1);
    float** outRows = scratch.get<float*>(Buffer::TilePointers, most);
    Word* panel = scratch.get<Word>(Buffer::Panel, words * ops.panel);
    for (std::int64_t d0 = begin; d0 < end; d0 += kColumns) {
        const std::int64_t outputs = std::min(kColumns, end - d0);
        ops.packAcross(dy, d0, outputs, count, packed, packedPitch);
        fillPointers(outRows, outputs, dDown + (expert * shape.D + d0) * shape.I, shape.I);
        for (std::int64_t n0 = 0; n0 < shape.I; n0 += ops.panel) {
            const std::int64_t width = std::min(ops.panel, shape.I - n0);
            const std::int64_t panelPitch = roundUp(width, ops.lanes);
            const Word* b = acrossRows(hidden, pitch, count, n0, width, panel, panelPitch);
            const std::int64_t bStep = ops.perWord == 1 ? pitch : panelPitch;
            ops.multiply({outputs, words, width, aRows, packedPitch, b, bStep, outRows, n0, true});
        }
    }
}

template struct WeightGradients<float>;
template struct WeightGradients<bfloat16>;

} // namespace mooring::kernels::cpu
