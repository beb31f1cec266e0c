"""What auditors and the pit read: rounds event by event, ledger, report, roads, events."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from typing import Annotated, Any, Final

import msgspec
from litestar import Controller, Response
from litestar.params import PathParameter, QueryParameter

from lammer.floor.record.past import PAGE, reveal_stored, story
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.finding import round_entries
from lammer.floor.views.hashes import secret_from
from lammer.floor.views.insurance_chances import chances_seen
from lammer.floor.views.round_truth import changes_seen, outcome_seen, read_round
from lammer.floor.views.viewing import STAFF, Viewer, event_seen, table_seen
from lammer.floor.web.api import shapes
from lammer.floor.web.api.openapi_specs import route_for_board, route_for_looking, spec
from lammer.floor.web.api.tables import LATEST, TableId
from lammer.floor.web.context import Req, context_of, must_be, viewer_of
from lammer.game.money import show
from lammer.game.roads import Roads, roads as roads_of
from lammer.rulebook.refusal import Refused
from lammer.table.insuring import OfferTo, offers_to
from lammer.table.journal import Entry, decode
from lammer.table.ledger import postings
from lammer.table.records import OnOffer
from lammer.table.report import report as figures

READING_MORE: Final = (400, 401, 403, 404, 503)
After = Annotated[int, QueryParameter(ge=0, le=LATEST, description="Only what came after this event.")]
Limit = Annotated[int, QueryParameter(ge=1, le=PAGE, description="At most so many.")]
Number = Annotated[int, PathParameter(ge=0, le=LATEST, description="The number of a round.")]


class Audit(Controller):
    """Reading what happened."""

    path = "/api/tables/{table:str}"
    tags = ("audit",)

    @route_for_board(
        "/events",
        "Events as you may see them",
        spec(shapes.EventsPage, {"table": "t1", "events": [shapes.EVENT], "last": 7}),
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
        return Response(await asyncio.to_thread(_events, view, viewer, after, limit))

    @route_for_board(
        "/rounds/{number:int}",
        "The story of a round",
        spec(shapes.RoundStory, shapes.ROUND_STORY),
    )
    async def round(
        self, request: Req, table: TableId, number: Number, after: After = 0, limit: Limit = PAGE
    ) -> Response[Any]:
        """Every event of a round with its paragraphs; the settlement line by line; how it stands now.

        A correction is told before and after, with its reason and its paragraphs.
        """
        viewer = viewer_of(request, table)
        context = context_of(request)
        view = await context.house.tables.seen(table)
        corrections = view.table.corrected.get(number, 0)
        events, more = await asyncio.to_thread(
            story, view.store, table, view.number, number, after, limit, corrections
        )
        entries = [event.entry for event in events]
        if after or more:
            entries = await asyncio.to_thread(round_entries, view.store, table, number, context.marks)
        if not entries:
            raise Refused("unknown_round", "Table {table} has no round {number}.", table=table, number=number)
        events_seen = [fields for event in events if (fields := event_seen(event, viewer)) is not None]
        truth = read_round(entries, viewer)
        answer = {"table": table, "round": number, "events": events_seen, "more": more}
        return Response(answer | {"stands": outcome_seen(truth.outcome), "changes": changes_seen(truth)})

    @route_for_board("/roads", "The roads", spec(Roads, msgspec.to_builtins(roads_of([]))))
    async def roads(self, request: Req, table: TableId) -> Response[Any]:
        """Bead plate, big road and the three derived roads of this shoe."""
        viewer_of(request, table)
        view = await context_of(request).house.tables.seen(table)
        return Response(view.table.roads())

    @route_for_board("/offers", "Insurance on offer", spec(shapes.OffersSeen, shapes.OFFERS))
    async def offers(self, request: Req, table: TableId) -> Response[Any]:
        """What is on offer in the window that is open, and what of it a player may take.

        With the exact chances, where the table is set up to show them.
        """
        viewer = viewer_of(request, table)
        view = await context_of(request).house.tables.seen(table)
        this_round = view.table.round
        yours: tuple[OfferTo, ...] = ()
        if viewer.role == "player":
            with suppress(Refused):
                yours = offers_to(view.table, viewer.name)
        window = None if this_round is None else this_round.window
        on_offer: tuple[OnOffer, ...] = () if this_round is None else this_round.offers
        hands = {offer.hand for offer in on_offer} | {offer.hand for offer in yours}
        seen = table_seen(view.table, viewer)["round"] if hands else None
        chances = [
            {"hand": hand} | {name: str(share) for name, share in asdict(worth).items()}
            for hand, worth in chances_seen(view.table, seen).items()
            if hand in hands
        ]
        return Response({"window": window, "offers": on_offer, "yours": yours, "chances": chances})

    @route_for_looking("/ledger", "The ledger", spec(shapes.LedgerPage, shapes.LEDGER), READING_MORE)
    async def ledger(
        self, request: Req, table: TableId, after: After = 0, limit: Limit = 500
    ) -> Response[Any]:
        """Balanced postings, event by event."""
        must_be(request, *STAFF, "auditor")
        view = await context_of(request).house.tables.seen(table)
        return Response(await asyncio.to_thread(_ledger, view, after, limit))

    @route_for_looking("/report", "The table's figures", spec(shapes.Figures, shapes.FIGURES), READING_MORE)
    async def report(self, request: Req, table: TableId, after: After = 0) -> Response[Any]:
        """Turnover, win, hold and commission by bet, hour and shoe; corrections; from an event on."""
        must_be(request, *STAFF, "auditor")
        view = await context_of(request).house.tables.seen(table)
        async with context_of(request).reporting:
            return Response(await asyncio.to_thread(_report, view, after))


def _events(view: DurableView, viewer: Viewer, after: int, limit: int) -> bytes:
    stored_events = view.store.read(view.id, after, limit)
    first_secret = secret_from(view.store, view.id, view.table, view.number)
    events = []
    for stored, revealed in zip(
        stored_events, reveal_stored(view.store, view.id, stored_events), strict=True
    ):
        fields = event_seen(revealed, viewer)
        if fields is not None:
            if viewer.reads_all and stored.number < first_secret:
                fields["hash"] = stored.hash.hex()
            events.append(fields)
    last = stored_events[-1].number if stored_events else after
    return msgspec.json.encode({"table": view.id, "events": events, "last": last})


def _ledger(view: DurableView, after: int, limit: int) -> bytes:
    stored_events = view.store.read(view.id, after, limit)
    entries = [
        {
            "number": stored.number,
            "account": posting.account,
            "amount": show(posting.amount),
            "why": posting.why,
        }
        for stored in stored_events
        for posting in postings(decode(stored.body).event)
    ]
    last = stored_events[-1].number if stored_events else after
    return msgspec.json.encode({"table": view.id, "postings": entries, "last": last})


def _report(view: DurableView, after: int) -> bytes:
    last = view.number
    summary = figures(_entries(view, after, last))
    keys = ("what", "which", "bets", "turnover", "win", "commission", "hold")
    rows = [dict(zip(keys, row, strict=True)) for row in summary.rows()]
    answer = {"table": view.id, "last": last, "rounds": summary.rounds, "figures": rows}
    return msgspec.json.encode(answer | {"corrections": summary.corrections})


def _entries(view: DurableView, after: int, last: int) -> Iterator[Entry]:
    """What a report reads, a page at a time; between pages others get their turn."""
    while after < last and (stored_events := view.store.read(view.id, after, PAGE)):
        for stored in stored_events:
            if stored.number > last:
                return
            yield decode(stored.body)
        after = stored_events[-1].number
        time.sleep(0.001)
