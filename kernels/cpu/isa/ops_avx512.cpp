// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/isa/vec_avx512.h"

#include "kernels/cpu/isa/ops_elementwise.h"
#include "kernels/cpu/isa/ops_matrix.h"
#include "kernels/cpu/isa/ops_rows.h"
#include "kernels/cpu/isa/ops_table.h"
#include "kernels/cpu/isa/transpose_avx512.h"

namespace mooring::kernels::cpu {

namespace {

constexpr Ops makeAvx512Ops() {
    Ops ops = makeOps<6, 4>(kRowOps);
    ops.fp32.packAlong = packAlongTransposed<SingleWords, float>;
    ops.bf16.packAlong = packAlongTransposed<SingleWords, bfloat16>;
    return ops;
}

} // namespace

constinit const Ops kAvx512Ops = makeAvx512Ops();

} // namespace mooring::kernels::cpu
