// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels/cpu/moe_plan.h"

namespace mooring::kernels::cpu {

/// Operand rows of consecutive sorted rows: [d gate, d up] and weight * h. Null where unwanted.
struct HiddenRows {
    Word* dGateUp;
    std::int64_t dGateUpPitch;
    Word* weightedH;
    std::int64_t weightedHPitch;
};

/// Rows of a low-rank path in sorted order: what went in, scale x A^T, and what came back,
/// scale dy B. The routing weight stands in
/// the rows that it is multiplied with: d gate and d up, and h.
template <typename T>
struct LowRankPath {
    T* in; ///< [R, r]
    T* back; ///< [R, r]
};

/// dGateUp_e += [d gate, d up]^T x and dDown_e += dy^T (weight h), over the rows of an expert in
/// their order, so that the sums have the same bits however the columns are shared out.
template <typename T>
struct WeightGradients {
    const MatrixOps<T>& ops;
    const MoeShape& shape;
    const ExpertOrder& order;
    const T* x_TD;
    const T* dy_TD;
    const float* weights_TK;
    float* dGateUp; ///< [E, 2I, D], may be null
    float* dDown; ///< [E, D, I], may be null
    const ExpertExtras<T>& extras;
    LowRankPath<T> gateUpPath;
    LowRankPath<T> downPath;

    static bool trains(const LowRank<T>& low) { return low.dA != nullptr || low.dB != nullptr; }
    bool needsHidden() const {
        return dGateUp != nullptr || trains(extras.gateUp) || extras.gateUpBias.gradient != nullptr;
    }
    bool needsWeightedH() const { return dDown != nullptr || trains(extras.down); }
    bool trainsExtras() const {
        return trains(extras.gateUp) || trains(extras.down) || extras.gateUpBias.gradient != nullptr
            || extras.downBias.gradient != nullptr;
    }

    /// The rows from `row` on in buffers whose first row is row 0.
    HiddenRows rowsAt(Word* dHidden, Word* weightedH, std::int64_t row) const;

    /// Adds all rows of an expert (hidden holds them) to the columns [begin, end) of D.
    void add(
        std::int64_t expert, const HiddenRows& hidden, std::int64_t begin, std::int64_t end) const;

    /// The gradients of the extras of both weights, over all rows of an expert.
    void addExtras(std::int64_t expert, const HiddenRows& hidden) const {
        if (trains(extras.gateUp) || trains(extras.down)) {
            addLowRank(expert, hidden);
        }
        addBiases(expert, hidden);
    }

private:
    void addLowRank(std::int64_t expert, const HiddenRows& hidden) const;
    void addBiases(std::int64_t expert, const HiddenRows& hidden) const;
    /// One operand of a sum over rows: rows of T in memory or operand rows from `words` on.
    struct Operand {
        const T* const* rows;
        const Word* words;
        std::int64_t pitch;
    };
    /// out[a0 + i][b0 + j] += sum over rows of a[row][a0 + i] b[row][b0 + j].
    void addProduct(const Operand& a, std::int64_t a0, std::int64_t a1, const Operand& b,
        std::int64_t b0, std::int64_t b1, std::int64_t count, float* out,
        std::int64_t outPitch) const;
    const Word* across(const Operand& operand, std::int64_t count, std::int64_t n0,
        std::int64_t width, Word* out, std::int64_t& pitch) const;
};

} // namespace mooring::kernels::cpu
