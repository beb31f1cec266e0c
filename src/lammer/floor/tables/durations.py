"""How long commands took, counted by size, for the metrics."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import Final

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds."""


class Durations:
    """How long something took, counted by size.

    >>> took = Durations()
    >>> took.add(0.003)
    >>> took.add(60)
    >>> took.counts[2], took.counts[-1], took.total
    (1, 1, 60.003)
    """

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """Each bound, and how many took no longer."""
        bounds = [*(f"{bound:g}" for bound in BOUNDS), "+Inf"]
        return list(zip(bounds, map(float, accumulate(self.counts)), strict=True))
