"""Chance from a seed: every part of a collection has its own, so that it can be made without the others."""

from __future__ import annotations

import random
from hashlib import blake2b


def chance(seed: int, *part: str | int) -> random.Random:
    """The generator of one part of the collection; the same for the same seed and part on any machine."""
    return random.Random(f"limit:{seed}:{':'.join(map(str, part))}")


class Shuffled:
    """The numbers below `size` in an order drawn from a key, each computed by itself: `of(at)` is the one at `at`.

    A Feistel network of four rounds over the next even number of bits; what falls outside is sent through again.
    """

    def __init__(self, size: int, key: str) -> None:
        self.size, self._key = size, key.encode()
        self._half = max(1, ((size - 1).bit_length() + 1) // 2)
        self._mask = (1 << self._half) - 1

    def of(self, at: int) -> int:
        """A number below `size`, different for each `at`."""
        while True:
            left, right = at >> self._half, at & self._mask
            for turn in range(4):
                left, right = right, left ^ (self._mixed(turn, right) & self._mask)
            at = (left << self._half) | right
            if at < self.size:
                return at

    def _mixed(self, turn: int, value: int) -> int:
        return int.from_bytes(blake2b(b"%d:%d" % (turn, value), key=self._key[:64], digest_size=8).digest(), "little")
