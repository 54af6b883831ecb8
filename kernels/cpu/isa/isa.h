// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels/cpu/isa/ops.h"

namespace mooring::kernels::cpu {

/// The instruction sets that have inner loops of their own, from the most general on.
enum class Isa { Plain, Avx2, Avx512, Avx512Bf16 };

constexpr Isa kAllIsas[] = {Isa::Plain, Isa::Avx2, Isa::Avx512, Isa::Avx512Bf16};

const char* isaName(Isa isa);

/// Whether this processor and this build can run it.
bool isaSupported(Isa isa);

/// The one in use: the best supported one, unless a test or a benchmark has chosen another.
Isa activeIsa();

/// For tests and benchmarks; not while a kernel runs. The instruction set must be supported.
void setActiveIsa(Isa isa);

const Ops& activeOps();

/// The part of the table for the element type T, float or bfloat16.
template <typename T>
const MatrixOps<T>& activeMatrixOps();

} // namespace mooring::kernels::cpu
