"""Grading: what somebody wrote is brought to the normal form of the item and compared with its answer.

Money is dollars and cents with two places (`47.50`), points are a digit, odds are written with a colon in
lowest terms (`19:20`), chips are piles with the largest chips first (`2x100 1x25`), and of choices the name
is taken, which may be given by its number in the list.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from lammer.academy.chips import read_piles, write_piles
from lammer.academy.items import Item
from lammer.game.money import LARGEST, show
from lammer.rulebook.refusal import Refused

_MONEY: Final = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{1,2}))?")
_ODDS: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,4})?)\s*(?::|/|to)\s*([0-9]{1,6}(?:\.[0-9]{1,4})?)")
_LONGEST: Final = 200


def grade(item: Item, written: str) -> bool:
    """Whether this is the right answer; what cannot be read as one is `not_an_answer`.

    >>> from lammer import rulebook
    >>> from lammer.academy.asking import make_item
    >>> item = make_item(rulebook("tiger-buffalo-noncommission@4"), "totals", 1)
    >>> grade(item, item.answer)
    True
    """
    return normal_form(item, written) == item.answer


def normal_form(item: Item, written: str) -> str:
    """What somebody wrote, in the normal form of the item; or `not_an_answer`."""
    text = written.strip()[:_LONGEST]
    match item.form:
        case "points":
            normal = text if text.isascii() and text.isdigit() and len(text) == 1 else None
        case "choice":
            normal = _chosen(item, text)
        case "money":
            normal = read_money(text)
        case "odds":
            normal = read_odds(text)
        case "chips":
            piles = read_piles(text)
            normal = None if piles is None else write_piles(piles)
    if normal is None:
        raise _not_an_answer(text)
    return normal


def _chosen(item: Item, text: str) -> str | None:
    names = [choice.name for choice in item.choices]
    if text.isascii() and text.isdigit() and 1 <= int(text) <= len(names):
        return names[int(text) - 1]
    return text if text in names else None


def read_money(text: str) -> str | None:
    """An amount in the normal form; None where it is none. Nothing is an amount here: a lost bet pays 0.

    >>> read_money("1,250.5"), read_money("0"), read_money("-3")
    ('1250.50', '0.00', None)
    """
    match = _MONEY.fullmatch(text)
    if match is None:
        return None
    cents = int(match[1].replace(",", "")) * 100 + int((match[2] or "").ljust(2, "0"))
    return show(cents) if cents <= LARGEST else None


def read_odds(text: str) -> str | None:
    """Odds in lowest terms; None where they are none.

    >>> read_odds("0.95:1"), read_odds("10 to 4"), read_odds("even")
    ('19:20', '5:2', None)
    """
    match = _ODDS.fullmatch(text)
    if match is None or not Fraction(match[2]):
        return None
    return normal_odds(Fraction(match[1]) / Fraction(match[2]))


def normal_odds(profit: Fraction) -> str:
    """What one unit wins, as odds in lowest terms.

    >>> normal_odds(Fraction(5, 2)), normal_odds(Fraction(8))
    ('5:2', '8:1')
    """
    return f"{profit.numerator}:{profit.denominator}"


def _not_an_answer(text: str) -> Refused:
    return Refused(
        "not_an_answer",
        "{written} is not an answer to this question.",
        next_step="Write a digit, an amount such as 47.50, odds such as 5:2, chips such as 2x100 1x25, "
        "or the number of a choice: whichever is asked for.",
        written=repr(text[:40]),
    )
