"""The switch as pages: what is stopped and was, a form to stop all gaming; the program, and witnesses."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from lammer.floor.access.sessions import Session
from lammer.floor.tables.stop_switch import ENDS, STOPS_A_TABLE, STOPS_THE_HOUSE
from lammer.floor.web.api.stops import PROGRAM_READERS, READERS, end_stop, stop_gaming
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.site.coming_in import Form, inside
from lammer.floor.web.pages.site.refusing import Pages, must_read
from lammer.floor.web.pages.site.site import Req, page, reader, refused_page, verified_fields
from lammer.floor.web.pages.site.stopped import stopped_at
from lammer.rulebook.refusal import Refused


class StopPages(Pages):
    """Stops of gaming."""

    path = "/stops"

    @get()
    async def read(self, request: Req) -> Response[str]:
        """Every stop, and what the house knows of its program."""
        return await _page(request, must_read(request, *READERS))

    @get("/-now")
    async def now(self, request: Req) -> Response[str]:
        """What every page says of it, swapped in when something changes."""
        session = reader(request)
        role = session.account.role if session else ""
        table = request.query_params.get("table", "")[:200]
        return page(request, "stopped.html", stop_notice=stopped_at(context_of(request), table, role))

    @post()
    async def stop(self, request: Req, data: Form) -> Response[Any]:
        """Stop a table, or all gaming."""
        session = must_read(request, *STOPS_A_TABLE, "administrator")
        who = session.account
        try:
            form = verified_fields(session, data)
            table, reason = str(form.get("table", ""))[:200], str(form.get("reason", ""))
            await stop_gaming(context_of(request), table, reason, by=who.name, role=who.role)
        except Refused as refused:
            context_of(request).note_refusal(request, refused)
            return await _page(request, session, refused)
        return Redirect(inside(data.get("next")), status_code=303)

    @post("/{number:int}/end")
    async def end(self, request: Req, number: FromPath[int], data: Form) -> Response[Any]:
        """End a stop; the game goes on where it was."""
        session = must_read(request, *ENDS)
        verified_fields(session, data)
        await end_stop(context_of(request), number, by=session.account.name, role=session.account.role)
        return Redirect(inside(data.get("next")), status_code=303)

    @post("/program")
    async def check_program(self, request: Req, data: Form) -> Response[Any]:
        """Look at every file of the program now."""
        verified_fields(must_read(request, *PROGRAM_READERS), data)
        await context_of(request).house.program.check()
        return Redirect("/stops#program", status_code=303)


async def _page(request: Req, session: Session, refused: Refused | None = None) -> Response[str]:
    house, role = context_of(request).house, session.account.role
    stops = await asyncio.to_thread(house.switch.stops.latest)
    listed, witnesses = house.tables.listed, context_of(request).witnesses
    return refused_page(
        request,
        refused,
        "stops.html",
        stops=[(stop, listed[stop.table].title if stop.table in listed else stop.table) for stop in stops],
        may_stop_house=role in STOPS_THE_HOUSE,
        may_end=role in ENDS,
        program=house.program if role in PROGRAM_READERS and house.program.checked_at else None,
        witnesses=witnesses.standing() if witnesses is not None and role in PROGRAM_READERS else [],
        seen=witnesses.up_to_date() if witnesses is not None else 0,
        quorum=witnesses.quorum if witnesses is not None else 0,
    )
