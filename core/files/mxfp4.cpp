// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/mxfp4.h"
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <vector>

namespace mooring {
namespace {

constexpr std::array<float, 8> kMagnitudes = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};

// Every product has at most two binary digits, so that cutting off the lower half rounds nothing.
std::uint16_t bf16Of(unsigned nibble, int exponent) {
    const float magnitude = std::ldexp(kMagnitudes[nibble & 7U], exponent);
    const auto bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(magnitude) >> 16);
    return static_cast<std::uint16_t>(bits | (nibble & 8U) << 12);
}

// The two numbers of every byte for every scale, 1 KB a scale: the few scales that one tensor uses
// stay in the nearest cache, and a byte costs one look-up.
using PairsOfScale = std::array<std::array<std::uint16_t, 2>, 256>;

std::vector<PairsOfScale> makePairs() {
    std::vector<PairsOfScale> pairs(256);
    for (int scale = 0; scale < 256; ++scale)
        for (unsigned byte = 0; byte < 256; ++byte)
            pairs[static_cast<std::size_t>(scale)][byte]
                = {bf16Of(byte & 15U, scale - 127), bf16Of(byte >> 4, scale - 127)};
    return pairs;
}

} // namespace

void unpackMxfp4(std::span<const std::byte> blocks, std::span<const std::byte> scales,
    std::span<std::uint16_t> out) {
    assert(blocks.size() == scales.size() * kMxfp4Bytes);
    assert(out.size() == scales.size() * kMxfp4Values);
    static const std::vector<PairsOfScale> kPairs = makePairs();
    const std::byte* packed = blocks.data();
    std::uint16_t* number = out.data();
    for (const std::byte scale : scales) {
        const PairsOfScale& pairs = kPairs[std::to_integer<std::size_t>(scale)];
        for (std::int64_t i = 0; i < kMxfp4Bytes; ++i) {
            const auto& pair = pairs[std::to_integer<std::size_t>(packed[i])];
            std::memcpy(number + 2 * i, pair.data(), sizeof pair);
        }
        packed += kMxfp4Bytes;
        number += kMxfp4Values;
    }
}

} // namespace mooring
