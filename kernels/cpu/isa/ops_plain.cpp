// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/isa/vec_plain.h"

#include "kernels/cpu/isa/ops_elementwise.h"
#include "kernels/cpu/isa/ops_matrix.h"
#include "kernels/cpu/isa/ops_rows.h"
#include "kernels/cpu/isa/ops_table.h"

namespace mooring::kernels::cpu {

constinit const Ops kPlainOps = makeOps<4, 2>(kRowOps);

} // namespace mooring::kernels::cpu
