"""Two to four tables on one page: the cards, the time left and the road of each, and the plain bets.

Everything else of a table, Insurance and side bets too, is on its own page, one link away; while the
reader is offered Insurance that link says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from litestar import Response, get

from lammer import draw
from lammer.floor.access.sessions import Session
from lammer.floor.views.viewing import Viewer, on_felt, table_seen
from lammer.floor.web.context import AppContext, context_of
from lammer.floor.web.pages.felt.own_bets import round_of_bets
from lammer.floor.web.pages.felt.payouts import bet_title
from lammer.floor.web.pages.lobby.board import NO_CARDS, state_of
from lammer.floor.web.pages.lobby.lobby import Countdown, countdown_of, lobby_again, phase_name
from lammer.floor.web.pages.lobby.lobby_filters import names_in
from lammer.floor.web.pages.player.felt_page import last_result, phase_of, rack
from lammer.floor.web.pages.site.frame import Choice, SideName, choices, sides
from lammer.floor.web.pages.site.moments import house_moment
from lammer.floor.web.pages.site.refusing import Pages, must_read
from lammer.floor.web.pages.site.site import Req, language_of, page
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES
from lammer.table.insuring import OfferTo, offers_to
from lammer.table.ledger import player as account_of
from lammer.table.state import Table
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_chips, write_count, write_money
from lammer.wording.pictures import picture_words
from lammer.wording.titles import title_of

FEWEST, MOST = 2, 4
PLAIN_BETS: Final = ("player", "tie", "banker")


@dataclass(frozen=True, slots=True)
class SeveralHand:
    """A hand as a line of cards: what is face down has no name."""

    side: SideName
    cards: tuple[str, ...]
    points: int | None
    won: bool


@dataclass(frozen=True, slots=True)
class SeveralTable:
    """One of the tables; `box` is where the reader sits, and so where their bets go.

    `insures`: they are offered Insurance now. `gain` is what the round came to for them, once it is settled.
    `on_felt` and `chips` together are what they own at the table; both are empty where they have none there.
    """

    id: str
    title: str
    game: str
    phase: str
    phase_name: str
    round: int
    countdown: Countdown | None
    hands: tuple[SeveralHand, ...]
    road: draw.Svg
    box: int | None
    box_name: str
    bets: tuple[Choice, ...]
    rack: tuple[Choice, ...]
    lying: tuple[tuple[str, str], ...]
    bets_for: int
    insures: bool
    gain: str
    on_felt: str
    chips: str


class SeveralTables(Pages):
    """Several tables side by side."""

    path = "/lobby/several"

    @get()
    async def several(self, request: Req) -> Response[Any]:
        session = must_read(request)
        count = len(names_asked(request))
        if not FEWEST <= count <= MOST:
            return await lobby_again(request, session, _not_so_many(count))
        return page(request, "several.html", whole=True, **await _page_values(request, session))

    @get("/purse")
    async def purse(self, request: Req) -> Response[Any]:
        """What is in the purse now: a bet at one of the tables may have come from there."""
        session = must_read(request)
        return page(request, "several_purse.html", purse=await _purse(request, session, names_asked(request)))

    @get("/now")
    async def now(self, request: Req) -> Response[Any]:
        """The part of one table that changes."""
        session = must_read(request)
        name = request.query_params.get("table", "")
        context = context_of(request)
        table = await several_table(context, name, session, language_of(request))
        response = page(request, "several_now.html", whole=False, table=table)
        response.headers["X-Now"] = str(house_moment(context.house))
        return response


async def _page_values(request: Req, session: Session) -> dict[str, Any]:
    context, language = context_of(request), language_of(request)
    house = context.house
    names = names_asked(request)
    tables = [await several_table(context, name, session, language) for name in names]
    return {
        "tables": tables,
        "purse": await _purse(request, session, names),
        "names": ",".join(names),
        "moment": house_moment(house),
        "path": f"/lobby/several?{urlencode({'tables': ','.join(names)})}",
    }


async def _purse(request: Req, session: Session, names: Iterable[str]) -> str:
    """What is in the reader's purse beside what lies at these tables; empty where they have none."""
    house = context_of(request).house
    views = [await house.tables.seen(name) for name in names]
    purse = await house.purse_of(Viewer(session.account.name, session.account.role), *views)
    return "" if purse is None else write_money(language_of(request), purse)


