"""What reading commands, set-ups and scripts shares: refusing what nobody would look at, amounts of money.

A misspelt key that is passed over says less than its writer thinks. So every key is known or refused, with
the place it stands in and what may stand there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from lammer.game.money import parse_amount
from lammer.rulebook.refusal import Refused

_NOTHING = re.compile(r"0+(\.0{1,2})?")
_LONGEST = 60


def malformed(place: str, what: str, next_step: str = "") -> Refused:
    """The refusal of a part of a script: where it stands and what is wrong with it.

    >>> print(malformed("limits.tie", "is no table."))
    Refused malformed_input: limits.tie is no table.
    """
    then = "{then}" if next_step else ""
    return Refused(
        "malformed_input", "{place} {what}", next_step=then, place=place, what=what, then=next_step
    )


def must_know(keys: Collection[str], known: Collection[str], place: str) -> None:
    """Refuse keys that are not among the known ones, and list those.

    >>> must_know({"minimun": "50"}, ["minimum", "maximum"], "tie")
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused malformed_input: tie has no minimun. ...
    """
    unknown = sorted(set(keys).difference(known))
    if unknown:
        may_have = f"It may have {', '.join(sorted(known))}." if known else "It may have nothing."
        raise malformed(place, f"has no {', '.join(key[:_LONGEST] for key in unknown)}.", may_have)


def must_be_table(value: object, place: str) -> Mapping[str, Any]:
    """A table with its keys, or a refusal."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise malformed(place, "is a table, such as { p1 = 1 }.")
    return value


def must_be_moment(at: object, place: str) -> None:
    """Refuse what is no moment, or one that leaves open where on earth it is."""
    if not isinstance(at, datetime) or at.tzinfo is None:
        raise malformed(place, "is a moment with its offset, such as 2026-01-01T12:00:00+08:00.")


def parse_cents(written: object, what: str = "The amount", *, signed: bool = False) -> int:
    """An amount of a script in cents: stakes and nets are written the same way.

    A stake is above zero; what a player gained or lost is `signed`.

    >>> parse_cents("100"), parse_cents("100.00"), parse_cents("100.5")
    (10000, 10000, 10050)
    >>> parse_cents("-50", signed=True), parse_cents("+50", signed=True), parse_cents("0", signed=True)
    (-5000, 5000, 0)
    """
    text = str(written)
    if not signed:
        return parse_amount(text, what)
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text.removeprefix("+"))
    cents = 0 if _NOTHING.fullmatch(digits) else parse_amount(digits, what)
    return -cents if sign else cents
