"""The felt with everybody's chips, and the roads: pictures that are the same for every reader of a table.

Each comes with a table that says the same in words. They are drawn once for each state of the table and
language, however many people look on.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal

from litestar import Response

from lammer import draw
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.side_hits import marked_bets, side_hits
from lammer.floor.views.viewing import Viewer, table_seen
from lammer.floor.web.context import AppContext, context_of
from lammer.floor.web.pages.felt.payouts import bet_title
from lammer.floor.web.pages.site.site import SECURITY, Req, language_of, templates
from lammer.table.state import Table
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_chips, write_list
from lammer.wording.pictures import picture_words

What = Literal["felt", "roads"]
ANYBODY: Final = Viewer("", "board")
"""Nobody in particular: what hangs over the table for all to see."""


def picture_html(context: AppContext, view: DurableView, what: What, language: Language) -> bytes:
    """The felt or the roads of a table as it stands, as a piece of HTML."""
    return kept_picture(context, view, what, language, _felt if what == "felt" else _roads)


def kept_picture(
    context: AppContext,
    view: DurableView,
    what: str,
    language: Language,
    drawn: Callable[[DurableView, Language], str],
) -> bytes:
    """What is drawn of a table as it stands, kept for the next who looks until something happens there."""
    key = (view.id, what, language)
    cached = context.pictures.get(key)
    if cached is not None and cached[0] is view and cached[1] == view.number:
        return cached[2]
    number = view.number
    html = drawn(view, language).encode()
    context.pictures[key] = view, number, html
    return html


def picture(request: Req, view: DurableView, what: What) -> Response[Any]:
    """The same as an answer, packed: a picture everybody may see has no secrets to guess at."""
    version, body = view.number, b""
    if view.table.setup is not None:
        body = picture_html(context_of(request), view, what, language_of(request))
    headers = SECURITY | {"X-Version": str(version)}
    if "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["Content-Encoding"] = gzip.compress(body, 5), "gzip"
    return Response(body, media_type="text/html", headers=headers)


def _felt(view: DurableView, language: Language) -> str:
    table = view.table
    seen = table_seen(table, ANYBODY)
    bets = seen["round"]["bets"] if seen["round"] else []
    rows = [
        (
            table.require_setup().box_name(bet["box"]),
            bet_title(language, table.book, bet["bet"]),
            write_chips(language, bet["stake"]),
        )
        for bet in sorted(bets, key=lambda bet: int(bet["box"]))
    ]
    boxes = range(1, seen["boxes"] + 1)
    taken = [table.require_setup().box_name(seat["box"]) for seat in seen["seats"]]
    return render_part(
        "table_felt.html",
        language,
        picture=felt_with_chips(table, bets, boxes, language),
        rows=rows,
        taken=write_list(language, taken),
    )


def felt_with_chips(
    table: Table,
    bets: Iterable[Mapping[str, Any]],
    boxes: Sequence[int],
    language: Language,
    seated: Mapping[int, str] | None = None,
) -> draw.Svg:
    """The layout with these boxes, and these bets as everybody sees them; `seated` is who sits where."""
    return draw.felt(
        table.book,
        table.require_setup().layout,
        [draw.Chip(bet["player"], bet["box"], bet["bet"], bet["stake"]) for bet in bets],
        boxes=boxes,
        names=table.require_setup().box_names,
        seated=seated or {},
        words=picture_words(language),
    )


def _roads(view: DurableView, language: Language) -> str:
    results = view.table.results
    names = {"player": "Player", "banker": "Banker", "tie": "Tie"}
    legend, hits = road_hits(view.table, language)
    rows = [
        (
            number,
            say(language, names[results[number].winner]),
            results[number].points,
            ", ".join(hit.title for hit in won),
        )
        for number, won in zip(sorted(results), hits, strict=True)
    ]
    picture = draw.roads(view.table.roads(), hits=hits, words=picture_words(language))
    return render_part("table_roads.html", language, picture=picture, rows=rows, legend=legend)


def road_hits(table: Table, language: Language) -> tuple[list[draw.Hit], list[list[draw.Hit]]]:
    """The marks of the side bets on the roads, and those that won in each round of the shoe."""
    legend = {
        bet.name: draw.Hit(str(number), bet_title(language, table.book, bet.name))
        for number, bet in enumerate(marked_bets(table.book, table.layout), 1)
    }
    return list(legend.values()), [[legend[name] for name in won] for won in side_hits(table)]


def render_part(template: str, language: Language, **page_values: Any) -> str:
    """A part of a page that has nobody's name on it."""
    frame_values = {"t": partial(say, language), "language": language}
    return templates().get_template(template).render(frame_values | page_values)
