"""Chance from a seed: the same seed throws the same dice on every machine, for ever."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, TypeVar

T = TypeVar("T")

_BITS: Final = 64
_MASK: Final = (1 << _BITS) - 1


class Dice:
    """SplitMix64, started from any words; numbers below n by rejection, never by the rest of a division.

    >>> dice, again = Dice("drawing", 7), Dice("drawing", 7)
    >>> [dice.below(6) for _ in range(9)] == [again.below(6) for _ in range(9)]
    True
    """

    def __init__(self, *words: object) -> None:
        named = "\0".join(map(str, words)).encode()
        self._state = int.from_bytes(sha256(named).digest()[:8], "big")

    def _next(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        assert 0 < n <= _MASK, n
        shift = _BITS - n.bit_length()
        while (number := self._next() >> shift) >= n:
            pass
        return number

    def between(self, least: int, most: int) -> int:
        """A whole number from `least` to `most`."""
        return least + self.below(most - least + 1)

    def pick(self, choices: Sequence[T]) -> T:
        """One of these."""
        return choices[self.below(len(choices))]

    def one_in(self, n: int) -> bool:
        """True once in n times."""
        return self.below(n) == 0

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """All of these in another order."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order
