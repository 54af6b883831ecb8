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

/// dGateUp_e += [d gate, d up]^T x and dDown_e += dy^T (weight h), over the rows of an expert in
/// their order, so that the sums have the same bits however the columns are shared out.
template <typename T>
struct WeightGradients {
    const MatrixOps<T>& ops;
    const MoeShape& shape;
    const ExpertOrder& order;
    const T* x_TD;
    const T* dy_TD;
    float* dGateUp; ///< [E, 2I, D], may be null
    float* dDown; ///< [E, D, I], may be null

    /// The rows from `row` on in buffers whose first row is row 0.
    HiddenRows rowsAt(Word* dHidden, Word* weightedH, std::int64_t row) const;

    /// Adds all rows of an expert (hidden holds them) to the columns [begin, end) of D.
    void add(
        std::int64_t expert, const HiddenRows& hidden, std::int64_t begin, std::int64_t end) const;

private:
    void addGateUp(std::int64_t expert, const T* const* x, std::int64_t count, const Word* hidden,
        std::int64_t pitch, std::int64_t begin, std::int64_t end) const;
    void addDown(std::int64_t expert, const T* const* dy, std::int64_t count, const Word* hidden,
        std::int64_t pitch, std::int64_t begin, std::int64_t end) const;
    const Word* acrossRows(const Word* rows, std::int64_t pitch, std::int64_t count,
        std::int64_t n0, std::int64_t width, Word* out, std::int64_t outPitch) const;
};

} // namespace mooring::kernels::cpu
