// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that are the same with every compiler; the standard library's distributions are not.
#pragma once
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace mooring {

// SplitMix64 (Steele, Lea and Flood, 2014).
class SplitMix64 {
public:
    explicit SplitMix64(std::uint64_t seed)
        : m_state(seed) { }

    std::uint64_t next() {
        std::uint64_t z = (m_state += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }

    // A number below n > 0; draws from the incomplete last cycle are rejected, so that all are
    // equally likely.
    std::uint64_t below(std::uint64_t n) {
        const std::uint64_t unfair = (0 - n) % n; // 2^64 mod n
        std::uint64_t draw = next();
        while (draw < unfair)
            draw = next();
        return draw % n;
    }

private:
    std::uint64_t m_state;
};

// A generator for one purpose (an epoch, a split) of one seed.
inline SplitMix64 streamOf(std::uint64_t seed, std::uint64_t stream) {
    return SplitMix64(SplitMix64(seed).next() ^ SplitMix64(~stream).next());
}

// Fisher-Yates over 0 .. n-1.
inline std::vector<std::uint32_t> permutation(std::size_t n, SplitMix64 random) {
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = n; i > 1; --i)
        std::swap(order[i - 1], order[random.below(i)]);
    return order;
}

} // namespace mooring
