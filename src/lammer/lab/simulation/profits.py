"""What a unit staked comes to, whatever becomes of the round: fractions, and whole numbers of a part.

A round is known by its path (totals and cards) or by its pairs; what it pays is asked of the game's own
judgement on a round that stands in for all of its kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

import numpy as np

from lammer.lab.exact.edges import situations
from lammer.lab.exact.joint import by_final, by_place, turns_on_pairs
from lammer.lab.exact.ways import paths
from lammer.lab.simulation.kernels import Counts
from lammer.lab.simulation.lookups import lookups
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import Side, Window

__all__ = [
    "by_final", "by_pairs", "by_place", "common_denominator", "insurance_by_key", "insurance_by_path",
    "numerators", "turns_on_pairs",
]  # fmt: skip


def by_pairs(book: Rulebook, name: str) -> tuple[Fraction, ...]:
    """The profit of a unit on a pair bet, for each code of the pairs."""
    return by_place(book, name)


@lru_cache(maxsize=64)
def insurance_by_path(book: Rulebook, hand: Side, window: Window) -> tuple[Fraction | None, ...]:
    """The profit of a unit of Insurance in a window, for each path; None where it is not on offer there."""
    profits: list[Fraction | None] = [None] * len(paths(book))
    for offer, _, _, (won, lost, back) in situations(book):
        if (offer.hand, offer.window) == (hand, window):
            for part, value in ((won, offer.odds.profit), (lost, Fraction(-1)), (back, Fraction(0))):
                for place in part:
                    profits[place] = value
    return tuple(profits)


def insurance_by_key(book: Rulebook, hand: Side, window: Window) -> list[Fraction | None]:
    """The same for each key of a tally."""
    values = insurance_by_path(book, hand, window)
    return [values[path] for path in lookups(book).path_of_key]


def numerators(values: Iterable[Fraction | None], denominator: int) -> Counts:
    """Fractions over a common denominator, as whole numbers; where there is none, 0.

    >>> values = [Fraction(19, 20), Fraction(-1), None, Fraction(1, 2)]
    >>> numerators(values, common_denominator(values)).tolist(), common_denominator(values)
    ([19, -20, 0, 10], 20)
    """
    return np.array([int((value or 0) * denominator) for value in values], np.int64)


def common_denominator(values: Iterable[Fraction | None]) -> int:
    """The least common denominator."""
    return math.lcm(*(value.denominator for value in values if value is not None))
