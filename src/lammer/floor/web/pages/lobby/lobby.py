"""The lobby: every table with its game, limits, state and road; where to sit, stand or watch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from litestar import Response, get, post
from litestar.response import Redirect

from lammer import draw
from lammer.floor.access.sessions import Session
from lammer.floor.record.registry import Listed
from lammer.floor.tables.test_players import is_test_player
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.viewing import STAFF, Viewer, on_felt, table_seen
from lammer.floor.web.context import AppContext, context_of
from lammer.floor.web.pages.felt.paytable import limits_on_sign
from lammer.floor.web.pages.lobby.lobby_filters import (
    FAVOURITES,
    changed_favourites,
    favourites_of,
    filters_of,
    games,
    page_asked,
    smallest_bets,
)
from lammer.floor.web.pages.player.felt_page import Box, boxes_of, phase_of
from lammer.floor.web.pages.site.coming_in import Form
from lammer.floor.web.pages.site.frame import Say
from lammer.floor.web.pages.site.moments import closes, house_moment, milliseconds
from lammer.floor.web.pages.site.refusing import Pages, must_read
from lammer.floor.web.pages.site.site import Req, language_of, page, refused_page, verified_fields
from lammer.rulebook.refusal import Refused
from lammer.table.ledger import player as account_of, purse as purse_account
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_chips, write_money
from lammer.wording.pictures import picture_words
from lammer.wording.titles import title_of

MOST: Final = 24
"""Tables on a page of the lobby."""
A_YEAR: Final = 31_536_000
"""In seconds, how long a browser keeps what it was told to keep."""


@dataclass(frozen=True, slots=True)
class Countdown:
    """When what is open closes and how long it is open in all, in milliseconds; `left` is in seconds."""

    closes: int
    lasts: int
    left: int


@dataclass(frozen=True, slots=True)
class LobbyTable:
    """A table as the lobby shows it: `seat` is the reader's box, `free` the first free one."""

    id: str
    title: str
    deals_itself: bool
    set_up: bool
    favourite: bool = False
    game: str = ""
    book: str = ""
    layout: str = ""
    limits: tuple[tuple[str, str], ...] = ()
    phase: str = ""
    phase_name: str = ""
    countdown: Countdown | None = None
    round: int = 0
    boxes: tuple[Box, ...] = ()
    seat: str = ""
    test_players: int = 0
    free: int | None = None
    free_count: int = 0
    face_down: bool = False
    insurance: bool = False
    rounds: int = 0
    road: draw.Svg | None = None
    work_places: Sequence[tuple[str, str]] = ()


class Lobby(Pages):
    """The tables of the house."""

    path = "/lobby"

    @get()
    async def lobby(self, request: Req) -> Response[Any]:
        session = must_read(request)
        return page(request, "lobby.html", whole=True, **await lobby_values(request, session))

    @get("/tables")
    async def tables(self, request: Req) -> Response[Any]:
        """The part of it that changes."""
        session = must_read(request)
        response = page(request, "lobby_tables.html", whole=False, **await lobby_values(request, session))
        response.headers["X-Now"] = str(house_moment(context_of(request).house))
        return response

    @post("/favourites")
    async def favourites(self, request: Req, data: Form) -> Redirect:
        """One favourite more, or one less; the browser keeps them."""
        form = verified_fields(must_read(request), data)
        listed = context_of(request).house.tables.listed
        kept = changed_favourites(favourites_of(request), str(form.get("table", "")), listed)
        filters = filters_of(request).query
        response = Redirect(f"/lobby?{filters}" if filters else "/lobby", status_code=303)
        response.set_cookie(FAVOURITES, kept, max_age=A_YEAR, httponly=True, samesite="lax")
        return response


async def lobby_again(request: Req, session: Session, refused: Refused) -> Response[Any]:
    """The lobby with what was refused above its tables, so that nobody has to find the way back."""
    values = await lobby_values(request, session) | {"choosing": True, "path": "/lobby"}
    return refused_page(request, refused, "lobby.html", whole=True, **values)


async def countdown_of(context: AppContext, listed: Listed, view: DurableView) -> Countdown | None:
    """How long the betting or the Insurance of a table stays open; None where a person closes it."""
    until = closes(view.table, await context.openings.of(view), listed.pace)
    if until is None:
        return None
    ends, lasts = until
    left = max(0, round((ends - context.house.clock.now()).total_seconds()))
    return Countdown(milliseconds(ends), int(lasts * 1000), left)


