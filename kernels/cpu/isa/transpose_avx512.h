// SPDX-License-Identifier: GPL-3.0-or-later
// Packing along the rows by transposing blocks of 16 x 16 words in registers. Include
// vec_avx512.h, ops_elementwise.h and ops_matrix.h first.
#pragma once

#include "kernels/cpu/isa/ops.h"

namespace mooring::kernels::cpu {
namespace {

/// The words of 16 columns from word k on; `words` (1 to 16) of them exist.
inline __m512i loadWords(SingleWords, const float* row, std::int64_t k, std::int64_t length) {
    const std::int64_t left = length - k;
    return _mm512_castps_si512((left >= 16 ? load(row + k) : loadFirst(row + k, left)).v);
}
inline __m512i loadWords(SingleWords, const bfloat16* row, std::int64_t k, std::int64_t length) {
    const std::int64_t left = length - k;
    return _mm512_castps_si512((left >= 16 ? load(row + k) : loadFirst(row + k, left)).v);
}

/// rows[i] becomes column i.
inline void transpose(__m512i (&r)[16]) {
    __m512i t[16];
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
        t[2 * i] = _mm512_unpacklo_epi32(r[2 * i], r[2 * i + 1]);
        t[2 * i + 1] = _mm512_unpackhi_epi32(r[2 * i], r[2 * i + 1]);
    }
    // r[4q + c] holds column 4l + c of rows 4q .. 4q + 3 in its 128-bit lane l.
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) {
        r[4 * q] = _mm512_unpacklo_epi64(t[4 * q], t[4 * q + 2]);
        r[4 * q + 1] = _mm512_unpackhi_epi64(t[4 * q], t[4 * q + 2]);
        r[4 * q + 2] = _mm512_unpacklo_epi64(t[4 * q + 1], t[4 * q + 3]);
        r[4 * q + 3] = _mm512_unpackhi_epi64(t[4 * q + 1], t[4 * q + 3]);
    }
    // What is left is a 4 x 4 transpose of 128-bit lanes for each c.
#pragma GCC unroll 4
    for (int c = 0; c < 4; ++c) {
        const __m512i even01 = _mm512_shuffle_i32x4(r[c], r[4 + c], 0x88);
        const __m512i odd01 = _mm512_shuffle_i32x4(r[c], r[4 + c], 0xdd);
        const __m512i even23 = _mm512_shuffle_i32x4(r[8 + c], r[12 + c], 0x88);
        const __m512i odd23 = _mm512_shuffle_i32x4(r[8 + c], r[12 + c], 0xdd);
        t[c] = _mm512_shuffle_i32x4(even01, even23, 0x88);
        t[4 + c] = _mm512_shuffle_i32x4(odd01, odd23, 0x88);
        t[8 + c] = _mm512_shuffle_i32x4(even01, even23, 0xdd);
        t[12 + c] = _mm512_shuffle_i32x4(odd01, odd23, 0xdd);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
        r[i] = t[i];
    }
}

template <typename Words, typename T>
void packAlongTransposed(
    const T* const* rows, std::int64_t width, std::int64_t length, Word* out, std::int64_t pitch) {
    const std::int64_t words = (length + Words::kPerWord - 1) / Words::kPerWord;
    for (std::int64_t k = 0; k < words; k += 16) {
        const std::int64_t lines = words - k < 16 ? words - k : 16;
        for (std::int64_t j = 0; j < pitch; j += 16) {
            __m512i block[16];
#pragma GCC unroll 16
            for (int i = 0; i < 16; ++i) {
                block[i] = j + i < width ? loadWords(Words{}, rows[j + i], k, length)
                                         : _mm512_setzero_si512();
            }
            transpose(block);
#pragma GCC unroll 16
            for (int i = 0; i < 16; ++i) {
                if (i < lines) {
                    _mm512_storeu_si512(out + (k + i) * pitch + j, block[i]);
                }
            }
        }
    }
}

} // namespace
} // namespace mooring::kernels::cpu
