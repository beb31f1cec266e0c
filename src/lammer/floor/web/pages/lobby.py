"""The lobby: every table with its game, limits, state and last results; where to sit, stand or watch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from litestar import Controller, Response, get

from lammer.floor.access.sessions import Session
from lammer.floor.record.registry import Listed
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.viewing import STAFF, Viewer, table_seen
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.felt_page import Box, boxes_of, phase_of
from lammer.floor.web.pages.frame import Say, SideName, sides
from lammer.floor.web.pages.paytable import limits_on_sign
from lammer.floor.web.pages.site import Req, asked_number, language_of, page, reader, to_sign_in
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_money
from lammer.wording.titles import title_of

LAST: Final = 18
"""Results shown of each table."""
MOST: Final = 24
"""Tables on a page of the lobby."""


@dataclass(frozen=True, slots=True)
class LobbyTable:
    """A table as the lobby shows it: `seat` is the reader's box, `free` the first free one."""

    id: str
    title: str
    deals_itself: bool
    set_up: bool
    game: str = ""
    book: str = ""
    layout: str = ""
    limits: tuple[tuple[str, str], ...] = ()
    phase: str = ""
    phase_name: str = ""
    round: int = 0
    boxes: tuple[Box, ...] = ()
    seat: str = ""
    free: int | None = None
    face_down: bool = False
    insurance: bool = False
    results: tuple[tuple[SideName, int], ...] = ()
    results_text: str = ""
    work_places: Sequence[tuple[str, str]] = ()


class Lobby(Controller):
    """The tables of the house."""

    include_in_schema = False
    path = "/lobby"

    @get()
    async def lobby(self, request: Req) -> Response[Any]:
        session = reader(request)
        if session is None:
            return to_sign_in(request)
        return page(request, "lobby.html", **await lobby_values(request, session))

    @get("/tables")
    async def tables(self, request: Req) -> Response[Any]:
        """The part of it that changes."""
        session = reader(request)
        if session is None:
            return to_sign_in(request)
        return page(request, "lobby_tables.html", **await lobby_values(request, session))


async def lobby_values(request: Req, session: Session) -> dict[str, Any]:
    """A page of tables as this person sees them, those they sit at first.

    One that cannot be read just now shows as not set up.
    """
    house = context_of(request).house
    viewer = Viewer(session.account.name, session.account.role)
    language = language_of(request)
    every = sorted(
        house.tables.listed.values(), key=lambda listed: not _sits(house.tables.view(listed.id), viewer)
    )
    pages = max(1, -(-len(every) // MOST))
    number = max(1, min(asked_number(request, "page", digits=5) or 1, pages))
    tables = []
    for listed in every[(number - 1) * MOST : number * MOST]:
        try:
            tables.append(lobby_table(listed, await house.tables.seen(listed.id), viewer, language))
        except Refused:
            tables.append(_not_set_up(listed, viewer))
    purse = await house.purse_of(viewer)
    lying = house.lying(viewer.name) if purse is not None else {}
    return {
        "purse": None if purse is None else write_money(language, purse),
        "lying": [
            (house.tables.listed[name], write_money(language, cents)) for name, cents in sorted(lying.items())
        ],
        "tables": tables,
        "plays": viewer.role == "player",
        "has_work": bool(work_places(viewer.role, "")),
        "number": number,
        "pages": [(page_number, page_number == number) for page_number in range(1, pages + 1)]
        if pages > 1
        else [],
    }


def work_places(role: str, table: str) -> list[tuple[str, str]]:
    """Where somebody of that role works at a table, what they do most first: the name, and the address.

    >>> work_places("dealer", "t1"), work_places("auditor", "t1"), work_places("player", "t1")
    ([('Deal', '/tables/t1/deal')], [('Audit', '/audit?table=t1')], [])
    """
    deal, pit, audit = (
        ("Deal", f"/tables/{table}/deal"),
        ("Pit", f"/pit/{table}"),
        ("Audit", f"/audit?table={table}"),
    )
    if role in STAFF:
        return [deal] if role == "dealer" else [pit, deal]
    return [audit] if role == "auditor" else []


def _sits(view: DurableView, viewer: Viewer) -> bool:
    return viewer.role == "player" and viewer.name in view.table.seats


def lobby_table(listed: Listed, view: DurableView, viewer: Viewer, language: Language) -> LobbyTable:
    """One table of the lobby."""
    table = view.table
    if table.setup is None:
        return _not_set_up(listed, viewer)
    seen, t = table_seen(table, viewer), partial(say, language)
    seats = {seat["box"]: seat["player"] for seat in seen["seats"]}
    round_seen, setup = seen["round"], table.require_setup()
    seat = table.seats.get(viewer.name) if viewer.role == "player" else None
    boxes = boxes_of(table, seats, seat)
    results = tuple(
        (sides(language)[result["winner"]], result["points"]) for result in seen["results"][-LAST:]
    )
    return LobbyTable(
        listed.id,
        listed.title,
        listed.pace is not None,
        True,
        game=title_of(language, table.book),
        book=table.book.id,
        layout=setup.layout,
        limits=limits_on_sign(table, language),
        phase=phase_of(round_seen),
        phase_name=_phase_name(t, phase_of(round_seen)),
        round=round_seen["number"] if round_seen else 0,
        boxes=boxes,
        seat=setup.box_name(seat) if seat is not None else "",
        free=next((box.number for box in boxes if not box.taken), None),
        face_down=setup.face_down,
        insurance=setup.insurance and table.book.insurance is not None,
        results=results,
        results_text=", ".join(f"{side.label} {points}" for side, points in results) or t("No rounds yet"),
        work_places=work_places(viewer.role, listed.id),
    )


def _not_set_up(listed: Listed, viewer: Viewer) -> LobbyTable:
    places = work_places(viewer.role, listed.id)
    return LobbyTable(listed.id, listed.title, listed.pace is not None, False, work_places=places)


def _phase_name(t: Say, phase: str) -> str:
    """Where the round of a table stands, in a few words."""
    return {
        "waiting": t("waiting"),
        "betting": t("betting is open"),
        "dealing": t("cards are dealt"),
        "insurance": t("Insurance is open"),
        "interrupted": t("interrupted"),
        "reported": t("a supervisor looks"),
        "options": t("players are asked"),
        "withdrawal": t("bets may be withdrawn"),
        "settled": t("settled"),
        "void": t("void"),
        "concluded": t("ended without play"),
    }[phase]
