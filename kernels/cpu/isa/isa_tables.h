// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels/cpu/isa/isa.h"

namespace mooring::kernels::cpu {

/// The inner loops for an instruction set, or null where this machine cannot run them. One file
/// per processor family defines it.
const Ops* opsTable(Isa isa);

} // namespace mooring::kernels::cpu
