"""Amounts as bars, drawn in Python: what the House won is green to the right, what it lost red to the left.

The sign stands in the number too, so that nothing depends on colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lammer.draw.svg import GREEN, INK, RED, Svg, document, rect, text
from lammer.wording.catalogues import Language
from lammer.wording.figures import write_gain

_WIDE, _HIGH, _GAP, _LABEL, _VALUE = 720, 22, 8, 240, 120
_HALF: Final = "#8b938c"


def bars(language: Language, title: str, rows: Sequence[tuple[str, int]]) -> Svg:
    """One bar an amount of cents, all to one scale.

    >>> picture = bars("en", "Win", [("Tie", 100_00), ("Banker", -50_00)])
    >>> "+100" in picture, "−50" in picture
    (True, True)
    """
    height = max(1, len(rows)) * (_HIGH + _GAP) + _GAP
    room = _WIDE - _LABEL - _VALUE
    most = max((cents for _, cents in rows if cents > 0), default=0)
    least = min((cents for _, cents in rows if cents < 0), default=0)
    span = most - least or 1
    zero = _LABEL + room * -least / span
    drawn = [rect(zero - 0.5, 0, 1, height, _HALF)]
    for number, (label, cents) in enumerate(rows):
        y = _GAP + number * (_HIGH + _GAP)
        wide = room * abs(cents) / span
        left = zero if cents >= 0 else zero - wide
        drawn += [
            text(0, y + 16, label, 14, INK, anchor="start", within=_LABEL - 40),
            rect(left, y, max(wide, 0.5), _HIGH, GREEN if cents >= 0 else RED, round_by=2),
            text(_WIDE, y + 16, write_gain(language, cents), 14, INK, anchor="end", bold=True),
        ]
    return document(_WIDE, height, title, *drawn)
