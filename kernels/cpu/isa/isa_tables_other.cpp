// SPDX-License-Identifier: GPL-3.0-or-later
// Processors without x86 vectors: the plain inner loops are all there is.
#include "kernels/cpu/isa/isa_tables.h"

namespace mooring::kernels::cpu {

const Ops* opsTable(Isa isa) {
    return isa == Isa::Plain ? &kPlainOps : nullptr;
}

} // namespace mooring::kernels::cpu
