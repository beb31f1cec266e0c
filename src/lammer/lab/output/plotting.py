"""How every chart of the lab looks, and how it becomes a file: Vega-Lite drawn by vl-convert, no browser.

One place for colours, shapes and letters: Banker red squares, Player blue circles, Tie green triangles, so
that nobody needs to tell red from green. Altair and vl-convert come with the extra `lab` and are asked for
only when something is drawn. It knows nothing of edges: what a chart says is in `charts`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lammer.draw.svg import BLUE, FONTS, GREEN, INK, RED, WHITE, Svg, escaped
from lammer.lab.output.filing import Say, as_it_stands
from lammer.lab.output.writing import put
from lammer.rulebook.refusal import Refused

if TYPE_CHECKING:
    from altair.typing import ChartType

VIOLET: Final = "#5f4b8b"
TEAL: Final = "#0b6e69"
GREY: Final = "#5a5a5a"
RULE: Final = "#dcdcdc"

TURNS: Final[Mapping[str, tuple[str, str, str]]] = {
    "banker": ("Banker", RED, "square"),
    "player": ("Player", BLUE, "circle"),
    "tie": ("Tie", GREEN, "triangle-up"),
    "either": ("Either hand", VIOLET, "diamond"),
}
"""What a bet turns on: how it is called, its colour and its shape."""


def altair() -> Any:
    """Altair, or `extra_missing`. Its types are wide and come back narrow from `styled`."""
    return _import_or_refuse("altair")


def _import_or_refuse(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise Refused(
            "extra_missing",
            "Charts need {name}, which is not installed.",
            next_step="Install lammer[lab], or ask for the figures as a table.",
            name=name,
        ) from None


def by_turns(alt: Any, rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Colour and shape for the field `turns` of these rows, told by one legend of what is in them."""
    present = {row["turns"] for row in rows}
    names, colours, shapes = zip(*(each for each in TURNS.values() if each[0] in present), strict=True)
    legend = alt.Legend(title="turns on", orient="bottom", symbolSize=90)
    return {
        "color": alt.Color("turns:N", scale=alt.Scale(domain=names, range=colours), legend=legend),
        "shape": alt.Shape("turns:N", scale=alt.Scale(domain=names, range=shapes), legend=legend),
    }


def styled(chart: Any, title: str, subtitle: str = "") -> ChartType:
    """A chart in the lab's style: its title, letters large enough to read, ink on white."""
    title_text = {"text": title, "subtitle": subtitle} if subtitle else {"text": title}
    styled_chart: ChartType = (
        chart.properties(title=title_text, background=WHITE, padding=10)
        .configure(font=FONTS, aria=False)
        .configure_title(
            fontSize=16, subtitleFontSize=12, anchor="start", color=INK, subtitleColor=GREY, offset=14
        )
        .configure_axis(
            labelFontSize=12,
            titleFontSize=12,
            titleFontWeight="normal",
            labelColor=INK,
            titleColor=GREY,
            gridColor=RULE,
            domainColor=GREY,
            tickColor=GREY,
            labelLimit=220,
            titlePadding=8,
        )
        .configure_legend(labelFontSize=12, titleFontSize=12, titleFontWeight="normal", labelColor=INK)
        .configure_header(labelFontSize=12, labelFontWeight="bold", labelColor=INK, titleColor=GREY)
        .configure_view(stroke=None)
    )
    return styled_chart


def svg(chart: ChartType, describes: str = "", *, mark: str = "", say: Say = as_it_stands) -> Svg:
    """A chart as a picture that stands alone, or with a `mark` of its own beside others in one page.

    >>> bar = altair().Chart(altair().InlineData([{"edge": 1.24}])).mark_bar().encode(x="edge:Q")
    >>> svg(bar, "Edges")[:28]
    '<svg role="img" aria-label="'
    """
    picture: str = _import_or_refuse("vl_convert").vegalite_to_svg(_spec(chart, say), allowed_base_urls=[])
    # Vega numbers clips and gradients from nought in every picture; in one page they would meet.
    picture = re.sub(r'\b(id="|url\(#|href="#)', rf"\g<1>{mark}", picture)
    label = escaped(describes or _title(chart))
    return Svg(picture.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1))


def write(chart: ChartType, path: Path | str) -> Path:
    """Write a chart as `.svg` or `.png`.

    >>> write(None, "edges.gif")
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused unknown_format: A chart is not written as '.gif'. ...
    """
    path = Path(path)
    must_be_written_as(path)
    if path.suffix == ".svg":
        return put(path, svg(chart).encode())
    return put(path, png(chart))


def png(chart: ChartType, say: Say = as_it_stands) -> bytes:
    """A chart as the bytes of a PNG, twice as fine as a screen."""
    picture: bytes = _import_or_refuse("vl_convert").vegalite_to_png(
        _spec(chart, say), scale=2, allowed_base_urls=[]
    )
    return picture


def must_be_written_as(path: Path | str) -> None:
    """Refuse a file whose name says neither `.svg` nor `.png`, before anything is worked out for it."""
    path = Path(path)
    if path.suffix not in (".svg", ".png"):
        raise Refused(
            "unknown_format",
            "A chart is not written as {suffix}.",
            next_step="Name the file .svg or .png.",
            suffix=repr(path.suffix or path.name),
        )


_READ = frozenset({"text", "subtitle", "title"})
"""Keys of a chart whose texts somebody reads."""
_LISTED = frozenset({"values", "domain", "sort"})
"""Keys whose lists hold what is drawn, and with it texts."""


def _spec(chart: ChartType, say: Say = as_it_stands) -> dict[str, Any]:
    spec: dict[str, Any] = _said(chart.to_dict(), say)
    return spec


def _said(part: Any, say: Say) -> Any:
    """A chart with what is read in it in another language; names of its fields stay as they are.

    >>> _said({"title": "Edges", "x": {"field": "edge", "sort": ["tie"]}}, str.upper)
    {'title': 'EDGES', 'x': {'field': 'edge', 'sort': ['TIE']}}
    """
    if isinstance(part, dict):
        return {key: _said_under(key, value, say) for key, value in part.items()}
    return [_said(each, say) for each in part] if isinstance(part, list) else part


def _said_under(key: str, value: Any, say: Say) -> Any:
    if key in _READ and isinstance(value, str):
        return say(value)
    if key == "datasets" or (key in _LISTED and isinstance(value, list)):
        return _said_row(value, say)
    return _said(value, say)


def _said_row(row: Any, say: Say) -> Any:
    if isinstance(row, dict):
        return {name: _said_row(value, say) for name, value in row.items()}
    if isinstance(row, list):
        return [_said_row(each, say) for each in row]
    return say(row) if isinstance(row, str) else row


def _title(chart: ChartType) -> str:
    title = _spec(chart).get("title", "")
    return " ".join(title.values()) if isinstance(title, dict) else str(title)
