"""Tables over HTTP: the lobby, what a viewer sees, commands, live streams, what waits for a second person."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

import msgspec
from litestar import Controller, Request, Response, get, post
from litestar.openapi.spec import Example
from litestar.params import Body, Parameter
from litestar.response import Stream
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED, HTTP_202_ACCEPTED

from lammer.floor.api.floor import device_of, floor_of, must_be, session_of, viewer_of
from lammer.floor.asking import Asked
from lammer.floor.house import Agreed
from lammer.floor.reader import Reading as ReaderCard
from lammer.floor.registry import Listed, Pace
from lammer.floor.viewing import STAFF, table_seen
from lammer.rulebook.refusal import Refused
from lammer.table.state import Table

JSON: Final = "application/json"
Req = Request[Any, Any, Any]
Fields = dict[str, Any]
TableId = Annotated[str, Parameter(description="A table's id.", max_length=200)]

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

    @get(summary="The lobby")
    async def lobby(self, request: Req) -> list[dict[str, Any]]:
        """Every table with its game, limits, state and last results."""
        session_of(request)
        house = floor_of(request).house
        return [
            _in_lobby(listed.id, listed.title, bool(listed.pace), house.at(listed.id).table)
            for listed in house.listed.values()
        ]

    @post(summary="Put up a table", status_code=HTTP_201_CREATED)
    async def make_table(self, request: Req, data: NewTable) -> dict[str, str]:
        """An empty table; a pit manager sets it up."""
        must_be(request, "administrator")
        house = floor_of(request).house
        listed = Listed(data.table, data.title, data.pace)
        at = int(house.clock.now().timestamp() * 1_000_000)
        await asyncio.to_thread(house.registry.add, listed, at)
        await house.host(listed)
        return {"table": data.table}

    @get("/{table:str}", summary="A table as you see it")
    async def seen(self, request: Req, table: TableId) -> dict[str, Any]:
        """The felt, the cards that are face up, your own money; never a card face down, never the shoe."""
        floor = floor_of(request)
        viewer = viewer_of(request, table)
        hosted = floor.house.at(table)
        seen = table_seen(hosted.table, viewer, chips=floor.settings.chips * 100)
        return {"table": table, "version": hosted.durable, **seen}

    @post("/{table:str}/commands", summary="Ask something of a table", status_code=HTTP_200_OK)
    async def ask(
        self, request: Req, table: TableId, data: Annotated[Fields, Body(examples=_COMMANDS)]
    ) -> Response[bytes]:
        """One command of the table's vocabulary. The answer means that its events are on disk.

        With the header `Idempotency-Key` a repeated request counts once and gets the first answer again.
        What needs two people answers 202 and waits.
        """
        floor = floor_of(request)
        session = session_of(request)
        if floor.closing:
            raise Refused("shutting_down", "The house is closing.", next_step="Try again in a moment.")
        do = data.pop("do", None)
        if not isinstance(do, str):
            raise Refused(
                "malformed_input", "A command says what to do.", next_step='Send {"do": "open_bets"}.'
            )
        key = request.headers.get("idempotency-key", "")
        asked = Asked(session.account.name, session.account.role, do, data, key)
        reply = await floor.house.ask(table, asked)
        floor.count("commands")
        waits = reply.startswith(b'{"table":') and b'"waiting":' in reply[:400]
        return Response(reply, status_code=HTTP_202_ACCEPTED if waits else HTTP_200_OK, media_type=JSON)

    @get("/{table:str}/stream", summary="A table live", media_type="text/event-stream")
    async def stream(
        self,
        request: Req,
        table: TableId,
        after: Annotated[int | None, Parameter(description="The last event you saw.", ge=0)] = None,
    ) -> Stream:
        """Server-Sent Events from now on, or from the event after the last one you saw."""
        floor = floor_of(request)
        viewer = viewer_of(request, table)
        hosted = floor.house.at(table)
        last = request.headers.get("last-event-id", "")
        start = int(last) if last.isdigit() else hosted.durable if after is None else after
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return Stream(
            floor.house.live.stream(hosted, viewer, start), media_type="text/event-stream", headers=headers
        )

    @get("/{table:str}/proposals", summary="What waits for a second person")
    async def proposals(self, request: Req, table: TableId) -> list[dict[str, Any]]:
        """Corrections and rulings asked for at this table."""
        must_be(request, *STAFF, "auditor")
        floor = floor_of(request)
        floor.house.at(table)
        return [msgspec.to_builtins(each) for each in floor.house.approvals.of_table(table)]

    @post("/{table:str}/proposals/{number:str}/agree", summary="Agree to it", status_code=HTTP_200_OK)
    async def agree(self, request: Req, table: TableId, number: str) -> Response[bytes]:
        """A second person with the same authority agrees; it happens now."""
        session = must_be(request, *STAFF)
        second = Agreed(session.account.name, session.account.role)
        return Response(await floor_of(request).house.agree(table, number, second), media_type=JSON)

    @post("/{table:str}/proposals/{number:str}/decline", summary="Decline it", status_code=HTTP_200_OK)
    async def decline(self, request: Req, table: TableId, number: str) -> dict[str, str]:
        """Somebody says no; it never happens."""
        session = must_be(request, *STAFF)
        second = Agreed(session.account.name, session.account.role)
        await floor_of(request).house.decline(table, number, second)
        return {"proposal": number, "stands": "declined"}

    @post("/{table:str}/readings", summary="A card from the shoe reader", status_code=HTTP_200_OK)
    async def reading(self, request: Req, table: TableId, data: Reading) -> dict[str, Any]:
        """One card, with the reader's number; gaps, repeats and impossible cards are the rules' business."""
        key = device_of(request, table, "shoe_reader")
        reading = ReaderCard(data.sequence, data.card, data.shoe)
        return await floor_of(request).readers.take(table, key, reading)


class NewTable(msgspec.Struct, frozen=True):
    """A table of the house; with a pace it deals itself. A pit manager sets it up with `set_table`."""

    table: Annotated[str, msgspec.Meta(min_length=1, max_length=60, pattern=r"^[a-z0-9][a-z0-9_.-]*$")]
    title: Annotated[str, msgspec.Meta(max_length=100, examples=["Tiger Buffalo 1"])]
    pace: Pace | None = None


class Reading(msgspec.Struct, frozen=True):
    """A card as a shoe reader sends it."""

    sequence: Annotated[int, msgspec.Meta(ge=0, le=2**31, examples=[17])]
    card: Annotated[str, msgspec.Meta(max_length=8, examples=["9H"])]
    shoe: Annotated[int, msgspec.Meta(ge=0, le=2**31)] = 0


def _in_lobby(name: str, title: str, deals_itself: bool, table: Table) -> dict[str, Any]:
    made: dict[str, Any] = {"table": name, "title": title, "deals_itself": deals_itself, "set_up": False}
    if table.setup is None:
        return made
    here = table.round
    results = [table.results[number].winner for number in sorted(table.results)[-12:]]
    return made | {
        "set_up": True,
        "rulebook": table.book.id,
        "game": table.book.title,
        "layout": table.setup.layout,
        "limits": msgspec.to_builtins(table.setup.limits),
        "differential": table.setup.differential,
        "seated": len(table.seats),
        "boxes": table.box_count,
        "round": here.number if here is not None else 0,
        "phase": here.phase if here is not None else "waiting",
        "interrupted": bool(here is not None and here.interrupted),
        "results": results,
    }
