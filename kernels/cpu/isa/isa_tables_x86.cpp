// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/isa/isa_tables.h"

namespace mooring::kernels::cpu {

namespace {

bool hasAvx2() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

bool hasAvx512() {
    return hasAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

bool hasAvx512Bf16() {
    return hasAvx512() && __builtin_cpu_supports("avx512bf16");
}

const Ops& avx512Bf16Ops() {
    static const Ops ops = {kAvx512Ops.fp32, kAvx512Bf16Matrix, kAvx512Ops.rows};
    return ops;
}

} // namespace

const Ops* opsTable(Isa isa) {
    switch (isa) {
    case Isa::Plain:
        return &kPlainOps;
    case Isa::Avx2:
        return hasAvx2() ? &kAvx2Ops : nullptr;
    case Isa::Avx512:
        return hasAvx512() ? &kAvx512Ops : nullptr;
    case Isa::Avx512Bf16:
        return hasAvx512Bf16() ? &avx512Bf16Ops() : nullptr;
    }
    return nullptr;
}

} // namespace mooring::kernels::cpu
