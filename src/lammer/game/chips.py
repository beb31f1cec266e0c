"""The chips of the house, and which of them make up an amount."""

from __future__ import annotations

from typing import Final

WORTHS: Final = (1, 5, 10, 25, 50, 100, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000)
"""The chips of the house, in dollars."""


def chips_for(cents: int) -> tuple[list[tuple[int, int]], int]:
    """The chips an amount is paid with, the largest first, each with how many; and the cents that are left.

    With these worths that is also the one way with the fewest chips.

    >>> chips_for(1_230_50)
    ([(1000, 1), (100, 2), (25, 1), (5, 1)], 50)
    """
    dollars, left = divmod(cents, 100)
    chips = []
    for worth in reversed(WORTHS):
        count, dollars = divmod(dollars, worth)
        if count:
            chips.append((worth, count))
    return chips, left
