// SPDX-License-Identifier: GPL-3.0-or-later
// Fills a table from the templates. Include a vec_*.h, ops_elementwise.h and ops_matrix.h first.
// Tables are constants: nothing of an instruction set may run before it has been chosen.
#pragma once

#include "kernels/cpu/isa/ops.h"

namespace mooring::kernels::cpu {
namespace {

template <typename T, typename Words, int kRows, int kVecs>
constexpr MatrixOps<T> makeMatrixOps() {
    return {kVecs * Vec::kLanes, Vec::kLanes, Words::kPerWord, packAlong<Words, T>,
        packAcross<Words, T>, toWords<Words, T>, multiply<Words, kRows, kVecs>,
        gluForward<T, typename Words::Operand>, gluBackward<T, typename Words::Operand>,
        combine<T>};
}

/// The table of an instruction set that multiplies in fp32 only, with tiles of kRows rows and
/// kVecs vectors.
template <int kRows, int kVecs>
constexpr Ops makeOps(const RowOps& rows) {
    return {makeMatrixOps<float, SingleWords, kRows, kVecs>(),
        makeMatrixOps<bfloat16, SingleWords, kRows, kVecs>(), rows};
}

} // namespace
} // namespace mooring::kernels::cpu
