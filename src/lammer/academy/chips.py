"""Chips in an answer: piles of the house's chips, written and read."""

from __future__ import annotations

import re
from typing import Final

from lammer.game.chips import WORTHS, chips_for

_PILE: Final = re.compile(r"([0-9]{1,6})\s*[x×*]\s*([0-9]{1,9})")


def can_pay(cents: int) -> bool:
    """Whether chips come to exactly this amount.

    >>> can_pay(47_00), can_pay(47_50), can_pay(0)
    (True, False, False)
    """
    return cents > 0 and not chips_for(cents)[1]


def write_piles(piles: dict[int, int]) -> str:
    """Piles as they are written in an answer, the largest chips first.

    >>> write_piles({1: 1, 100: 2})
    '2x100 1x1'
    """
    return " ".join(f"{piles[worth]}x{worth}" for worth in sorted(piles, reverse=True))


def read_piles(written: str) -> dict[int, int] | None:
    """Piles as somebody wrote them, in any order; None where that is no pile of chips there are.

    >>> read_piles("1x5, 2 x 100 1x100"), read_piles("3x7"), read_piles("100")
    ({5: 1, 100: 3}, None, None)
    """
    text = written.replace(",", " ").replace("+", " ").strip()
    rest = _PILE.sub(" ", text)
    if rest.strip() or not text:
        return None
    piles: dict[int, int] = {}
    for count, worth in ((int(count), int(worth)) for count, worth in _PILE.findall(text)):
        if worth not in WORTHS:
            return None
        if count:
            piles[worth] = piles.get(worth, 0) + count
    return piles or None
