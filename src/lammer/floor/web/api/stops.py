"""Stops of gaming over HTTP, and what the house knows of its own program."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated, Any, Final

import msgspec
from litestar import Controller, Response
from litestar.params import JSONBody, PathParameter

from lammer.floor.record.manifest import Difference
from lammer.floor.record.stops import LONGEST_REASON, Stop
from lammer.floor.tables.stop_switch import (
    ENDS,
    STOPS_A_TABLE,
    STOPS_THE_HOUSE,
    must_be_allowed_to_end,
    must_be_allowed_to_stop,
)
from lammer.floor.views.viewing import STAFF
from lammer.floor.web.api.openapi_specs import route_for_changing, route_for_looking, spec
from lammer.floor.web.api.tables import LATEST
from lammer.floor.web.context import AppContext, Req, context_of, must_be

READERS: Final = (*STAFF, "auditor", "administrator")
"""Who reads why gaming was stopped, and by whom; everybody else sees that it is."""
PROGRAM_READERS: Final = (*(role for role in STAFF if role != "dealer"), "auditor", "administrator")
"""Who is told that the program is another."""
STOP = {
    "number": 3,
    "table": "t1",
    "reason": "A card lies on the floor",
    "by": "anna",
    "role": "pit_supervisor",
    "at": "2026-07-01T12:00:00Z",
    "cause": "",
    "ended_by": "",
    "ended_role": "",
    "ended_at": None,
}
PROGRAM = {
    "sha256": "5f3a1c0d9e8b7a66",
    "checked_at": "2026-07-01T12:00:00Z",
    "differences": [
        {"part": "file", "happened": "changed", "name": "game/settlement.py", "accepted": "0a", "found": "0b"}
    ],
}
_LOOKING: Final = (400, 401, 403, 503)
_CHANGING: Final = (400, 401, 403, 404, 409, 413, 415, 422, 503)
StopNumber = Annotated[int, PathParameter(description="The number of a stop.", ge=1, le=LATEST)]


class NewStop(msgspec.Struct, frozen=True):
    """Why gaming is stopped: at a table, or everywhere where none is named."""

    reason: Annotated[str, msgspec.Meta(max_length=LONGEST_REASON, examples=["Fire alarm"])]
    table: Annotated[str, msgspec.Meta(max_length=200, examples=["t1"])] = ""


class ProgramSeen(msgspec.Struct, frozen=True):
    """The program as it was found last, and in what it is not the one that was accepted."""

    sha256: str
    checked_at: datetime | None
    differences: tuple[Difference, ...]


async def stop_gaming(context: AppContext, table: str, reason: str, *, by: str, role: str) -> Stop:
    """Stop a table, or all gaming where none is named, for whoever may."""
    must_be_allowed_to_stop(role, table)
    if table:
        await context.house.tables.find(table)
    return await context.house.switch.stop(table, reason, by=by, role=role)


async def end_stop(context: AppContext, number: int, *, by: str, role: str) -> Stop:
    """End a stop, for whoever may."""
    must_be_allowed_to_end(role)
    return await context.house.switch.end(number, by=by, role=role)


class StopsOfGaming(Controller):
    """The switch that stops gaming."""

    path = "/api"
    tags = ("stops",)

    @route_for_looking("/stops", "Stops of gaming", spec(list[Stop], [STOP]), _LOOKING)
    async def stops(self, request: Req) -> Response[Any]:
        """Those that stand and those that were ended, the newest first."""
        must_be(request, *READERS)
        return Response(await asyncio.to_thread(context_of(request).house.switch.stops.latest))

    @route_for_changing(
        "/stops",
        "Stop gaming",
        spec(Stop, STOP, "It is stopped."),
        _CHANGING,
        status=201,
        for_roles=tuple(dict.fromkeys((*STOPS_A_TABLE, *STOPS_THE_HOUSE))),
    )
    async def stop(self, request: Req, data: JSONBody[NewStop]) -> Response[Any]:
        """At a table, or everywhere. It holds at once; where it is stopped already, that stop is answered.

        A table takes a Pit Supervisor or above; the house a Pit Manager or above, or an administrator.
        """
        who = must_be(request, *STOPS_A_TABLE, "administrator").account
        stop = await stop_gaming(context_of(request), data.table, data.reason, by=who.name, role=who.role)
        return Response(stop, status_code=201)

    @route_for_changing(
        "/stops/{number:int}/end", "End a stop", spec(Stop, STOP, "It is over."), _CHANGING, for_roles=ENDS
    )
    async def end(self, request: Req, number: StopNumber) -> Response[Any]:
        """The game goes on where it was. One that is over already stays as it was ended first."""
        who = must_be(request, *ENDS).account
        return Response(await end_stop(context_of(request), number, by=who.name, role=who.role))

    @route_for_looking("/program", "The program", spec(ProgramSeen, PROGRAM), _LOOKING)
    async def program(self, request: Req) -> Response[Any]:
        """What was found when its files were looked at last."""
        must_be(request, *PROGRAM_READERS)
        return Response(_program(context_of(request)))

    @route_for_changing(
        "/program/check",
        "Look at the program now",
        spec(ProgramSeen, PROGRAM),
        _CHANGING,
        for_roles=PROGRAM_READERS,
    )
    async def check_program(self, request: Req) -> Response[Any]:
        """Every file, rulebook and library is compared with what was accepted."""
        must_be(request, *PROGRAM_READERS)
        context = context_of(request)
        await context.house.program.check()
        return Response(_program(context))


def _program(context: AppContext) -> ProgramSeen:
    program = context.house.program
    return ProgramSeen(program.sha256, program.checked_at, program.differences)
