// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/mxfp4.h"
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace mooring {
namespace {

std::vector<std::byte> bytesOf(const std::vector<int>& values) {
    std::vector<std::byte> bytes;
    for (const int value : values)
        bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

std::vector<float> unpack(const std::vector<std::byte>& blocks, const std::vector<int>& scales) {
    std::vector<std::uint16_t> bits(scales.size() * kMxfp4Values);
    unpackMxfp4(blocks, bytesOf(scales), bits);
    std::vector<float> values;
    for (const std::uint16_t half : bits)
        values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16));
    return values;
}

// All sixteen codes of one block, 0 to 15 in order, and then 0.
std::vector<std::byte> everyCode() {
    std::vector<int> block = {0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe};
    block.resize(kMxfp4Bytes);
    return bytesOf(block);
}

TEST(Mxfp4, TheLowerHalfOfAByteComesFirst) {
    const auto values = unpack(everyCode(), {127});
    const std::vector<float> expected
        = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6, -0.0F, -0.5F, -1, -1.5F, -2, -3, -4, -6};
    for (std::size_t i = 0; i < 16; ++i) {
        EXPECT_EQ(values[i], expected[i]);
        EXPECT_EQ(std::signbit(values[i]), i >= 8);
    }
    for (std::size_t i = 16; i < 32; ++i)
        EXPECT_EQ(values[i], 0);
}

TEST(Mxfp4, EveryCodeAtEveryScaleIsItsProduct) {
    const double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    for (int scale = 0; scale < 256; ++scale) {
        const auto values = unpack(everyCode(), {scale});
        for (std::size_t code = 0; code < 16; ++code) {
            const double exact = std::ldexp(magnitudes[code % 8], scale - 127);
            const double held = exact < 0x1p128 ? exact : HUGE_VAL;
            EXPECT_EQ(values[code], code < 8 ? held : -held) << scale << ' ' << code;
        }
    }
}

TEST(Mxfp4, EachBlockHasItsOwnScale) {
    std::vector<std::byte> blocks(3 * kMxfp4Bytes, std::byte{0x22}); // all ones
    const auto values = unpack(blocks, {128, 126, 130});
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(values[i], i < 32 ? 2 : i < 64 ? 0.5F : 8);
}

} // namespace
} // namespace mooring
