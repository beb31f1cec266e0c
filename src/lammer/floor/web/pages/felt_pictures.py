"""The felt with everybody's chips, and the roads: pictures that are the same for every reader of a table.

Each comes with a table that says the same in words. They are drawn once for each state of the table and
language, however many people look on.
"""

from __future__ import annotations

import gzip
from functools import partial
from typing import Any, Final, Literal

from litestar import Response

from lammer import draw
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.viewing import Viewer, table_seen
from lammer.floor.web.context import AppContext, context_of
from lammer.floor.web.pages.payouts import bet_named
from lammer.floor.web.pages.site import SECURITY, Req, language_of, templates
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_chips
from lammer.wording.pictures import picture_words

What = Literal["felt", "roads"]
ANYBODY: Final = Viewer("", "board")
"""Nobody in particular: what hangs over the table for all to see."""


def drawn(context: AppContext, view: DurableView, what: What, language: Language) -> bytes:
    """The felt or the roads of a table as it stands, as a piece of HTML."""
    key = (view.id, what, language)
    found = context.pictures.get(key)
    if found is not None and found[0] is view and found[1] == view.number:
        return found[2]
    number = view.number
    made = (_felt if what == "felt" else _roads)(view, language).encode()
    context.pictures[key] = view, number, made
    return made


def picture(request: Req, view: DurableView, what: What) -> Response[Any]:
    """The same as an answer, packed: a picture everybody may see has no secrets to guess at."""
    version, made = view.number, b""
    if view.table.setup is not None:
        made = drawn(context_of(request), view, what, language_of(request))
    headers = SECURITY | {"X-Version": str(version)}
    if "gzip" in request.headers.get("accept-encoding", ""):
        made, headers["Content-Encoding"] = gzip.compress(made, 5), "gzip"
    return Response(made, media_type="text/html", headers=headers)


def _felt(view: DurableView, language: Language) -> str:
    table = view.table
    seen = table_seen(table, ANYBODY)
    bets = seen["round"]["bets"] if seen["round"] else []
    chips = [draw.Chip(bet["player"], bet["box"], bet["bet"], bet["stake"]) for bet in bets]
    rows = [
        (
            table.require_setup().box_name(bet["box"]),
            bet["player"],
            bet_named(language, table.book, bet["bet"]),
            write_chips(language, bet["stake"]),
        )
        for bet in sorted(bets, key=lambda bet: int(bet["box"]))
    ]
    boxes = range(1, seen["boxes"] + 1)
    shown = draw.felt(
        table.book,
        table.require_setup().layout,
        chips,
        boxes=boxes,
        names=table.require_setup().box_names,
        words=picture_words(language),
    )
    seats = {seat["box"]: seat["player"] for seat in seen["seats"]}
    return _rendered(
        "table_felt.html",
        language,
        picture=shown,
        rows=rows,
        seats=[(table.require_setup().box_name(box), seats.get(box, "")) for box in boxes],
    )


def _roads(view: DurableView, language: Language) -> str:
    results = view.table.results
    names = {"player": "Player", "banker": "Banker", "tie": "Tie"}
    rows = [
        (number, say(language, names[results[number].winner]), results[number].points)
        for number in sorted(results)
    ]
    picture = draw.roads(view.table.roads(), words=picture_words(language))
    return _rendered("table_roads.html", language, picture=picture, rows=rows)


def _rendered(template: str, language: Language, **page_values: Any) -> str:
    around = {"t": partial(say, language)}
    return templates().get_template(template).render(around | page_values)
