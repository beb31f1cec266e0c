"""The lobby: every table with its game, limits, state and last results; where to sit, stand or watch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from litestar import Controller, Response, get

from lammer.floor.api.floor import floor_of
from lammer.floor.hosted import Hosted
from lammer.floor.pages.felt_page import phase_of
from lammer.floor.pages.paytable import limits_told
from lammer.floor.pages.site import Req, language_of, page, reader, to_sign_in
from lammer.floor.pages.words import Language
from lammer.floor.registry import Listed
from lammer.floor.sessions import Session
from lammer.floor.viewing import Viewer, table_seen
from lammer.rulebook.refusal import Refused

LAST: Final = 18
"""Results shown of each table."""


@dataclass(frozen=True, slots=True)
class InLobby:
    """A table as the lobby shows it; `boxes` pairs each number with whoever sits there."""

    id: str
    title: str
    deals_itself: bool
    set_up: bool
    game: str = ""
    book: str = ""
    layout: str = ""
    limits: tuple[tuple[str, str], ...] = ()
    phase: str = ""
    round: int = 0
    boxes: tuple[tuple[int, str], ...] = ()
    seat: int | None = None
    face_down: bool = False
    insurance: bool = False
    results: tuple[tuple[str, int], ...] = ()


class Lobby(Controller):
    """The tables of the house."""

    include_in_schema = False
    path = "/lobby"

    @get()
    async def lobby(self, request: Req) -> Response[Any]:
        session = reader(request)
        if session is None:
            return to_sign_in(request)
        return page(request, "lobby.html", tables=await tables(request, session), plays=_plays(session))

    @get("/tables")
    async def tables(self, request: Req) -> Response[Any]:
        """The part of it that changes."""
        session = reader(request)
        if session is None:
            return to_sign_in(request)
        shown = await tables(request, session)
        return page(request, "lobby_tables.html", tables=shown, plays=_plays(session))


def _plays(session: Session) -> bool:
    return session.account.role == "player"


async def tables(request: Req, session: Session) -> list[InLobby]:
    """Every table as this person sees it; one that cannot be read just now shows as not set up."""
    house = floor_of(request).house
    viewer = Viewer(session.account.name, session.account.role)
    language = language_of(request)
    made = []
    for listed in tuple(house.listed.values()):
        try:
            made.append(in_lobby(listed, await house.seen(listed.id), viewer, language))
        except Refused:
            made.append(InLobby(listed.id, listed.title, listed.pace is not None, False))
    return made


def in_lobby(listed: Listed, hosted: Hosted, viewer: Viewer, language: Language) -> InLobby:
    """One table of the lobby."""
    table = hosted.table
    if table.setup is None:
        return InLobby(listed.id, listed.title, listed.pace is not None, False)
    seen = table_seen(table, viewer)
    seats = {seat["box"]: seat["player"] for seat in seen["seats"]}
    here = seen["round"]
    return InLobby(
        listed.id,
        listed.title,
        listed.pace is not None,
        True,
        game=table.book.title_zh if language == "zh" and table.book.title_zh else table.book.title,
        book=table.book.id,
        layout=table.set.layout,
        limits=limits_told(table),
        phase=phase_of(here),
        round=here["number"] if here else 0,
        boxes=tuple((number, seats.get(number, "")) for number in range(1, seen["boxes"] + 1)),
        seat=table.seats.get(viewer.name) if viewer.role == "player" else None,
        face_down=table.set.face_down,
        insurance=table.set.insurance and table.book.insurance is not None,
        results=tuple((each["winner"], each["points"]) for each in seen["results"][-LAST:]),
    )
