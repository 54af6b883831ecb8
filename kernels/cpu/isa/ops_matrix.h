// SPDX-License-Identifier: GPL-3.0-or-later
// Packing and the tiled matrix product over Vec. Include a vec_*.h and ops_elementwise.h first.
// Everything has internal linkage, so that each instruction set keeps its own copy.
#pragma once

#include "kernels/cpu/isa/ops.h"

#include <cstring>

namespace mooring::kernels::cpu {
namespace {

inline Word wordOf(float value) {
    Word word;
    std::memcpy(&word, &value, sizeof word);
    return word;
}
inline Word wordOf(bfloat16 value) {
    return {static_cast<std::uint32_t>(value.bits) << 16};
}
inline Word pairOf(bfloat16 lower, bfloat16 upper) {
    return {lower.bits | static_cast<std::uint32_t>(upper.bits) << 16};
}

/// Operand words of one fp32 value each.
struct SingleWords {
    static constexpr std::int64_t kPerWord = 1;
    using Operand = float;

    template <typename T>
    static Word along(const T* row, std::int64_t k, std::int64_t) {
        return wordOf(row[k]);
    }
    template <typename T>
    static void across(const T* row, const T*, std::int64_t n, Word* out) {
        forVectors(n, [&](std::int64_t j, auto lanes) {
            store(reinterpret_cast<float*>(out) + j, load(row + j, lanes), lanes);
        });
    }
    static Vec multiplyAdd(Word a, Vec b, Vec sum) {
        float value;
        std::memcpy(&value, &a, sizeof value);
        return fma(set1(value), b, sum);
    }
};

template <typename Words, typename T>
void packAlong(
    const T* const* rows, std::int64_t width, std::int64_t length, Word* out, std::int64_t pitch) {
    const std::int64_t words = (length + Words::kPerWord - 1) / Words::kPerWord;
    for (std::int64_t k = 0; k < words; ++k) {
        Word* line = out + k * pitch;
        for (std::int64_t j = 0; j < width; ++j) {
            line[j] = Words::along(rows[j], k, length);
        }
        for (std::int64_t j = width; j < pitch; ++j) {
            line[j] = {0};
        }
    }
}

template <typename Words, typename T>
void packAcross(const T* const* rows, std::int64_t n0, std::int64_t width, std::int64_t length,
    Word* out, std::int64_t pitch) {
    for (std::int64_t k = 0; k < length; k += Words::kPerWord) {
        const T* second = k + 1 < length ? rows[k + 1] + n0 : nullptr;
        Words::across(rows[k] + n0, second, width, out);
        for (std::int64_t j = width; j < pitch; ++j) {
            out[j] = {0};
        }
        out += pitch;
    }
}

template <typename Words, typename T>
void toWords(const T* row, std::int64_t length, Word* out) {
    const std::int64_t words = (length + Words::kPerWord - 1) / Words::kPerWord;
    for (std::int64_t k = 0; k < words; ++k) {
        out[k] = Words::along(row, k, length);
    }
}

template <int kVecs>
inline Vec loadTile(const float* c, int vec, std::int64_t lastLanes) {
    const float* p = c + vec * Vec::kLanes;
    return vec + 1 < kVecs || lastLanes == Vec::kLanes ? load(p) : loadFirst(p, lastLanes);
}

template <int kVecs>
inline void storeTile(float* c, int vec, std::int64_t lastLanes, Vec value) {
    float* p = c + vec * Vec::kLanes;
    if (vec + 1 < kVecs || lastLanes == Vec::kLanes) {
        store(p, value);
    } else {
        storeFirst(p, value, lastLanes);
    }
}

/// kRows rows times kVecs vectors of c stay in registers over `words` words from k0 on.
template <typename Words, int kRows, int kVecs>
void multiplyTile(
    const Product& p, std::int64_t row, std::int64_t k0, std::int64_t words, bool accumulate) {
    // Copies: the stores below could change what p refers to, for all the compiler knows.
    const std::int64_t aStep = p.aStep, bStep = p.bStep;
    const std::int64_t lastLanes = p.width - (kVecs - 1) * Vec::kLanes;
    Vec sums[kRows][kVecs];
    const Word* a[kRows];
    float* c[kRows];
#pragma GCC unroll 8
    for (int i = 0; i < kRows; ++i) {
        a[i] = p.a[row + i] + k0 * aStep;
        c[i] = p.c[row + i] + p.c0;
#pragma GCC unroll 4
        for (int j = 0; j < kVecs; ++j) {
            sums[i][j] = accumulate ? loadTile<kVecs>(c[i], j, lastLanes) : set1(0);
        }
    }
    const Word* b = p.b + k0 * bStep;
    for (std::int64_t k = 0; k < words; ++k) {
        Vec line[kVecs];
#pragma GCC unroll 4
        for (int j = 0; j < kVecs; ++j) {
            line[j] = load(reinterpret_cast<const float*>(b) + j * Vec::kLanes);
        }
#pragma GCC unroll 8
        for (int i = 0; i < kRows; ++i) {
            const Word value = a[i][k * aStep];
#pragma GCC unroll 4
            for (int j = 0; j < kVecs; ++j) {
                sums[i][j] = Words::multiplyAdd(value, line[j], sums[i][j]);
            }
        }
        b += bStep;
    }
#pragma GCC unroll 8
    for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
        for (int j = 0; j < kVecs; ++j) {
            storeTile<kVecs>(c[i], j, lastLanes, sums[i][j]);
        }
    }
}

/// The rows that are left after the whole tiles, at most kRows.
template <typename Words, int kRows, int kVecs>
void multiplyRest(
    const Product& p, std::int64_t row, std::int64_t k0, std::int64_t words, bool accumulate) {
    if constexpr (kRows > 0) {
        if (p.rows - row == kRows) {
            multiplyTile<Words, kRows, kVecs>(p, row, k0, words, accumulate);
        } else {
            multiplyRest<Words, kRows - 1, kVecs>(p, row, k0, words, accumulate);
        }
    }
}

template <typename Words, int kRows, int kVecs>
void multiplyPanel(const Product& p) {
    // A block of b of this many words stays in the second-level cache for all rows.
    constexpr std::int64_t kBlock = 256;
    for (std::int64_t k0 = 0; k0 < p.words; k0 += kBlock) {
        const std::int64_t words = p.words - k0 < kBlock ? p.words - k0 : kBlock;
        const bool accumulate = p.accumulate || k0 > 0;
        std::int64_t row = 0;
        for (; row + kRows <= p.rows; row += kRows) {
            multiplyTile<Words, kRows, kVecs>(p, row, k0, words, accumulate);
        }
        multiplyRest<Words, kRows - 1, kVecs>(p, row, k0, words, accumulate);
    }
}

/// Picks the narrowest tile that covers the width, from kVecs vectors down.
template <typename Words, int kRows, int kVecs>
void multiply(const Product& p) {
    if constexpr (kVecs > 1) {
        if (p.width <= (kVecs - 1) * Vec::kLanes) {
            multiply<Words, kRows, kVecs - 1>(p);
            return;
        }
    }
    multiplyPanel<Words, kRows, kVecs>(p);
}

} // namespace
} // namespace mooring::kernels::cpu
