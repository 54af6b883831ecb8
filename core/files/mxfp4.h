// SPDX-License-Identifier: GPL-3.0-or-later
// MXFP4, the four-bit numbers of published gpt-oss experts (OCP microscaling formats): 32 of them
// in 16 bytes, the lower half of a byte first, share one power of two of 8 bits with the bias 127.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace mooring {

constexpr std::int64_t kMxfp4Values = 32; // a block
constexpr std::int64_t kMxfp4Bytes = 16;

// The bits of the bf16 numbers that the blocks stand for, exact and as transformers gives them: a
// scale of 255 is 2^128, and what bf16 cannot hold is infinite. blocks holds 16 bytes for each
// scale, out has room for 32 numbers. May run on several threads.
void unpackMxfp4(std::span<const std::byte> blocks, std::span<const std::byte> scales,
    std::span<std::uint16_t> out);

} // namespace mooring
