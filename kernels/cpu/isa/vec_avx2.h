// SPDX-License-Identifier: GPL-3.0-or-later
// Eight floats. Only for translation units compiled with the AVX2 and FMA flags.
#pragma once

#include "kernels/bfloat16.h"

#include <cstdint>
#include <immintrin.h>

namespace mooring::kernels::cpu {
namespace {

struct Vec {
    static constexpr std::int64_t kLanes = 8;
    __m256 v;
};

inline Vec set1(float x) {
    return {_mm256_set1_ps(x)};
}

inline __m256i firstLanes(std::int64_t n) {
    return _mm256_cmpgt_epi32(
        _mm256_set1_epi32(static_cast<int>(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

inline __m256 widen(__m128i halves) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
}

inline __m128i narrow(__m256 x) {
    // Round to nearest even on the integer side; a NaN stays one because its quiet bit is set.
    const __m256i bits = _mm256_castps_si256(x);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(bits, odd), _mm256_set1_epi32(0x7fff));
    const __m256i quiet = _mm256_or_si256(bits, _mm256_set1_epi32(0x00400000));
    const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    const __m256i upper = _mm256_srli_epi32(_mm256_blendv_epi8(sum, quiet, nan), 16);
    return _mm_packus_epi32(_mm256_castsi256_si128(upper), _mm256_extracti128_si256(upper, 1));
}

inline Vec load(const float* p) {
    return {_mm256_loadu_ps(p)};
}
inline Vec loadFirst(const float* p, std::int64_t n) {
    return {_mm256_maskload_ps(p, firstLanes(n))};
}
inline Vec load(const bfloat16* p) {
    return {widen(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)))};
}
inline Vec loadFirst(const bfloat16* p, std::int64_t n) {
    bfloat16 lanes[8] = {};
    for (std::int64_t i = 0; i < n; ++i) {
        lanes[i] = p[i];
    }
    return load(lanes);
}
inline void store(float* p, Vec a) {
    _mm256_storeu_ps(p, a.v);
}
inline void storeFirst(float* p, Vec a, std::int64_t n) {
    _mm256_maskstore_ps(p, firstLanes(n), a.v);
}
inline void store(bfloat16* p, Vec a) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), narrow(a.v));
}
inline void storeFirst(bfloat16* p, Vec a, std::int64_t n) {
    bfloat16 lanes[8];
    store(lanes, a);
    for (std::int64_t i = 0; i < n; ++i) {
        p[i] = lanes[i];
    }
}

inline Vec operator+(Vec a, Vec b) {
    return {_mm256_add_ps(a.v, b.v)};
}
inline Vec operator-(Vec a, Vec b) {
    return {_mm256_sub_ps(a.v, b.v)};
}
inline Vec operator*(Vec a, Vec b) {
    return {_mm256_mul_ps(a.v, b.v)};
}
inline Vec operator/(Vec a, Vec b) {
    return {_mm256_div_ps(a.v, b.v)};
}
/// a * b + c
inline Vec fma(Vec a, Vec b, Vec c) {
    return {_mm256_fmadd_ps(a.v, b.v, c.v)};
}
/// c - a * b
inline Vec fnma(Vec a, Vec b, Vec c) {
    return {_mm256_fnmadd_ps(a.v, b.v, c.v)};
}
/// The second operand where either is a NaN.
inline Vec least(Vec a, Vec b) {
    return {_mm256_min_ps(a.v, b.v)};
}
inline Vec greatest(Vec a, Vec b) {
    return {_mm256_max_ps(a.v, b.v)};
}
/// The lanes of a where x <= bound, else 0; a NaN is not below any bound.
inline Vec whereAtMost(Vec x, Vec bound, Vec a) {
    return {_mm256_and_ps(_mm256_cmp_ps(x.v, bound.v, _CMP_LE_OQ), a.v)};
}
inline Vec root(Vec a) {
    return {_mm256_sqrt_ps(a.v)};
}
inline Vec nearest(Vec a) {
    return {_mm256_round_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}
inline __m256 powerOfTwo(__m256i n) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23));
}
/// a * 2^n for a whole n; two factors, so that the ends of the range round as they should.
inline Vec timesPowerOfTwo(Vec a, Vec n) {
    const __m256i whole = _mm256_cvtps_epi32(n.v);
    const __m256i half = _mm256_srai_epi32(whole, 1);
    const __m256 first = _mm256_mul_ps(a.v, powerOfTwo(half));
    return {_mm256_mul_ps(first, powerOfTwo(_mm256_sub_epi32(whole, half)))};
}
inline float sumOf(Vec a) {
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
inline float maximumOf(Vec a) {
    const __m128 four = _mm_max_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

} // namespace
} // namespace mooring::kernels::cpu
