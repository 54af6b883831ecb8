// SPDX-License-Identifier: GPL-3.0-or-later
// Sixteen floats. Only for translation units compiled with the AVX-512 flags.
#pragma once

#include "kernels/bfloat16.h"

#include <cstdint>
#include <immintrin.h>

namespace mooring::kernels::cpu {
namespace {

struct Vec {
    static constexpr std::int64_t kLanes = 16;
    __m512 v;
};

inline Vec set1(float x) {
    return {_mm512_set1_ps(x)};
}

inline __mmask16 firstLanes(std::int64_t n) {
    return static_cast<__mmask16>((1U << n) - 1);
}

inline __m512 widen(__m256i halves) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}

inline __m256i narrow(__m512 x) {
#ifdef __AVX512BF16__
    return reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(x));
#else
    // Round to nearest even on the integer side; a NaN stays one because its quiet bit is set.
    const __m512i bits = _mm512_castps_si512(x);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(bits, odd), _mm512_set1_epi32(0x7fff));
    const __m512i quiet = _mm512_or_si512(bits, _mm512_set1_epi32(0x00400000));
    const __mmask16 nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
    return _mm512_cvtepi32_epi16(_mm512_srli_epi32(_mm512_mask_mov_epi32(sum, nan, quiet), 16));
#endif
}

inline Vec load(const float* p) {
    return {_mm512_loadu_ps(p)};
}
inline Vec loadFirst(const float* p, std::int64_t n) {
    return {_mm512_maskz_loadu_ps(firstLanes(n), p)};
}
inline Vec load(const bfloat16* p) {
    return {widen(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)))};
}
inline Vec loadFirst(const bfloat16* p, std::int64_t n) {
    return {widen(_mm256_maskz_loadu_epi16(firstLanes(n), p))};
}
inline void store(float* p, Vec a) {
    _mm512_storeu_ps(p, a.v);
}
inline void storeFirst(float* p, Vec a, std::int64_t n) {
    _mm512_mask_storeu_ps(p, firstLanes(n), a.v);
}
inline void store(bfloat16* p, Vec a) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), narrow(a.v));
}
inline void storeFirst(bfloat16* p, Vec a, std::int64_t n) {
    _mm256_mask_storeu_epi16(p, firstLanes(n), narrow(a.v));
}

inline Vec operator+(Vec a, Vec b) {
    return {_mm512_add_ps(a.v, b.v)};
}
inline Vec operator-(Vec a, Vec b) {
    return {_mm512_sub_ps(a.v, b.v)};
}
inline Vec operator*(Vec a, Vec b) {
    return {_mm512_mul_ps(a.v, b.v)};
}
inline Vec operator/(Vec a, Vec b) {
    return {_mm512_div_ps(a.v, b.v)};
}
/// a * b + c
inline Vec fma(Vec a, Vec b, Vec c) {
    return {_mm512_fmadd_ps(a.v, b.v, c.v)};
}
/// c - a * b
inline Vec fnma(Vec a, Vec b, Vec c) {
    return {_mm512_fnmadd_ps(a.v, b.v, c.v)};
}
/// The second operand where either is a NaN.
inline Vec least(Vec a, Vec b) {
    return {_mm512_min_ps(a.v, b.v)};
}
inline Vec greatest(Vec a, Vec b) {
    return {_mm512_max_ps(a.v, b.v)};
}
/// The lanes of a where x <= bound, else 0; a NaN is not below any bound.
inline Vec whereAtMost(Vec x, Vec bound, Vec a) {
    return {_mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x.v, bound.v, _CMP_LE_OQ), a.v)};
}
inline Vec root(Vec a) {
    return {_mm512_sqrt_ps(a.v)};
}
inline Vec nearest(Vec a) {
    return {_mm512_roundscale_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}
/// a * 2^n for a whole n.
inline Vec timesPowerOfTwo(Vec a, Vec n) {
    return {_mm512_scalef_ps(a.v, n.v)};
}
inline float sumOf(Vec a) {
    return _mm512_reduce_add_ps(a.v);
}
inline float maximumOf(Vec a) {
    return _mm512_reduce_max_ps(a.v);
}

} // namespace
} // namespace mooring::kernels::cpu