def _not_so_many(count: int) -> Refused:
    return Refused(
        "malformed_input",
        "Two to four tables stand on one page; {count} were chosen.",
        next_step="Choose them in the lobby.",
        count=count,
    )


def names_asked(request: Req) -> tuple[str, ...]:
    """The tables of the address, separated by commas or named one by one."""
    return names_in(",".join(request.query_params.getall("tables", [])))


async def several_table(context: AppContext, name: str, session: Session, language: Language) -> SeveralTable:
    """A table as this person sees it among others; `table_not_set_up` where there is nothing to see."""
    view = await context.house.tables.seen(name)
    table, listed = view.table, context.house.tables.listed[name]
    setup = table.require_setup()
    viewer = Viewer(session.account.name, session.account.role)
    seen, t = table_seen(table, viewer), partial(say, language)
    round_seen = seen["round"]
    phase = phase_of(round_seen)
    result, _ = state_of(round_seen)
    box = table.seats.get(viewer.name) if viewer.role == "player" else None
    ended = last_result(table, viewer, language) if phase == "settled" else None
    staked, chips = on_felt(table, viewer.name), table.accounts.get(account_of(viewer.name), 0)
    here = box is not None or bool(staked or chips)
    return SeveralTable(
        name,
        listed.title,
        title_of(language, table.book),
        phase,
        phase_name(t, phase),
        round_seen["number"] if round_seen else 0,
        await countdown_of(context, listed, view),
        _hands(round_seen, result, language),
        draw.mini_road(table.roads(), words=picture_words(language)),
        box,
        setup.box_name(box) if box is not None else "",
        _plain_bets(table, language),
        tuple(choices([(str(worth), write_count(language, worth)) for worth in rack(table)])),
        _lying(table, round_seen, viewer, language),
        round_of_bets(table),
        viewer.role == "player" and any(offer.most > 0 for offer in _offered(table, viewer.name)),
        ended.gain if ended is not None and ended.lines else "",
        write_chips(language, staked) if here else "",
        write_money(language, chips) if here else "",
    )


def _offered(table: Table, player: str) -> tuple[OfferTo, ...]:
    try:
        return offers_to(table, player)
    except Refused:
        return ()


def _hands(round_seen: dict[str, Any] | None, result: str, language: Language) -> tuple[SeveralHand, ...]:
    hands = (round_seen or NO_CARDS)["hands"]
    return tuple(
        SeveralHand(
            sides(language)[side],
            tuple(hands[side]["cards"]),
            hands[side]["points"] if hands[side]["cards"] else None,
            side == result,
        )
        for side in SIDES
    )


def _plain_bets(table: Table, language: Language) -> tuple[Choice, ...]:
    offered = {bet.name for bet in table.book.offered(table.layout)}
    return tuple(
        Choice(name, bet_title(language, table.book, name)) for name in PLAIN_BETS if name in offered
    )


def _lying(
    table: Table, round_seen: dict[str, Any] | None, viewer: Viewer, language: Language
) -> tuple[tuple[str, str], ...]:
    """What the reader has at stake: each bet and Insurance, and how much; nothing once the round is over."""
    lying: Counter[str] = Counter()
    if round_seen is None or round_seen["over"]:
        return ()
    for bet in round_seen["bets"]:
        if bet["player"] == viewer.name:
            lying[bet_title(language, table.book, bet["bet"])] += bet["stake"]
    for bet in round_seen["insurance"]:
        if bet["player"] == viewer.name:
            lying[bet_title(language, table.book, bet["hand"], insured=True)] += bet["stake"]
    return tuple((title, write_chips(language, cents)) for title, cents in lying.items())
