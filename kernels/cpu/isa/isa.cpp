// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/isa/isa.h"

#include "kernels/cpu/isa/isa_tables.h"

#include <atomic>
#include <cassert>

namespace mooring::kernels::cpu {

namespace {

Isa bestIsa() {
    Isa best = Isa::Plain;
    for (Isa isa : kAllIsas) {
        if (isaSupported(isa)) {
            best = isa;
        }
    }
    return best;
}

std::atomic<Isa>& active() {
    static std::atomic<Isa> isa = bestIsa();
    return isa;
}

} // namespace

const char* isaName(Isa isa) {
    switch (isa) {
    case Isa::Plain:
        return "plain";
    case Isa::Avx2:
        return "AVX2";
    case Isa::Avx512:
        return "AVX-512";
    case Isa::Avx512Bf16:
        return "AVX512_BF16";
    }
    return "";
}

bool isaSupported(Isa isa) {
    return opsTable(isa) != nullptr;
}

Isa activeIsa() {
    return active().load(std::memory_order_relaxed);
}

void setActiveIsa(Isa isa) {
    assert(isaSupported(isa));
    active().store(isa, std::memory_order_relaxed);
}

const Ops& activeOps() {
    return *opsTable(activeIsa());
}

template <>
const MatrixOps<float>& activeMatrixOps<float>() {
    return activeOps().fp32;
}

template <>
const MatrixOps<bfloat16>& activeMatrixOps<bfloat16>() {
    return activeOps().bf16;
}

} // namespace mooring::kernels::cpu