async def lobby_values(request: Req, session: Session) -> dict[str, Any]:
    """A page of the tables that are looked for, as this person sees them.

    Those they sit at come first, then their favourites. One that cannot be read just now shows as not set up.
    """
    context = context_of(request)
    house, viewer = context.house, Viewer(session.account.name, session.account.role)
    language = language_of(request)
    favourites, filters = favourites_of(request), filters_of(request)
    views = {name: house.tables.view(name) for name in house.tables.listed}
    found = sorted(
        (
            listed
            for name, listed in house.tables.listed.items()
            if filters.take(name, views[name].table, favourites)
        ),
        key=lambda listed: (not _sits(views[listed.id], viewer), listed.id not in favourites),
    )
    pages = max(1, -(-len(found) // MOST))
    number = page_asked(request, pages)
    tables = []
    for listed in found[(number - 1) * MOST : number * MOST]:
        favourite = listed.id in favourites
        try:
            view = await house.tables.seen(listed.id)
            countdown = await countdown_of(context, listed, view)
            tables.append(lobby_table(listed, view, viewer, language, countdown, favourite))
        except Refused:
            tables.append(_not_set_up(listed, viewer, favourite))
    purse = await house.purse_of(viewer, *(view for view in views.values() if is_known_at(view, viewer)))
    and_filters = f"&{filters.query}" if filters.query else ""
    return {
        "choosing": False,
        "purse": None if purse is None else write_money(language, purse),
        "lying": _lying(views, house.tables.listed, viewer, language) if purse is not None else [],
        "tables": tables,
        "filters": filters,
        "games": games((view.table for view in views.values()), filters.game, language),
        "smallest_bets": smallest_bets(filters.least, language),
        "live": f"/lobby/tables?page={number}{and_filters}",
        "moment": house_moment(house),
        "plays": viewer.role == "player",
        "has_work": bool(work_places(viewer.role, "")),
        "pages": [
            (page_number, f"/lobby?page={page_number}{and_filters}", page_number == number)
            for page_number in range(1, pages + 1)
        ]
        if pages > 1
        else [],
    }


@dataclass(frozen=True, slots=True)
class LyingChips:
    """What somebody owns at a table: their chips, and what they have at stake there, empty where nothing."""

    listed: Listed
    chips: str
    on_felt: str


def _lying(
    views: Mapping[str, DurableView], listed: Mapping[str, Listed], viewer: Viewer, language: Language
) -> list[LyingChips]:
    lying = []
    for name, view in sorted(views.items()):
        chips, felt = view.table.accounts.get(account_of(viewer.name), 0), on_felt(view.table, viewer.name)
        if chips or felt:
            staked = write_chips(language, felt) if felt else ""
            lying.append(LyingChips(listed[name], write_money(language, chips), staked))
    return lying


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


def is_known_at(view: DurableView, viewer: Viewer) -> bool:
    """Whether somebody sits at a table, or chips of theirs were ever brought there."""
    return _sits(view, viewer) or purse_account(viewer.name) in view.table.accounts


def _sits(view: DurableView, viewer: Viewer) -> bool:
    return viewer.role == "player" and viewer.name in view.table.seats


def lobby_table(
    listed: Listed,
    view: DurableView,
    viewer: Viewer,
    language: Language,
    countdown: Countdown | None,
    favourite: bool,
) -> LobbyTable:
    """One table of the lobby."""
    table = view.table
    if table.setup is None:
        return _not_set_up(listed, viewer, favourite)
    seen, t = table_seen(table, viewer), partial(say, language)
    seats = {seat["box"]: seat["player"] for seat in seen["seats"]}
    round_seen, setup = seen["round"], table.require_setup()
    seat = table.seats.get(viewer.name) if viewer.role == "player" else None
    boxes = boxes_of(table, seats, seat)
    free_boxes = [box.number for box in boxes if not box.taken]
    phase = "closed" if table.closed else phase_of(round_seen)
    return LobbyTable(
        listed.id,
        listed.title,
        listed.pace is not None,
        True,
        favourite=favourite,
        game=title_of(language, table.book),
        book=table.book.id,
        layout=setup.layout,
        limits=limits_on_sign(table, language),
        phase=phase,
        phase_name=phase_name(t, phase),
        countdown=countdown,
        round=round_seen["number"] if round_seen else 0,
        boxes=boxes,
        seat=setup.box_name(seat) if seat is not None else "",
        test_players=sum(map(is_test_player, table.seats)),
        free=free_boxes[0] if free_boxes else None,
        free_count=len(free_boxes),
        face_down=setup.face_down,
        insurance=setup.insurance and table.book.insurance is not None,
        rounds=len(table.results),
        road=draw.mini_road(table.roads(), words=picture_words(language)),
        work_places=work_places(viewer.role, listed.id),
    )


def _not_set_up(listed: Listed, viewer: Viewer, favourite: bool) -> LobbyTable:
    places = work_places(viewer.role, listed.id)
    return LobbyTable(
        listed.id, listed.title, listed.pace is not None, False, favourite=favourite, work_places=places
    )


def phase_name(t: Say, phase: str) -> str:
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
        "closed": t("closed"),
    }[phase]
