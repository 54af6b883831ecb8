// SPDX-License-Identifier: GPL-3.0-or-later
// Four floats in the compiler's own vector type, for any processor.
#pragma once

#include "kernels/bfloat16.h"

#include <cstdint>
#include <cstring>

namespace mooring::kernels::cpu {
namespace {

using Float4 = float __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));

struct Vec {
    static constexpr std::int64_t kLanes = 4;
    Float4 v;
};

inline Vec set1(float x) {
    return {Float4{x, x, x, x}};
}

inline std::uint16_t narrow(float x) {
    std::uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    if (x != x) {
        return static_cast<std::uint16_t>((bits | 0x00400000U) >> 16);
    }
    return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

inline Vec load(const float* p) {
    Vec a;
    std::memcpy(&a.v, p, sizeof a.v);
    return a;
}
inline Vec loadFirst(const float* p, std::int64_t n) {
    float lanes[4] = {};
    for (std::int64_t i = 0; i < n; ++i) {
        lanes[i] = p[i];
    }
    return load(lanes);
}
inline Vec loadFirst(const bfloat16* p, std::int64_t n) {
    std::uint32_t lanes[4] = {};
    for (std::int64_t i = 0; i < n; ++i) {
        lanes[i] = static_cast<std::uint32_t>(p[i].bits) << 16;
    }
    Vec a;
    std::memcpy(&a.v, lanes, sizeof a.v);
    return a;
}
inline Vec load(const bfloat16* p) {
    return loadFirst(p, 4);
}
inline void store(float* p, Vec a) {
    std::memcpy(p, &a.v, sizeof a.v);
}
inline void storeFirst(float* p, Vec a, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
        p[i] = a.v[i];
    }
}
inline void storeFirst(bfloat16* p, Vec a, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
        p[i].bits = narrow(a.v[i]);
    }
}
inline void store(bfloat16* p, Vec a) {
    storeFirst(p, a, 4);
}

inline Vec operator+(Vec a, Vec b) {
    return {a.v + b.v};
}
inline Vec operator-(Vec a, Vec b) {
    return {a.v - b.v};
}
inline Vec operator*(Vec a, Vec b) {
    return {a.v * b.v};
}
inline Vec operator/(Vec a, Vec b) {
    return {a.v / b.v};
}
/// a * b + c
inline Vec fma(Vec a, Vec b, Vec c) {
    return {a.v * b.v + c.v};
}
/// c - a * b
inline Vec fnma(Vec a, Vec b, Vec c) {
    return {c.v - a.v * b.v};
}
/// The second operand where either is a NaN.
inline Vec least(Vec a, Vec b) {
    return {a.v < b.v ? a.v : b.v};
}
inline Vec greatest(Vec a, Vec b) {
    return {a.v > b.v ? a.v : b.v};
}
/// The lanes of a where x <= bound, else 0; a NaN is not below any bound.
inline Vec whereAtMost(Vec x, Vec bound, Vec a) {
    return {x.v <= bound.v ? a.v : Float4{}};
}
inline Vec root(Vec a) {
    for (int i = 0; i < 4; ++i) {
        a.v[i] = __builtin_sqrtf(a.v[i]);
    }
    return a;
}
/// For magnitudes below 2^22: adding 1.5 * 2^23 leaves no room for a fraction.
inline Vec nearest(Vec a) {
    const Vec shift = set1(12582912.0F);
    return (a + shift) - shift;
}
inline Float4 powerOfTwo(Int4 n) {
    const Int4 bits = (n + 127) << 23;
    Float4 power;
    std::memcpy(&power, &bits, sizeof power);
    return power;
}
/// a * 2^n for a whole n; two factors, so that the ends of the range round as they should.
inline Vec timesPowerOfTwo(Vec a, Vec n) {
    const Int4 whole = __builtin_convertvector(n.v, Int4);
    const Int4 half = whole >> 1;
    return {a.v * powerOfTwo(half) * powerOfTwo(whole - half)};
}
inline float sumOf(Vec a) {
    return (a.v[0] + a.v[1]) + (a.v[2] + a.v[3]);
}
inline float maximumOf(Vec a) {
    float most = a.v[0];
    for (int i = 1; i < 4; ++i) {
        most = a.v[i] > most ? a.v[i] : most;
    }
    return most;
}

} // namespace
} // namespace mooring::kernels::cpu
