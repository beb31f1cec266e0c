"""Odds and rates as exact fractions, read from the strings the documents print.

Floats never get this far: `0.95:1` is nineteen twentieths, not the nearest binary number to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from lammer.rulebook.phrase import Phrase

_SIDE = r"(?:0|[1-9][0-9]{0,5})(?:\.[0-9]{1,4})?"
_ODDS = re.compile(rf"({_SIDE}):({_SIDE})")
_ANY_SIZE = re.compile(r"[0-9]+(?:\.[0-9]+)?:[0-9]+(?:\.[0-9]+)?")
_RATE = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,4})?)%")


@dataclass(frozen=True, slots=True)
class Odds:
    """What one unit of stake wins, and how the document writes it.

    >>> Odds.parse("3:2").profit
    Fraction(3, 2)
    >>> print(Odds.parse("0.95:1"), Odds.parse("0.95:1").profit)
    0.95:1 19/20
    """

    text: str
    profit: Fraction

    @classmethod
    def parse(cls, text: str) -> Odds:
        """Read `a:b`; anything else, or nothing won for something staked, is a ValueError."""
        match = _ODDS.fullmatch(text)
        if match is None and _ANY_SIZE.fullmatch(text):
            raise ValueError(Phrase("odds of at most 999999.9999 on a side, with no zeros before them,"))
        if match is None:
            raise ValueError(Phrase('odds such as "50:1", "3:2" or "0.95:1"'))
        if not Fraction(match[1]) or not Fraction(match[2]):
            raise ValueError(Phrase('odds such as "50:1", that win more than 0 for a stake of more than 0'))
        return cls(text, Fraction(match[1]) / Fraction(match[2]))

    def __str__(self) -> str:
        return self.text

    @property
    def spoken(self) -> str:
        """As a dealer says it.

        >>> Odds.parse("5:2").spoken
        '5 to 2'
        """
        return self.text.replace(":", " to ")


def parse_rate(text: str) -> Fraction:
    """Read a percentage, such as a commission.

    >>> parse_rate("5%")
    Fraction(1, 20)
    """
    match = _RATE.fullmatch(text)
    if match is None or not 0 < Fraction(match[1]) < 100:
        raise ValueError(Phrase('a percentage between 0% and 100%, such as "5%"'))
    return Fraction(match[1]) / 100


def parse_share(text: str) -> Fraction:
    """Read a share of a stake, all of it and more included.

    >>> parse_share("50%"), parse_share("100%")
    (Fraction(1, 2), Fraction(1, 1))
    """
    match = _RATE.fullmatch(text)
    if match is None or not Fraction(match[1]):
        raise ValueError(Phrase('a percentage above 0%, such as "50%"'))
    return Fraction(match[1]) / 100
