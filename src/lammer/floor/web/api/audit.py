"""What auditors and the pit read: rounds event by event, ledger, report, roads, events."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Annotated, Any, Final

import msgspec
from litestar import Controller, Response, get
from litestar.params import PathParameter, QueryParameter

from lammer.floor.record.past import PAGE, reveal_stored, story
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.hashes import secret_from
from lammer.floor.views.viewing import STAFF, Viewer, event_seen
from lammer.floor.web.api import shapes
from lammer.floor.web.api.documented import BY_PERSON, BY_PERSON_OR_BOARD, READING, answers
from lammer.floor.web.api.tables import LATEST, TableId
from lammer.floor.web.context import Req, context_of, must_be, viewer_of
from lammer.game.money import show
from lammer.game.roads import Roads, roads as roads_of
from lammer.rulebook.refusal import Refused
from lammer.table.insuring import OfferTo, offers_to
from lammer.table.journal import Entry, decode
from lammer.table.ledger import postings
from lammer.table.report import report as figures

JSON: Final = "application/json"
READING_MORE: Final = (400, 401, 403, 404, 503)
After = Annotated[int, QueryParameter(ge=0, le=LATEST, description="Only what came after this event.")]
Limit = Annotated[int, QueryParameter(ge=1, le=PAGE, description="At most so many.")]
Number = Annotated[int, PathParameter(ge=0, le=LATEST, description="The number of a round.")]


class Audit(Controller):
    """Reading what happened."""

    path = "/api/tables/{table:str}"
    tags = ("audit",)

    @get(
        "/events",
        summary="Events as you may see them",
        security=BY_PERSON_OR_BOARD,
        responses=answers(shapes.EventsPage, {"table": "t1", "events": [shapes.EVENT], "last": 7}, READING),
    )
    async def events(
        self, request: Req, table: TableId, after: After = 0, limit: Limit = 500
    ) -> Response[Any]:
        """A table's events in order; with their hashes for whoever reads everything.

        Where cards may lie face down the hashes of a shoe are told when it has ended: whoever knows an event
        but for one card could find the card by its hash.
        """
        viewer = viewer_of(request, table)
        view = await context_of(request).house.tables.seen(table)
        return _made(await asyncio.to_thread(_events, view, viewer, after, limit))

    @get(
        "/rounds/{number:int}",
        summary="The story of a round",
        security=BY_PERSON_OR_BOARD,
        responses=answers(
            shapes.RoundStory, {"table": "t1", "round": 12, "events": [shapes.EVENT], "more": False}, READING
        ),
    )
    async def round(
        self, request: Req, table: TableId, number: Number, after: After = 0, limit: Limit = PAGE
    ) -> Response[Any]:
        """Every event of a round with its paragraphs; the settlement line by line."""
        viewer = viewer_of(request, table)
        view = await context_of(request).house.tables.seen(table)
        corrections = view.table.corrected.get(number, 0)
        found, more = await asyncio.to_thread(
            story, view.store, table, view.number, number, after, limit, corrections
        )
        if not found and not after:
            raise Refused("unknown_round", "Table {table} has no round {number}.", table=table, number=number)
        seen = [event for each in found if (event := event_seen(each, viewer)) is not None]
        made = {"table": table, "round": number, "events": seen, "more": more}
        return _made(msgspec.json.encode(made))

    @get(
        "/roads",
        summary="The roads",
        security=BY_PERSON_OR_BOARD,
        responses=answers(Roads, msgspec.to_builtins(roads_of([])), READING),
    )
    async def roads(self, request: Req, table: TableId) -> Response[Any]:
        """Bead plate, big road and the three derived roads of this shoe."""
        viewer_of(request, table)
        view = await context_of(request).house.tables.seen(table)
        return _made(msgspec.json.encode(view.table.roads()))

    @get(
        "/offers",
        summary="Insurance on offer",
        security=BY_PERSON_OR_BOARD,
        responses=answers(shapes.OffersSeen, shapes.OFFERS, READING),
    )
    async def offers(self, request: Req, table: TableId) -> Response[Any]:
        """What is on offer in the window that is open, and what of it a player may take."""
        viewer = viewer_of(request, table)
        view = await context_of(request).house.tables.seen(table)
        here = view.table.round
        yours: tuple[OfferTo, ...] = ()
        if viewer.role == "player":
            try:
                yours = offers_to(view.table, viewer.name)
            except Refused:
                yours = ()
        window, on_offer = (None, ()) if here is None else (here.window, here.offers)
        return _made(msgspec.json.encode({"window": window, "offers": on_offer, "yours": yours}))

    @get(
        "/ledger",
        summary="The ledger",
        security=BY_PERSON,
        responses=answers(shapes.LedgerPage, shapes.LEDGER, READING_MORE),
    )
    async def ledger(
        self, request: Req, table: TableId, after: After = 0, limit: Limit = 500
    ) -> Response[Any]:
        """Balanced postings, event by event."""
        must_be(request, *STAFF, "auditor")
        view = await context_of(request).house.tables.seen(table)
        return _made(await asyncio.to_thread(_ledger, view, after, limit))

    @get(
        "/report",
        summary="The table's figures",
        security=BY_PERSON,
        responses=answers(shapes.Figures, shapes.FIGURES, READING_MORE),
    )
    async def report(self, request: Req, table: TableId, after: After = 0) -> Response[Any]:
        """Turnover, win, hold and commission by bet, hour and shoe; corrections; from an event on."""
        must_be(request, *STAFF, "auditor")
        view = await context_of(request).house.tables.seen(table)
        async with context_of(request).reporting:
            return _made(await asyncio.to_thread(_report, view, after))


def _made(body: bytes) -> Response[Any]:
    return Response(body, media_type=JSON)


def _events(view: DurableView, viewer: Viewer, after: int, limit: int) -> bytes:
    found = view.store.read(view.id, after, limit)
    untold = secret_from(view.store, view.id, view.table, view.number)
    made = []
    for stored, told in zip(found, reveal_stored(view.store, view.id, found), strict=True):
        seen = event_seen(told, viewer)
        if seen is not None:
            if viewer.reads_all and stored.number < untold:
                seen["hash"] = stored.hash.hex()
            made.append(seen)
    last = found[-1].number if found else after
    return msgspec.json.encode({"table": view.id, "events": made, "last": last})


def _ledger(view: DurableView, after: int, limit: int) -> bytes:
    found = view.store.read(view.id, after, limit)
    made = [
        {
            "number": each.number,
            "account": posting.account,
            "amount": show(posting.amount),
            "why": posting.why,
        }
        for each in found
        for posting in postings(decode(each.body).event)
    ]
    last = found[-1].number if found else after
    return msgspec.json.encode({"table": view.id, "postings": made, "last": last})


def _report(view: DurableView, after: int) -> bytes:
    last = view.number
    made = figures(_entries(view, after, last))
    keys = ("what", "which", "bets", "turnover", "win", "commission", "hold")
    rows = [dict(zip(keys, row, strict=True)) for row in made.rows()]
    told = {"table": view.id, "last": last, "rounds": made.rounds, "figures": rows}
    return msgspec.json.encode(told | {"corrections": made.corrections})


def _entries(view: DurableView, after: int, last: int) -> Iterator[Entry]:
    """What a report reads, a page at a time; between pages others get their turn."""
    while after < last and (found := view.store.read(view.id, after, PAGE)):
        for each in found:
            if each.number > last:
                return
            yield decode(each.body)
        after = found[-1].number
        time.sleep(0.001)
