"""What auditors and the pit read: rounds event by event, ledger, report, roads, events, denied attempts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, get
from litestar.params import Parameter

from lammer.floor.api.floor import floor_of, must_be, viewer_of
from lammer.floor.hosted import PAGE, Hosted
from lammer.floor.viewing import STAFF, event_seen
from lammer.game.money import show
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.journal import Entry, decode
from lammer.table.ledger import postings
from lammer.table.report import report as figures

Req = Request[Any, Any, Any]
After = Annotated[int, Parameter(ge=0, description="Only what came after this event.")]
Limit = Annotated[int, Parameter(ge=1, le=PAGE, description="At most so many.")]


class Audit(Controller):
    """Reading what happened."""

    path = "/api/tables/{table:str}"
    tags = ("audit",)

    @get("/events", summary="Events as you may see them")
    async def events(self, request: Req, table: str, after: After = 0, limit: Limit = 500) -> dict[str, Any]:
        """A table's events in order, with hashes for whoever reads everything."""
        viewer = viewer_of(request, table)
        hosted = floor_of(request).house.at(table)
        found = await asyncio.to_thread(hosted.store.read, table, after, limit)
        made = []
        for each in found:
            seen = event_seen(hosted.table, decode(each.body), viewer)
            if seen is not None:
                made.append(seen | {"hash": each.hash.hex()} if viewer.reads_all else seen)
        return {"table": table, "events": made, "last": found[-1].number if found else after}

    @get("/rounds/{number:int}", summary="The story of a round")
    async def round(self, request: Req, table: str, number: int) -> dict[str, Any]:
        """Every event of a round with its paragraphs; the settlement line by line."""
        viewer = viewer_of(request, table)
        hosted = floor_of(request).house.at(table)
        story = await asyncio.to_thread(_story, hosted, number)
        if not story:
            raise Refused("unknown_round", f"Table {table} has no round {number}.")
        seen = [event_seen(hosted.table, entry, viewer) for entry in story]
        return {"table": table, "round": number, "events": [event for event in seen if event is not None]}

    @get("/roads", summary="The roads")
    async def roads(self, request: Req, table: str) -> dict[str, Any]:
        """Bead plate, big road and the three derived roads of this shoe."""
        viewer_of(request, table)
        hosted = floor_of(request).house.at(table)
        made: dict[str, Any] = msgspec.to_builtins(hosted.table.roads())
        return made

    @get("/offers", summary="Insurance on offer")
    async def offers(self, request: Req, table: str) -> list[dict[str, Any]]:
        """What is on offer in the window that is open; nothing where none is."""
        viewer_of(request, table)
        here = floor_of(request).house.at(table).table.round
        return [] if here is None else [msgspec.to_builtins(offer) for offer in here.offers]

    @get("/ledger", summary="The ledger")
    async def ledger(self, request: Req, table: str, after: After = 0, limit: Limit = 500) -> dict[str, Any]:
        """Balanced postings, event by event."""
        must_be(request, *STAFF, "auditor")
        hosted = floor_of(request).house.at(table)
        found = await asyncio.to_thread(hosted.store.read, table, after, limit)
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
        return {"table": table, "postings": made, "last": found[-1].number if found else after}

    @get("/report", summary="The table's figures")
    async def report(self, request: Req, table: str) -> dict[str, Any]:
        """Turnover, win, hold and commission by bet, hour and shoe; corrections."""
        must_be(request, *STAFF, "auditor")
        hosted = floor_of(request).house.at(table)
        made = await asyncio.to_thread(lambda: figures(_entries(hosted)))
        keys = ("what", "which", "bets", "turnover", "win", "commission", "hold")
        rows = [dict(zip(keys, row, strict=True)) for row in made.rows()]
        return {"table": table, "rounds": made.rounds, "figures": rows, "corrections": made.corrections}


def _entries(hosted: Hosted, after: int = 0) -> Iterator[Entry]:
    while found := hosted.store.read(hosted.id, after, PAGE):
        for each in found:
            yield decode(each.body)
        after = found[-1].number


def _story(hosted: Hosted, number: int) -> list[Entry]:
    """The events from the opening of a round to the opening of the next, and later ones that name it."""
    story: list[Entry] = []
    inside = False
    for entry in _entries(hosted):
        event = entry.event
        if isinstance(event, e.BettingOpened):
            inside = event.round == number
        if inside or getattr(event, "round", None) == number:
            story.append(entry)
    return story
