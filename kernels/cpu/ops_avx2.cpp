// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/vec_avx2.h"

#include "kernels/cpu/ops_elementwise.h"
#include "kernels/cpu/ops_matrix.h"
#include "kernels/cpu/ops_rows.h"
#include "kernels/cpu/ops_table.h"

namespace mooring::kernels::cpu {

constinit const Ops kAvx2Ops = makeOps<6, 2>(kRowOps);

} // namespace mooring::kernels::cpu
