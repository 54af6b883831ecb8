// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/isa/vec_avx2.h"

#include "kernels/cpu/isa/ops_elementwise.h"
#include "kernels/cpu/isa/ops_matrix.h"
#include "kernels/cpu/isa/ops_rows.h"
#include "kernels/cpu/isa/ops_table.h"

namespace mooring::kernels::cpu {

constinit const Ops kAvx2Ops = makeOps<6, 2>(kRowOps);

} // namespace mooring::kernels::cpu
