// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/moe_weight_gradients.h"

#include "kernels/cpu/moe_bias.h"

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
        const std::int64_t at = row - first;
        if (dGateUp != nullptr) {
            tokenRows(shape, order, row, stop, x_TD, rows);
            addProduct({nullptr, hidden.dGateUp + at * hidden.dGateUpPitch, hidden.dGateUpPitch}, 0,
                2 * shape.I, {rows, nullptr, 0}, begin, end, stop - row,
                dGateUp + expert * 2 * shape.I * shape.D, shape.D);
        }
        if (dDown != nullptr) {
            tokenRows(shape, order, row, stop, dy_TD, rows);
            addProduct({rows, nullptr, 0}, begin, end,
                {nullptr, hidden.weightedH + at * hidden.weightedHPitch, hidden.weightedHPitch}, 0,
                shape.I, stop - row, dDown + expert * shape.D * shape.I, shape.I);
        }
    }
}

template <typename T>
void WeightGradients<T>::addLowRank(std::int64_t expert, const HiddenRows& hidden) const {
    const std::int64_t first = order.offsets[expert];
    const std::int64_t last = order.offsets[expert + 1];
    Scratch& scratch = Scratch::ofThread();
    const T** tokens = scratch.get<const T*>(Buffer::OutPointers, kMaxBlockRows);
    const T** lows = scratch.get<const T*>(Buffer::LowRankLines, kMaxBlockRows);
    for (std::int64_t row = first; row < last; row += kMaxBlockRows) {
        const std::int64_t count = std::min(last, row + kMaxBlockRows) - row;
        const std::int64_t at = row - first;
        const Operand gateUp
            = {nullptr, hidden.dGateUp + at * hidden.dGateUpPitch, hidden.dGateUpPitch};
        const Operand h
            = {nullptr, hidden.weightedH + at * hidden.weightedHPitch, hidden.weightedHPitch};
        const Operand token = {tokens, nullptr, 0};
        const Operand low = {lows, nullptr, 0};
        const auto path = [&](const T* values, std::int64_t rank) {
            fillPointers(lows, count, values + row * rank, rank);
        };
        // sum_j outer products; the routing weight is in d gate, d up and h already.
        if (const LowRank<T>& l = extras.gateUp; l.dA != nullptr) {
            tokenRows(shape, order, row, row + count, x_TD, tokens);
            path(gateUpPath.back, l.rank);
            addProduct(low, 0, l.rank, token, 0, shape.D, count, l.dA + expert * l.rank * shape.D,
                shape.D);
        }
        if (const LowRank<T>& l = extras.gateUp; l.dB != nullptr) {
            path(gateUpPath.in, l.rank);
            addProduct(gateUp, 0, 2 * shape.I, low, 0, l.rank, count,
                l.dB + expert * 2 * shape.I * l.rank, l.rank);
        }
        if (const LowRank<T>& l = extras.down; l.dA != nullptr) {
            path(downPath.back, l.rank);
            addProduct(
                low, 0, l.rank, h, 0, shape.I, count, l.dA + expert * l.rank * shape.I, shape.I);
        }
        if (const LowRank<T>& l = extras.down; l.dB != nullptr) {
            tokenRows(shape, order, row, row + count, dy_TD, tokens);
            path(downPath.in, l.rank);
            addProduct(
                token, 0, shape.D, low, 0, l.rank, count, l.dB + expert * shape.D * l.rank, l.rank);
        }
    }
}

