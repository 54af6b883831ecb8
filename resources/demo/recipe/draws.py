# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo's random draws: the same on every machine and in every version of Python.

A document depends only on the name of its stream and on its index, so that texts can be made in any
order and a set can be made longer without changing what it had.
"""

import hashlib

MASK = (1 << 64) - 1


class Draws:
    """SplitMix64 (Steele, Lea and Flood 2014) with unbiased reduction to a range."""

    def __init__(self, seed: int):
        self.state = seed & MASK

    @classmethod
    def of(cls, stream: str, index: int) -> "Draws":
        digest = hashlib.sha256(f"{stream}/{index}".encode()).digest()
        return cls(int.from_bytes(digest[:8], "big"))

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """A whole number of 0 .. n-1. Values of the incomplete last block are drawn again."""
        limit = (1 << 64) - (1 << 64) % n
        while True:
            value = self.next()
            if value < limit:
                return value % n

    def between(self, low: int, high: int) -> int:
        """A whole number of low .. high, both included."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent

    def pick(self, items):
        return items[self.below(len(items))]

    def shuffled(self, items) -> list:
        """Fisher-Yates from the end."""
        out = list(items)
        for last in range(len(out) - 1, 0, -1):
            other = self.below(last + 1)
            out[last], out[other] = out[other], out[last]
        return out

    def some(self, items, count: int) -> list:
        """`count` different items in random order."""
        pool = list(items)
        return [pool.pop(self.below(len(pool))) for _ in range(count)]
