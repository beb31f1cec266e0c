"""The display above a table: limits, cards, roads, statistics and Insurance odds, read from five metres away.

It shows what everybody at the table sees and nothing else, so that a key of its own is enough for it. What is
said there is information only: the table's own record decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final
from urllib.parse import quote
from zoneinfo import ZoneInfo

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from lammer import draw
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.viewing import Viewer, table_seen
from lammer.floor.web.context import AppContext, context_of, viewer_of
from lammer.floor.web.pages.dealer.dealer_view import (
    hand_rows,
    limit_span,
    picture_of_hands,
    pictures_of_cards,
)
from lammer.floor.web.pages.felt.felt_pictures import kept_picture, render_part, road_hits
from lammer.floor.web.pages.felt.notices import closing_text, notice_text
from lammer.floor.web.pages.felt.payouts import bet_title
from lammer.floor.web.pages.site.frame import sides
from lammer.floor.web.pages.site.refusing import Pages
from lammer.floor.web.pages.site.site import SECURITY, Req, language_of, page
from lammer.floor.web.problems import problem
from lammer.game.hands import winner_of
from lammer.game.roads import Result, Roads, roads
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES, WINDOWS, Window
from lammer.rulebook.wording import WINDOW_TITLES, spans
from lammer.table.journal import EVENTS
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_chips
from lammer.wording.pictures import picture_words
from lammer.wording.titles import title_of

Seen = Mapping[str, Any]

NO_CARDS: Final[Seen] = {"hands": {side: {"cards": [], "points": None} for side in SIDES}}
NOT_SHOWN: Final = frozenset(
    ("BetPlaced", "BetIncreased", "BetReduced", "BetCut", "InsurancePlaced", "SeatTaken", "SeatLeft",
     "InsuranceAnnounced", "InsuranceDeclined", "StaffBetsAllowed", "PitCalled", "PitCallAnswered",
     "EntropyAdded")
)  # fmt: skip
SHOWN: Final = tuple(name for name in EVENTS if name not in NOT_SHOWN)
"""Events that change something on a board; a thousand bets a second do not."""


class Board(Pages):
    """A display board, with its key or for whoever is signed in."""

    path = "/board"

    @get("/{table:str}")
    async def board(self, request: Req, table: FromPath[str]) -> Response[Any]:
        try:
            page_values = _page_values(request, table)
        except Refused as refused:
            if refused.code != "not_signed_in" or "key" not in request.query_params:
                raise
            # A display has nobody who could sign in: it says what is wrong with its key.
            context_of(request).note_refusal(request, refused)
            return page(request, "refused.html", status=401, problem=problem(refused))
        return page(request, "board.html", **page_values)

    @get("/{table:str}/now")
    async def now(self, request: Req, table: FromPath[str]) -> Response[str]:
        """The part that changes; drawn once for all display boards that hang over the table."""
        viewer = viewer_of(request, table)
        if viewer.role != "board":
            return page(request, "board_now.html", **_page_values(request, table))
        context, language = context_of(request), language_of(request)
        view = context.house.tables.view(table)
        html = kept_picture(context, view, "board", language, partial(_drawn, context, viewer))
        return Response(html.decode(), media_type="text/html", headers=dict(SECURITY))


def _drawn(context: AppContext, viewer: Viewer, view: DurableView, language: Language) -> str:
    """What changes on a board, for one of those that see the same."""
    seen = table_seen(view.table, viewer)
    values: dict[str, Any] = {"set_up": None} if seen["set_up"] is None else board_of(view, seen, language)
    name = context.house.tables.listed[view.id].title
    return render_part("board_now.html", language, name=name, sides=sides(language), **values)


def _page_values(request: Req, table: str) -> dict[str, Any]:
    viewer = viewer_of(request, table)
    context = context_of(request)
    view = context.house.tables.view(table)
    key = request.query_params.get("key", "")
    asked = f"?key={quote(key)}" if key else ""
    at = quote(table, safe="")
    page_values = {
        "table": table,
        "name": context.house.tables.listed[table].title,
        "stream": f"/api/tables/{at}/stream{asked}",
        "live": f"/board/{at}/now{asked}",
        "events": " ".join(SHOWN),
    }
    seen = table_seen(view.table, viewer)
    if seen["set_up"] is None:
        return page_values | {"set_up": None}
    return page_values | board_of(view, seen, language_of(request))


def board_of(view: DurableView, seen: Seen, language: Language) -> dict[str, Any]:
    """Everything on the board, from the table as its viewer sees it."""
    book = view.table.books[seen["set_up"]["rulebook"]]
    round_seen = seen["round"]
    results = [msgspec.convert(result, Result) for result in seen["results"]]
    on_roads = roads(results)
    at = view.at.astimezone(ZoneInfo(book.time_zone)) if view.at else None
    limits, laid = (
        limits_of(book, seen["set_up"], language),
        pictures_of_cards(round_seen or NO_CARDS, language),
    )
    colour, sentence = state_of(round_seen)
    legend, hits = road_hits(view.table, language)
    return {
        "set_up": seen["set_up"],
        "game": title_of(language, book),
        "rulebook": book.id,
        "limits": [(name, span) for name, span, single in limits if not single],
        "single_limits": [(name, span) for name, span, single in limits if single],
        "differential": write_chips(language, seen["set_up"]["differential"]),
        "notice": " ".join(
            filter(None, (notice_text(view.table, language), closing_text(view.table, language)))
        ),
        "colour": colour,
        "sentence": say(language, sentence),
        "winner": colour if colour in ("player", "banker", "tie") else "",
        "number": round_seen["number"] if round_seen else 0,
        "hands": picture_of_hands(round_seen or NO_CARDS, language),
        "laid": laid,
        "hand_rows": hand_rows(partial(say, language), round_seen["hands"] if round_seen else {}),
        "window": round_seen["window"] if round_seen else None,
        "offers": [
            (offer["hand"], offer["odds"].replace(":", say(language, " to ")))
            for offer in (round_seen["offers"] if round_seen else [])
        ],
        "paid": insurance_paid(book) if seen["set_up"]["insurance"] else [],
        "has_cards": any(pictures for _, pictures in laid),
        "roads": draw.display_roads(on_roads, hits=hits, words=picture_words(language)),
        "legend": legend,
        "asked": draw.display_next(on_roads, words=picture_words(language)),
        "counted": on_roads.statistics,
        "wins": [(side, getattr(on_roads.statistics, side)) for side in ("banker", "player", "tie")],
        "results": [
            (result, ", ".join(hit.title for hit in won)) for result, won in zip(results, hits, strict=True)
        ],
        "road_rows": road_rows(on_roads, language),
        "shoe": seen["shoe"],
        "version": view.number,
        "at": f"{at:%H:%M:%S}" if at else "",
    }


def limits_of(book: Rulebook, set_up: Seen, language: Language) -> list[tuple[str, str, bool]]:
    """The name and the limits of each kind of bet, then of single bets, and whether it is a single one."""
    named = {"original": say(language, "Player / Banker"), "side": say(language, "Side bets")}
    return [
        (named.get(name) or bet_title(language, book, name), limit_span(language, limits), name not in named)
        for name, limits in sorted(set_up["limits"].items(), key=lambda entry: entry[0] not in named)
    ]


def state_of(round_seen: Seen | None) -> tuple[str, str]:
    """How the round stands: a word for its colour, and the sentence.

    >>> state_of(None)
    ('waiting', 'The next round opens soon.')
    """
    if round_seen is None:
        return "waiting", "The next round opens soon."
    if round_seen["interrupted"]:
        return "stopped", "Interrupted: a supervisor decides."
    phase = round_seen["phase"]
    if phase == "settled":
        points = [round_seen["hands"][side]["points"] for side in SIDES]
        if None in points:
            return "waiting", "The round is settled."
        winner = winner_of(*points)
        return winner, {"tie": "Tie", "player": "Player wins", "banker": "Banker wins"}[winner]
    if round_seen["reported"] is not None:
        return "stopped", "A supervisor looks at what happened."
    if round_seen["options"] is not None:
        return "stopped", "The players are being asked."
    return {
        "betting": ("betting", "Place your bets, please"),
        "void": ("stopped", "The round is void. Bets go back."),
        "concluded": ("waiting", "The round is over without play."),
    }.get(phase, ("insurance", "Insurance") if round_seen["window"] else ("dealing", "No more bets"))


def insurance_paid(book: Rulebook) -> list[tuple[str, str, list[tuple[str, str, str]]]]:
    """The Insurance a rulebook offers by moment and hand, as four short lists that can be read from afar.

    Each line is as it is printed: the hand's own totals, those it is up against, the odds.
    """
    lists: dict[tuple[Window, str], list[tuple[str, str, str]]] = {
        (window, side): [] for window in WINDOWS for side in SIDES
    }
    for offer in book.insurance.offers if book.insurance else ():
        own, other = (spans(totals).replace("-", "–") for totals in (offer.own, offer.other))
        lists[offer.window, offer.hand].append((own, other, str(offer.odds)))
    return [(WINDOW_TITLES[window], side, lines) for (window, side), lines in lists.items() if lines]


def road_rows(all_roads: Roads, language: Language) -> list[tuple[str, str]]:
    """The roads in words: each one's columns from left to right, downwards, with the ties on a win."""
    named = {"banker": "Banker", "player": "Player"}
    wins = [[(named[cell.winner], cell.ties) for cell in column] for column in all_roads.big_road]
    derived = (
        ("Big eye boy", all_roads.big_eye_boy),
        ("Small road", all_roads.small_road),
        ("Cockroach pig", all_roads.cockroach_pig),
    )
    rows: list[tuple[str, Sequence[Sequence[tuple[str, int]]]]] = [
        ("Big road", wins),
        *((name, [[(mark, 0) for mark in column] for column in road.columns]) for name, road in derived),
    ]
    return [(say(language, name), _columns_in_words(columns, language)) for name, columns in rows]


def _columns_in_words(columns: Iterable[Iterable[tuple[str, int]]], language: Language) -> str:
    def cell(word: str, ties: int) -> str:
        return say(language, word) + (f" +{ties}" if ties else "")

    return "".join(", ".join(cell(*mark) for mark in column) + "; " for column in columns)
