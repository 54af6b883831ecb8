// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/isa/vec_avx512.h"

#include "kernels/cpu/isa/ops_elementwise.h"
#include "kernels/cpu/isa/ops_matrix.h"
#include "kernels/cpu/isa/ops_table.h"
#include "kernels/cpu/isa/transpose_avx512.h"

namespace mooring::kernels::cpu {

namespace {

/// Operand words of two neighboring bf16 values, for vdpbf16ps.
struct PairWords {
    static constexpr std::int64_t kPerWord = 2;
    using Operand = bfloat16;

    static Word along(const bfloat16* row, std::int64_t k, std::int64_t length) {
        const bfloat16 upper = 2 * k + 1 < length ? row[2 * k + 1] : bfloat16{0};
        return pairOf(row[2 * k], upper);
    }
    static void across(const bfloat16* row, const bfloat16* second, std::int64_t n, Word* out) {
        forVectors(n, [&](std::int64_t j, auto lanes) {
            // A widened bf16 already sits in the upper half of its word.
            const __m512i lower = _mm512_castps_si512(load(row + j, lanes).v);
            const __m512i upper = second != nullptr ? _mm512_castps_si512(load(second + j, lanes).v)
                                                    : _mm512_setzero_si512();
            const __m512i pairs = _mm512_or_si512(_mm512_srli_epi32(lower, 16), upper);
            store(reinterpret_cast<float*>(out) + j, Vec{_mm512_castsi512_ps(pairs)}, lanes);
        });
    }
    static Vec multiplyAdd(Word a, Vec b, Vec sum) {
        const __m512i pairs = _mm512_set1_epi32(static_cast<int>(a.bits));
        return {_mm512_dpbf16_ps(
            sum.v, reinterpret_cast<__m512bh>(pairs), reinterpret_cast<__m512bh>(b.v))};
    }
};

inline __m512i loadWords(PairWords, const bfloat16* row, std::int64_t k, std::int64_t length) {
    const std::int64_t left = length - 2 * k;
    const __mmask32 lanes = left >= 32 ? ~__mmask32{0} : (__mmask32{1} << left) - 1;
    return _mm512_maskz_loadu_epi16(lanes, row + 2 * k);
}

constexpr MatrixOps<bfloat16> makePairOps() {
    MatrixOps<bfloat16> ops = makeMatrixOps<bfloat16, PairWords, 6, 4>();
    ops.packAlong = packAlongTransposed<PairWords, bfloat16>;
    return ops;
}

} // namespace

constinit const MatrixOps<bfloat16> kAvx512Bf16Matrix = makePairOps();

} // namespace mooring::kernels::cpu
