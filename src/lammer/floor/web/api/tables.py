"""Tables over HTTP: the lobby, what a viewer sees, commands, live streams, what waits for a second person."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

import msgspec
from litestar import Controller, Response, get
from litestar.openapi.spec import Example
from litestar.params import Body, HeaderParameter, JSONBody, PathParameter, QueryParameter

from lammer.floor.access.address_marks import network
from lammer.floor.record.registry import USUAL_PACE, Listed, Pace
from lammer.floor.tables.shoe_feed import CardScan
from lammer.floor.tables.two_people import SecondPerson
from lammer.floor.views.viewing import STAFF, table_seen
from lammer.floor.web.api import shapes
from lammer.floor.web.api.openapi_specs import (
    BY_PERSON_OR_BOARD,
    BY_READER,
    READING,
    answers,
    route_for_board,
    route_for_changing,
    route_for_looking,
    spec,
)
from lammer.floor.web.api.run_command import run_command
from lammer.floor.web.api.streaming import LiveResponse
from lammer.floor.web.context import (
    Req,
    address_of,
    context_of,
    credential_of,
    device_of,
    must_be,
    session_of,
    viewer_of,
)
from lammer.rulebook.refusal import Refused
from lammer.table.state import Table

LATEST: Final = 2**53
"""No table has more events; numbers beyond are not exact in every client."""
Fields = dict[str, Any]
TableId = Annotated[str, PathParameter(description="A table's id.", max_length=200)]
ProposalId = Annotated[str, PathParameter(description="What waits.", max_length=64)]
IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        max_length=200,
        description="Chosen by you; sent again with the same request, it counts once and is answered alike.",
    ),
]

_COMMANDS: Final = [
    Example("a bet", value={"do": "place_bet", "box": 3, "bet": "banker", "stake": "100"}),
    Example("betting opens", value={"do": "open_bets"}),
    Example("a card read from the shoe", value={"do": "deal_card", "card": "9H"}),
    Example("Insurance", value={"do": "place_insurance", "box": 3, "hand": "banker", "stake": "50"}),
]


class Tables(Controller):
    """The tables of the house."""

    path = "/api/tables"
    tags = ("tables",)

    @route_for_looking(None, "The lobby", spec(list[shapes.InLobby], [shapes.IN_LOBBY]), (400, 401, 503))
    async def lobby(self, request: Req) -> Response[Any]:
        """Every table with its game, limits, state and last results."""
        session_of(request)
        house = context_of(request).house
        return Response(
            [_in_lobby(listed, house.tables.view(listed.id).table) for listed in house.tables.listed.values()]
        )

    @route_for_changing(
        None,
        "Put up a table",
        spec(dict[str, str], {"table": "t1"}, "It is up."),
        (400, 401, 403, 409, 413, 415, 503),
        status=201,
        for_roles=("administrator",),
    )
    async def make_table(self, request: Req, data: JSONBody[NewTable]) -> Response[Any]:
        """An empty table; a pit manager sets it up."""
        must_be(request, "administrator")
        house = context_of(request).house
        pace = None if data.pace is None else data.pace.pace()
        listed = Listed(data.table, data.title or data.table, pace)
        at = int(house.clock.now().timestamp() * 1_000_000)
        await asyncio.to_thread(house.registry.add, listed, at)
        await house.tables.host(listed)
        return Response({"table": data.table})

    @route_for_board("/{table:str}", "A table as you see it", spec(shapes.TableSeen, shapes.TABLE_SEEN))
    async def seen(self, request: Req, table: TableId) -> Response[Any]:
        """The felt, the cards that are face up, your own money; never a card face down, never the shoe."""
        context, viewer = context_of(request), viewer_of(request, table)
        purse = await context.house.purse_of(viewer)
        view = await context.house.tables.seen(table)
        stopped = context.house.switch.of(table) is not None
        body = {"table": table, "version": view.number, "gaming_stopped": stopped}
        return Response(body | table_seen(view.table, viewer, purse=purse))

    @route_for_changing(
        "/{table:str}/commands",
        "Ask something of a table",
        spec(shapes.Reply, shapes.REPLY, "It is on disk."),
        waiting=spec(shapes.Waiting, shapes.WAITING, "It waits for a second person."),
        for_roles=(),
    )
    async def ask(
        self,
        request: Req,
        table: TableId,
        data: Annotated[Fields, Body(examples=_COMMANDS)],
        idempotency_key: IdempotencyKey = None,
    ) -> Response[Any]:
        """One command of the table's vocabulary. The answer means that its events are on disk.

        With the header `Idempotency-Key` a repeated request counts once and gets the first answer again.
        What needs two people answers 202 and waits.
        """
        session = session_of(request)
        if len(request.headers.getall("idempotency-key", [])) > 1:
            raise Refused("malformed_input", "A request has one idempotency key.")
        body = await request.body()
        status, reply = await run_command(context_of(request), session, table, body, idempotency_key or "")
        return Response(reply, status_code=status)

    @get(
        "/{table:str}/stream",
        summary="A table live",
        media_type="text/event-stream",
        security=BY_PERSON_OR_BOARD,
        responses=answers(
            spec(str, 'id: 7\nevent: BetPlaced\ndata: {"number":7}\n\n', "Events.", "text/event-stream"),
            (*READING, 429),
        ),
    )
    async def stream(
        self,
        request: Req,
        table: TableId,
        after: Annotated[
            int | None, QueryParameter(description="The last event you saw.", ge=0, le=LATEST)
        ] = None,
        last_event_id: Annotated[
            str | None,
            HeaderParameter(name="Last-Event-ID", max_length=40, description="The same, by header."),
        ] = None,
    ) -> LiveResponse:
        """Server-Sent Events from now on, or from the event after the last one you saw.

        Each carries its number as `id`; one that is none of your business is only that.
        """
        context, viewer = context_of(request), viewer_of(request, table)
        view = await context.house.tables.seen(table)
        context.gateway.must_be_open(table)
        start = view.number if after is None else after
        last_seen = (last_event_id or "").strip()
        if last_seen.isascii() and last_seen.isdigit() and int(last_seen[:20]) <= LATEST:
            start = int(last_seen)
        credential = credential_of(request)
        leave = context.places.take(credential, network(address_of(request)), staff=viewer.role != "player")
        return LiveResponse(context.house.live.stream(view, viewer, start, by=credential), leave)

    @route_for_looking(
        "/{table:str}/proposals",
        "What waits for a second person",
        spec(list[shapes.ProposalSeen], [shapes.PROPOSAL]),
        (400, 401, 403, 404, 503),
    )
    async def proposals(self, request: Req, table: TableId) -> Response[Any]:
        """Corrections and rulings asked for at this table, the newest first."""
        must_be(request, *STAFF, "auditor")
        house = context_of(request).house
        view = await house.tables.seen(table)
        return Response(await asyncio.to_thread(house.approvals.of_table, view.id))

    @route_for_changing(
        "/{table:str}/proposals/{number:str}/agree",
        "Agree to it",
        spec(shapes.Reply, shapes.REPLY, "It has happened."),
    )
    async def agree(self, request: Req, table: TableId, number: ProposalId) -> Response[Any]:
        """A second person with the same authority agrees; it happens now."""
        second = must_be(request, *STAFF).account
        context = context_of(request)
        view = await context.house.tables.seen(table)
        reply = await context.gateway.agree(view.id, number, SecondPerson(second.name, second.role))
        return Response(reply)

    @route_for_changing(
        "/{table:str}/proposals/{number:str}/decline",
        "Decline it",
        spec(shapes.ProposalSeen, shapes.PROPOSAL, "It never happens."),
    )
    async def decline(self, request: Req, table: TableId, number: ProposalId) -> Response[Any]:
        """Whoever could agree, or asked for it, says no; it never happens."""
        second = must_be(request, *STAFF).account
        context = context_of(request)
        view = await context.house.tables.seen(table)
        declined = await context.gateway.decline(view.id, number, SecondPerson(second.name, second.role))
        return Response(declined)

    @route_for_changing(
        "/{table:str}/readings",
        "A card from the shoe reader",
        spec(shapes.ReadIn, shapes.READ_IN, "What became of it."),
        (400, 401, 404, 409, 413, 415, 422, 503),
        security=BY_READER,
        for_device="shoe_reader",
    )
    async def reading(self, request: Req, table: TableId, data: JSONBody[CardScanned]) -> Response[Any]:
        """One card, with the reader's number; gaps, repeats and impossible cards are the rules' business."""
        key = device_of(request, table, "shoe_reader")
        context = context_of(request)
        scan = CardScan(data.sequence, data.card, data.shoe)
        return Response(await context.gateway.read_card(table, key, scan))


Seconds = Annotated[float, msgspec.Meta(ge=0.1, le=600)]


class NewPace(msgspec.Struct, frozen=True):
    """How fast a table deals itself, in seconds."""

    betting: Seconds = USUAL_PACE.betting
    card: Seconds = USUAL_PACE.card
    window: Seconds = USUAL_PACE.window
    between: Seconds = USUAL_PACE.between

    def pace(self) -> Pace:
        return Pace(self.betting, self.card, self.window, self.between)


class NewTable(msgspec.Struct, frozen=True):
    """A table of the house; with a pace it deals itself. A pit manager sets it up with `set_table`."""

    table: Annotated[str, msgspec.Meta(min_length=1, max_length=60, pattern=r"^[a-z0-9][a-z0-9_.-]*$")]
    title: Annotated[str, msgspec.Meta(max_length=100, examples=["Tiger Buffalo 1"])] = ""
    pace: NewPace | None = None


class CardScanned(msgspec.Struct, frozen=True):
    """A card as a shoe reader sends it."""

    sequence: Annotated[int, msgspec.Meta(ge=1, le=1_000_000, examples=[17])]
    card: Annotated[str, msgspec.Meta(max_length=8, examples=["9H"])]
    shoe: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0


def _in_lobby(listed: Listed, table: Table) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "table": listed.id,
        "title": listed.title,
        "deals_itself": listed.pace is not None,
        "set_up": False,
    }
    if table.setup is None:
        return fields
    this_round = table.round
    results = [table.results[number].winner for number in sorted(table.results)[-12:]]
    return fields | {
        "set_up": True,
        "rulebook": table.book.id,
        "game": table.book.title,
        "layout": table.setup.layout,
        "limits": msgspec.to_builtins(table.setup.limits),
        "differential": table.setup.differential,
        "seated": len(table.seats),
        "boxes": table.box_count,
        "round": this_round.number if this_round is not None else 0,
        "phase": this_round.phase if this_round is not None else "waiting",
        "interrupted": bool(this_round is not None and this_round.interrupted),
        "results": results,
    }
