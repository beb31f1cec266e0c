"""Figures as pictures for pages: a grid of cells coloured by what they cost, and bars before and after.

The number stands in every cell and beside every bar: colour only helps the eye. What lies above nothing is
red, what lies below is green, on grounds light enough to read on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from lammer.draw.svg import INK, Markup, Svg, document, group, path, rect, text, title_tag

_WIDE, _HIGH, _LEFT, _TOP = 46, 34, 64, 58
_NONE, _LINE = "#f1f1ee", "#cfd3cb"
_HOT, _COOL = (240, 140, 130), (120, 200, 150)
_OLD, _MORE, _LESS = "#9aa39c", "#b3202c", "#1c6b3a"
_BAR_WIDE, _BAR_HIGH = 200, 24

Cells = Mapping[tuple[int, int], tuple[float, str, str]]
"""By row and column: a value for the colour, the text in the cell, and what it says when asked."""


def colour(value: float, most: float) -> str:
    """A ground for a value: white at nothing, red towards `most`, green towards its opposite.

    >>> colour(0, 10), colour(10, 10), colour(-10, 10)
    ('#ffffff', '#f08c82', '#78c896')
    """
    share = min(1.0, abs(value) / most) if most else 0.0
    target = _HOT if value > 0 else _COOL
    return "#" + "".join(f"{round(255 + (part - 255) * share):02x}" for part in target)


def heat_map(
    cells: Cells,
    rows: Sequence[int],
    columns: Sequence[int],
    *,
    title: str,
    down: str,
    across: str,
    most: float,
) -> Svg:
    """A grid of these rows and columns; where there is no cell, nothing is offered.

    >>> cells = {(6, 0): (9.5, "9.5", "6 to 0")}
    >>> picture = heat_map(cells, (5, 6), (0, 1), title="t", down="d", across="a", most=20)
    >>> "9.5" in picture, "6 to 0" in picture
    (True, True)
    """
    width, height = _LEFT + len(columns) * _WIDE + 8, _TOP + len(rows) * _HIGH + 8
    elements = [
        text(_LEFT + len(columns) * _WIDE / 2, 20, across, 14, INK, bold=True, within=width - 16),
        text(6, 44, down, 14, INK, anchor="start", bold=True, within=_LEFT - 8),
    ]
    elements += [
        text(_LEFT + (x + 0.5) * _WIDE, 46, str(column), 14, INK, bold=True)
        for x, column in enumerate(columns)
    ]
    elements += [
        text(_LEFT - 14, _TOP + (y + 0.65) * _HIGH, str(row), 14, INK, anchor="end", bold=True)
        for y, row in enumerate(rows)
    ]
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            elements.append(
                group(_cell(cells.get((row, column)), most), x=_LEFT + x * _WIDE, y=_TOP + y * _HIGH)
            )
    return document(width, height, title, *elements)


def _cell(cell: tuple[float, str, str] | None, most: float) -> Markup:
    if cell is None:
        return rect(0, 0, _WIDE, _HIGH, _NONE, stroke=_LINE, line=1)
    value, label, title = cell
    return group(
        title_tag(title),
        rect(0, 0, _WIDE, _HIGH, colour(value, most), stroke=_LINE, line=1),
        text(_WIDE / 2, _HIGH * 0.65, label, 13, INK, within=_WIDE - 4),
    )


def pair_bar(before: float, after: float, least: float, most: float, *, title: str) -> Svg:
    """Two bars on one scale, what was above what is; the second is red where it costs more.

    Where nothing changed there is one.

    >>> "1.06 to 1.46" in pair_bar(1.06, 1.46, 0, 30, title="1.06 to 1.46")
    True
    """
    least, most = min(least, 0.0), max(most, 0.0)
    scale: Final = (_BAR_WIDE - 4) / (most - least) if most > least else 0.0
    zero = 2 - least * scale

    def bar(value: float, y: int, high: int, fill: str) -> Markup:
        return rect(zero + min(0.0, value) * scale, y, max(1.0, abs(value) * scale), high, fill)

    bars = [bar(before, 4, 16, _OLD)]
    if after != before:
        bars = [bar(before, 3, 8, _OLD), bar(after, 12, 9, _MORE if after > before else _LESS)]
    return document(
        _BAR_WIDE,
        _BAR_HIGH,
        title,
        *bars,
        path(f"M{zero:.2f} 0V{_BAR_HIGH}", "none", stroke=INK, line=1),
    )
