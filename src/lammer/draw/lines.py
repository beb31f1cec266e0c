"""A value that moves with another as a line: small enough that many stand beside each other.

Each picture has a scale of its own, since what is looked at is how a value moves; its first and its last
value are written at the ends, and every value is said when asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lammer.draw.svg import BLUE, INK, Anchor, Markup, Svg, circle, document, group, path, text, title_tag

_WIDE, _HIGH = 260, 130
_LEFT, _RIGHT, _TOP, _FOOT = 24, 24, 26, 40
_GREY, _LINE = "#4a544d", "#cfd3cb"
_FLAT: Final = 0.5
"""Where the line lies, of the height, when nothing moves."""


def line_chart(points: Sequence[tuple[str, float, str]], *, title: str) -> Svg:
    """One line through these points: what stands below each, its value, and how the value is written.

    >>> picture = line_chart([("4", 14.59, "14.5916"), ("8", 14.36, "14.3596")], title="Tie")
    >>> "14.5916" in picture, picture.count("<circle")
    (True, 2)
    """
    values = [value for _, value, _ in points]
    least, most = min(values, default=0.0), max(values, default=0.0)
    bottom, room = _HIGH - _FOOT, _HIGH - _TOP - _FOOT
    step = (_WIDE - _LEFT - _RIGHT) / max(1, len(points) - 1)
    places = [
        (_LEFT + number * step, bottom - room * ((value - least) / (most - least) if most > least else _FLAT))
        for number, value in enumerate(values)
    ]
    line = "".join(f"{'L' if number else 'M'}{x:.2f} {y:.2f}" for number, (x, y) in enumerate(places))
    elements: list[Markup] = [path(f"M{_LEFT} {_HIGH - 19}H{_WIDE - _RIGHT}", "none", stroke=_LINE, line=1)]
    elements += [path(line, "none", stroke=BLUE, line=2)] if len(points) > 1 else []
    for number, ((label, value, written), (x, y)) in enumerate(zip(points, places, strict=True)):
        dot = [title_tag(f"{label}: {written}"), circle(x, y, 4, BLUE)]
        if number in (0, len(points) - 1):
            # Away from the line: above where it comes up to this point or goes down from it, else below.
            above = value >= values[1 if number == 0 else number - 1] if len(values) > 1 else True
            place = y - 9 if above else y + 18
            dot.append(text(x, place, written, 13, INK, anchor=_anchor(number, len(points)), bold=True))
        elements += [group(*dot), text(x, _HIGH - 6, label, 12, _GREY)]
    return document(_WIDE, _HIGH, title, *elements)


def _anchor(number: int, count: int) -> Anchor:
    """The first value begins at its point, the last ends there."""
    if count == 1:
        return "middle"
    return "end" if number else "start"
