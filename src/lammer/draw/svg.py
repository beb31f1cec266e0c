"""The few SVG primitives the drawings are made of.

Only this module writes markup. Everything that is text goes through `escaped`, and the type `Markup`
lets mypy say so: a plain string cannot become part of a picture by accident. Colours are attributes, not
styles, and nothing has an id, so that many pictures live in one page without touching each other.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final, Literal, NewType
from unicodedata import east_asian_width

Markup = NewType("Markup", str)
Number = int | float
Anchor = Literal["start", "middle", "end"]

FONTS: Final = "Helvetica, Arial, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"
RED: Final = "#c8102e"
BLUE: Final = "#1756b8"
GREEN: Final = "#14803c"
INK: Final = "#1c1c1c"
WHITE: Final = "#ffffff"
GOLD: Final = "#f2d488"
FELT: Final = "#0f5c3c"
DARK_FELT: Final = "#0a4029"

# What XML 1.0 has no way to write, not even escaped.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Svg(str):
    """A whole picture: a string that notebooks and templates show as the picture it is."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def __html__(self) -> str:
        return str(self)


def escaped(content: str) -> Markup:
    """Text from anywhere, safe in an element and in an attribute.

    >>> escaped('<b>"\\x00" & more')
    '&lt;b&gt;&quot;\ufffd&quot; &amp; more'
    """
    return Markup(escape(_UNWRITABLE.sub("\ufffd", content), quote=False).replace('"', "&quot;"))


def tag(name: str, *children: Markup, **attributes: str | Number | None) -> Markup:
    """An element. Attributes are written in the order given; `stroke_width` becomes `stroke-width`.

    >>> tag("line", x1=0, x2=2.50, stroke_width=1, fill=None)
    '<line x1="0" x2="2.5" stroke-width="1"/>'
    """
    attribute_text = "".join(
        f' {key.replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if not children:
        return Markup(f"<{name}{attribute_text}/>")
    return Markup(f"<{name}{attribute_text}>{''.join(children)}</{name}>")


def document(width: Number, height: Number, title: str, *children: Markup) -> Svg:
    """A whole picture of that size, with a title for those who cannot see it.

    >>> document(10, 20, "A & B")
    '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20" viewBox="0 0 10 20" ...</svg>'
    """
    return Svg(
        tag(
            "svg",
            title_tag(title),
            *children,
            xmlns="http://www.w3.org/2000/svg",
            width=width,
            height=height,
            viewBox=f"0 0 {_value(width)} {_value(height)}",
            role="img",
            font_family=FONTS,
        )
    )


def title_tag(title: str) -> Markup:
    """The accessible name of the element it is the first child of; browsers show it on hovering."""
    return tag("title", escaped(title))


def group(*children: Markup, x: Number = 0, y: Number = 0, turn: Number = 0, scale: Number = 1) -> Markup:
    """Children moved to (x, y), and there turned by so many degrees and made larger."""
    moves = [f"translate({_value(x)} {_value(y)})"] if x or y else []
    moves += [f"rotate({_value(turn)})"] if turn else []
    moves += [f"scale({_value(scale)})"] if scale != 1 else []
    return tag("g", *children, transform=" ".join(moves) or None)


def rect(
    x: Number,
    y: Number,
    width: Number,
    height: Number,
    fill: str,
    *,
    stroke: str | None = None,
    line: Number | None = None,
    round_by: Number | None = None,
) -> Markup:
    return tag(
        "rect",
        x=x,
        y=y,
        width=width,
        height=height,
        rx=round_by,
        fill=fill,
        stroke=stroke,
        stroke_width=line,
    )


def circle(
    x: Number, y: Number, r: Number, fill: str, *, stroke: str | None = None, line: Number | None = None
) -> Markup:
    return tag("circle", cx=x, cy=y, r=r, fill=fill, stroke=stroke, stroke_width=line)


def path(
    d: str, fill: str, *, stroke: str | None = None, line: Number | None = None, cap: str | None = None
) -> Markup:
    return tag("path", d=d, fill=fill, stroke=stroke, stroke_width=line, stroke_linecap=cap)


def text(
    x: Number,
    y: Number,
    content: str,
    size: Number,
    fill: str,
    *,
    anchor: Anchor = "middle",
    bold: bool = False,
    within: Number | None = None,
) -> Markup:
    """A line of text on the baseline y; with `within`, made smaller or cut to be no wider than that."""
    if within is not None:
        content, size = fit(content, size, within)
    return tag(
        "text",
        escaped(content),
        x=x,
        y=y,
        font_size=size,
        fill=fill,
        text_anchor=anchor,
        font_weight="bold" if bold else None,
    )


def fit(content: str, size: Number, within: Number) -> tuple[str, Number]:
    """Text and size that go into that width: smaller first, down to two thirds, then cut short.

    >>> fit("Tie", 12, 80), fit("Banker Char Siu", 12, 80)
    (('Tie', 12), ('Banker Char Siu', 9.5))
    >>> fit("A title that no felt was ever wide enough for", 12, 80)
    ('A title that no felt w…', 8.0)
    """
    width = width_of(content, size)
    if width <= within:
        return content, size
    smaller = max(int(size * within / width * 10) / 10, size * 2 / 3)
    while width_of(content, smaller) > within and len(content) > 1:
        content = content.removesuffix("…")[:-1] + "…"
    return content, smaller


def width_of(content: str, size: Number) -> float:
    """About how wide a text comes out, on the generous side: the fonts of the reader are not known.

    >>> width_of("1,500", 10), width_of("闲对", 10)
    (27.0, 20.0)
    """
    tenths = 0
    for character in content:
        if east_asian_width(character) in "WF":
            tenths += 10
        elif character in " .,:;'!|/ijltf()":
            tenths += 3
        else:
            tenths += 7 if character.isupper() or character in "mw@%&…" else 6
    return tenths * size / 10


def _value(value: str | Number) -> str:
    """An attribute's value; numbers to two places, so that they come out alike everywhere."""
    if isinstance(value, str):
        return escaped(value)
    digits = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if digits == "-0" else digits