/// The gradients of a bias are sums over rows, products with a single column: ones for gate and up,
/// the routing weights for what comes after them.
template <typename T>
void WeightGradients<T>::addBiases(std::int64_t expert, const HiddenRows& hidden) const {
    const std::int64_t first = order.offsets[expert];
    const std::int64_t last = order.offsets[expert + 1];
    Scratch& scratch = Scratch::ofThread();
    const T** column = scratch.get<const T*>(Buffer::BiasColumns, kMaxBlockRows);
    const T** tokens = scratch.get<const T*>(Buffer::OutPointers, kMaxBlockRows);
    T* factors = scratch.get<T>(Buffer::BiasFactors, kMaxBlockRows);
    for (std::int64_t row = first; row < last; row += kMaxBlockRows) {
        const std::int64_t count = std::min(last, row + kMaxBlockRows) - row;
        if (float* gradient = extras.gateUpBias.gradient; gradient != nullptr) {
            fillPointers(column, count, &kOne<T>, 0);
            const Word* words = hidden.dGateUp + (row - first) * hidden.dGateUpPitch;
            addProduct({column, nullptr, 0}, 0, 1, {nullptr, words, hidden.dGateUpPitch}, 0,
                2 * shape.I, count, gradient + expert * 2 * shape.I, 2 * shape.I);
        }
        if (float* gradient = extras.downBias.gradient; gradient != nullptr) {
            for (std::int64_t i = 0; i < count; ++i) {
                ops.combine(1, 1, weights_TK + order.pair[row + i], nullptr, factors + i);
            }
            fillPointers<const T*>(column, count, factors, 1);
            tokenRows(shape, order, row, row + count, dy_TD, tokens);
            addProduct({column, nullptr, 0}, 0, 1, {tokens, nullptr, 0}, 0, shape.D, count,
                gradient + expert * shape.D, shape.D);
        }
    }
}

/// Columns [n0, n0 + width) of an operand with the contraction across its rows. fp32 operand rows
/// are read where they are; all others are packed into out.
template <typename T>
const Word* WeightGradients<T>::across(const Operand& operand, std::int64_t count, std::int64_t n0,
    std::int64_t width, Word* out, std::int64_t& pitch) const {
    const T* const* rows = operand.rows;
    if (rows == nullptr && ops.perWord == 1) {
        pitch = operand.pitch;
        return operand.words + n0;
    }
    if (rows == nullptr) {
        const T** pointers = Scratch::ofThread().get<const T*>(Buffer::WeightPointers, count);
        for (std::int64_t i = 0; i < count; ++i) {
            pointers[i] = reinterpret_cast<const T*>(operand.words + i * operand.pitch);
        }
        rows = pointers;
    }
    ops.packAcross(rows, n0, width, count, out, pitch);
    return out;
}

template <typename T>
void WeightGradients<T>::addProduct(const Operand& a, std::int64_t a0, std::int64_t a1,
    const Operand& b, std::int64_t b0, std::int64_t b1, std::int64_t count, float* out,
    std::int64_t outPitch) const {
    // The first operand is packed for so many of its columns at a time.
    constexpr std::int64_t kColumns = 256;
    Scratch& scratch = Scratch::ofThread();
    const std::int64_t words = (count + ops.perWord - 1) / ops.perWord;
    const std::int64_t most = a.rows != nullptr ? std::min(kColumns, a1 - a0) : a1 - a0;
    Word* packed = scratch.get<Word>(Buffer::Packed, words * operandPitch(most));
    const Word** aRows = scratch.get<const Word*>(Buffer::HPointers, most);
    float** outRows = scratch.get<float*>(Buffer::TilePointers, most);
    Word* panel = scratch.get<Word>(Buffer::Panel, words * ops.panel);
    for (std::int64_t m0 = a0; m0 < a1; m0 += most) {
        const std::int64_t outputs = std::min(most, a1 - m0);
        std::int64_t aStep = operandPitch(most);
        fillPointers(aRows, outputs, across(a, count, m0, outputs, packed, aStep), 1);
        fillPointers(outRows, outputs, out + m0 * outPitch, outPitch);
        for (std::int64_t n0 = b0; n0 < b1; n0 += ops.panel) {
            const std::int64_t width = std::min(ops.panel, b1 - n0);
            std::int64_t bStep = roundUp(width, ops.lanes);
            const Word* second = across(b, count, n0, width, panel, bStep);
            ops.multiply({outputs, words, width, aRows, aStep, second, bStep, outRows, n0, true});
        }
    }
}

template struct WeightGradients<float>;
template struct WeightGradients<bfloat16>;

} // namespace mooring::kernels::cpu
