"""Count systems: the best small whole-number tags for each bet, and what betting by them is worth.

A system adds up the tags of the cards that are gone and divides by the decks left: the true count. The tags
are the best there are, not a rounding: over all balanced tags no larger than `LARGEST` the ones that follow
the effects of removal most closely, found by going through every sum and every length there can be.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import RANKS, SUITS

_TAG = re.compile(r"([A2-9TJQK])=([+-]?[0-9]{1,2})")
LARGEST = 3
"""The largest tag; players have to keep the count in their heads."""


@dataclass(frozen=True, slots=True)
class System:
    """Tags by rank, in the order of the ranks, and how closely they follow the effects of removal."""

    tags: tuple[int, ...]
    correlation: float


def best_system(effects: Mapping[str, Fraction]) -> System | None:
    """The best balanced tags for a bet, from what each rank's removal does to the House's edge.

    A bet that no single card moves, such as one on pairs from a full shoe, has no such system.

    >>> effects = dict.fromkeys("A23456789TJQK", Fraction(0)) | {"5": Fraction(-2), "4": Fraction(2)}
    >>> best_system(effects).tags
    (0, 0, 0, -1, 1, 0, 0, 0, 0, 0, 0, 0, 0)
    """
    ranks = [rank for rank in RANKS if rank in effects]
    helps = np.array([-float(effects[rank]) for rank in ranks])
    helps -= helps.mean()
    length = float(np.sqrt((helps**2).sum()))
    if length < 1e-12:
        return None
    tags = _closest(helps)
    correlation = float(helps @ tags) / (length * float(np.sqrt((tags**2).sum())))
    by_rank = dict(zip(ranks, tags, strict=True))
    return System(tuple(int(by_rank.get(rank, 0)) for rank in RANKS), correlation)


def system_of(tags: tuple[int, ...], effects: Mapping[str, Fraction]) -> System:
    """Tags of one's own, with how closely they follow the effects of removal on a bet.

    >>> effects = dict.fromkeys("A23456789TJQK", Fraction(0)) | {"5": Fraction(-2), "4": Fraction(2)}
    >>> system_of((0, 0, 0, -1, 1, 0, 0, 0, 0, 0, 0, 0, 0), effects).correlation
    1.0
    """
    helps = np.array([-float(effects.get(rank, 0)) for rank in RANKS])
    helps -= helps.mean()
    values = np.array(tags, np.float64)
    lengths = float(np.sqrt((helps**2).sum() * ((values - values.mean()) ** 2).sum()))
    return System(tags, round(float(helps @ values) / lengths, 12) if lengths > 1e-12 else 0.0)


def mirror(system: System) -> System:
    """The same count read from its other end.

    >>> mirror(System((1, 0, -2), 0.9)).tags
    (-1, 0, 2)
    """
    return System(tuple(-tag for tag in system.tags), system.correlation)


def parse_tags(text: str) -> tuple[int, ...]:
    """Tags by rank as `4=-1,5=1,T=0`; a rank left out has none, T stands for pictures not named.

    >>> parse_tags("4=-2, 9=1, T=1")
    (0, 0, 0, -2, 0, 0, 0, 0, 1, 1, 1, 1, 1)
    """
    tags: dict[str, int] = {}
    for part in text.replace(" ", "").split(","):
        match = _TAG.fullmatch(part)
        if match is None or match[1] in tags:
            raise Refused(
                "impossible_run",
                "{part} is not a tag of a rank.",
                next_step="Write 4=-1,5=1,9=2; T stands for the pictures too.",
                part=repr(part[:40]),
            )
        tags[match[1]] = int(match[2])
    if not any(tags.values()):
        raise Refused(
            "impossible_run",
            "{part} is not a tag of a rank.",
            next_step="Write 4=-1,5=1,9=2; T stands for the pictures too.",
            part=repr(text[:40]),
        )
    return tuple(tags.get(rank, tags.get("T", 0) if rank in "JQK" else 0) for rank in RANKS)


def _closest(helps: NDArray[np.float64]) -> NDArray[np.int64]:
    """The balanced tags with the largest cosine to `helps`; ranks that help alike get one tag.

    `best[i][s, v]` is the largest product the first i kinds of rank can have with sum s and square length
    v; the tags are read back from the largest product over square root of length.
    """
    kinds, of_rank, sizes = np.unique(helps.round(14), return_inverse=True, return_counts=True)
    reach, squares = LARGEST * len(helps), LARGEST**2 * len(helps)
    allowed = sorted(range(-LARGEST, LARGEST + 1), key=abs)
    best = np.full((len(kinds) + 1, 2 * reach + 1, squares + 1), -np.inf)
    best[0, reach, 0] = 0.0
    for i, (help_, size) in enumerate(zip(kinds, sizes, strict=True)):
        for tag in allowed:
            step, square = size * tag, size * tag * tag
            low, high = max(0, -step), min(2 * reach + 1, 2 * reach + 1 - step)
            before = best[i, low:high, : squares + 1 - square]
            after = best[i + 1, low + step : high + step, square:]
            np.maximum(after, before + step * help_, out=after)
    lengths = np.sqrt(np.arange(1, squares + 1))
    # Tags that are multiples of each other follow equally well: the smallest are the first.
    v = int(np.argmax((best[-1, reach, 1:] / lengths).round(12))) + 1
    s, tags = reach, np.zeros(len(kinds), np.int64)
    for i in range(len(kinds) - 1, -1, -1):
        for tag in allowed:
            step, square = int(sizes[i]) * tag, int(sizes[i]) * tag * tag
            if square <= v and 0 <= s - step <= 2 * reach:
                before = best[i, s - step, v - square] + step * kinds[i]
                if np.isclose(before, best[i + 1, s, v], rtol=1e-12, atol=1e-15):
                    tags[i], s, v = tag, s - step, v - square
                    break
    return tags[of_rank]


def true_counts(
    systems: list[System | None], states: NDArray[np.int16], full: NDArray[np.int16]
) -> NDArray[np.float64]:
    """The true count of every system in every state: tags gone, a deck left."""
    tags = np.array([system.tags if system else (0,) * 13 for system in systems], np.int64)
    gone = full.astype(np.int64) - states
    running = gone @ tags.T
    left = states.sum(axis=1, dtype=np.int64)
    deck = len(SUITS) * np.count_nonzero(full)
    counts: NDArray[np.float64] = running * float(deck) / left[:, None]
    return counts
