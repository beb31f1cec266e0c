"""A player's own history at a table: every round they bet in, what it came to, and the proof of it.

The proof of a round is its events as they may see them, for whoever reads everything each with the hash that
chains it to the one before; the commitment its shoe was bound to before the first card; and, once the shoe
has ended, the order and the salt that commitment was made of, so that anybody can work it out again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from litestar import Controller, Response, get
from litestar.params import FromPath

from lammer import draw
from lammer.floor.record.contract import Record, StoredEvent
from lammer.floor.record.past import PAGE, backwards, shoe_began, story
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.hashes import hashes
from lammer.floor.views.viewing import Viewer, event_seen
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.felt_page import cited
from lammer.floor.web.pages.payouts import Result, result
from lammer.floor.web.pages.refusing import must_read, said as refused_page
from lammer.floor.web.pages.site import Req, language_of, page
from lammer.floor.web.pages.stories import bets_in, book_of
from lammer.floor.web.pages.why import meanings
from lammer.game.cards import Card
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.journal import decode
from lammer.table.records import PaidLine
from lammer.table.seating import commitment
from lammer.wording.catalogues import Language
from lammer.wording.events import EventWriter, paragraphs_of
from lammer.wording.figures import write_moment, write_time
from lammer.wording.pictures import picture_words

ROUNDS: Final = 15
"""Rounds on a page."""
REACH: Final = 50_000
"""Events gone through for one page; then the reader is told where to go on."""
EVENTS: Final = 400
_OPENING: Final = b'"event":"BettingOpened"'
_CORRECTED: Final = b'"event":"RoundCorrected"'
_ENDED: Final = b'"event":"ShoeEnded"'


@dataclass(slots=True)
class Own:
    """A round a player bet in: how it ended, their lines, and the hands."""

    number: int
    opened: int
    at: datetime
    state: str = "under way"
    hands: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    lines: tuple[PaidLine, ...] = ()
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class ShoeProof:
    """The shoe a round was dealt from; `order` and `salt` are there once it has ended."""

    number: int
    commitment: str
    order: tuple[str, ...] = ()
    salt: str = ""
    first: int = 0
    last: int = 0

    @property
    def text(self) -> str:
        """What the commitment is the SHA-256 of."""
        return f"{self.salt}:{' '.join(self.order)}"

    @property
    def holds(self) -> bool:
        return bool(self.order) and commitment(self.order, self.salt) == self.commitment


@dataclass(slots=True)
class _Seen:
    """What a search has come by on its way down."""

    inside: list[StoredEvent] = field(default_factory=list)
    corrected: dict[int, list[e.RoundCorrected]] = field(default_factory=dict)


class History(Controller):
    """What a player played, and the proof."""

    include_in_schema = False
    path = "/tables/{table:str}/history"
    exception_handlers = {Refused: refused_page}  # noqa: RUF012 (the framework reads it)

    @get()
    async def rounds(self, request: Req, table: FromPath[str]) -> Response[Any]:
        session = must_read(request)
        view = await context_of(request).house.tables.seen(table)
        given = request.query_params.get("below", "")
        below = int(given) if given.isascii() and given.isdigit() and len(given) < 16 else None
        player, language = session.account.name, language_of(request)
        found, go_on = await asyncio.to_thread(own_rounds, view.store, table, player, below)
        shown = [_shown(request, view, each, language) for each in found]
        return page(
            request,
            "history.html",
            table=table,
            title=context_of(request).house.tables.listed[table].title,
            rounds=await asyncio.gather(*shown),
            go_on=go_on,
        )

    @get("/{number:int}")
    async def proof(self, request: Req, table: FromPath[str], number: FromPath[int]) -> Response[Any]:
        session = must_read(request)
        context, language = context_of(request), language_of(request)
        view = await context.house.tables.seen(table)
        viewer = Viewer(session.account.name, session.account.role)
        corrections = view.table.corrected.get(number, 0)
        told, more = await asyncio.to_thread(
            story, view.store, table, view.number, number, 0, EVENTS, corrections
        )
        if not told:
            raise Refused("unknown_round", "Table {table} has no round {number}.", table=table, number=number)
        book = await _book(request, view, told[0].number)
        setup = view.table.setup
        known = await asyncio.to_thread(hashes, view, [each.number for each in told], viewer)
        shown = [(each, seen) for each in told if (seen := event_seen(each, viewer)) is not None]
        boxes = setup.box_names if setup is not None else ()
        writer = EventWriter(language, book, boxes, bets_in(seen for _, seen in shown))
        rows = []
        for each, seen in shown:
            at = write_time(language, each.entry.at, _zone(book), seconds=True)
            hash_ = known.get(each.number, "")
            under = book_of(seen, book.id)
            rows.append((each.number, at, writer.sentence(seen), paragraphs_of(seen), under, hash_))
        own = told_own([each.entry.event for each in told], number, told[0].number, told[0].entry.at, viewer)
        shoe = await asyncio.to_thread(shoe_of, view.store, table, told[0].number, view.number)
        return page(
            request,
            "proof.html",
            table=table,
            title=context.house.tables.listed[table].title,
            number=number,
            rows=rows,
            more=more,
            hashed=viewer.reads_all,
            shoe=shoe,
            round=await _shown(request, view, own, language),
            zone=_zone(book).key,
        )


def own_rounds(
    store: Record, table: str, player: str, below: int | None, most: int = ROUNDS
) -> tuple[list[Own], int | None]:
    """The rounds a player bet in, the newest first, and the event below which to go on; None at the end."""
    last = store.head(table).number if below is None else below - 1
    named = b'"player":' + json.dumps(player, ensure_ascii=False).encode()
    seen, found = _Seen(), []
    for gone, stored in enumerate(backwards(store, table, last), 1):
        seen.inside.append(stored)
        if _CORRECTED in stored.body:
            event = decode(stored.body).event
            assert isinstance(event, e.RoundCorrected)
            seen.corrected.setdefault(event.round, []).append(event)
        if _OPENING not in stored.body:
            continue
        bet_in_it = any(named in each.body for each in seen.inside)
        inside, seen.inside = seen.inside[::-1], []
        if bet_in_it:
            own = _own(inside, player, seen.corrected)
            if own is not None:
                found.append(own)
        if len(found) >= most or gone >= REACH:
            return found, stored.number
    return found, None


def _own(
    inside: Sequence[StoredEvent], player: str, corrected: dict[int, list[e.RoundCorrected]]
) -> Own | None:
    entries = [decode(each.body) for each in inside]
    bets = (e.BetPlaced, e.InsurancePlaced)
    if not any(isinstance(each.event, bets) and each.event.player == player for each in entries):
        return None
    opening = entries[0].event
    assert isinstance(opening, e.BettingOpened)
    events = [each.event for each in entries]
    # Those made in the round itself were come by on the way too.
    later = [each for each in corrected.get(opening.round, ()) if each not in events]
    events += reversed(later)
    viewer = Viewer(player, "player")
    return told_own(events, opening.round, entries[0].number, entries[0].at, viewer)


def told_own(events: Iterable[e.Event], number: int, opened: int, at: datetime, viewer: Viewer) -> Own:
    """A round as its events tell it to one player."""
    own = Own(number, opened, at)
    for event in events:
        match event:
            case e.RoundSettled():
                own.state, own.hands = "settled", (event.player, event.banker)
                own.lines = tuple(line for line in event.lines if line.player == viewer.name)
            case e.SettlementReopened():
                own.state, own.lines, own.corrected = "reopened", (), True
            case e.RoundVoided():
                own.state, own.lines, own.hands = "void", (), ((), ())
            case e.RoundConcluded():
                own.state = "concluded"
            case e.RoundInterrupted():
                own.state = "interrupted"
            case e.RoundCorrected() if event.round == number:
                own.corrected = True
                own.state = "void" if event.void else "settled"
                if event.because != "damaged_cards":
                    # There, cards that were never opened are among them.
                    own.hands = event.player, event.banker
                gone = {line.key for line in event.reversed}
                kept = [line for line in own.lines if line.key not in gone]
                kept += [line for line in event.posted if line.player == viewer.name]
                own.lines = tuple(sorted(kept, key=lambda line: line.key))
            case _:
                pass
    return own


def shoe_of(store: Record, table: str, opened: int, last: int) -> ShoeProof | None:
    """The shoe of the round opened by that event, its place in it, and its reveal if it has ended."""
    began = shoe_began(store, table, opened)
    if not began:
        return None
    prepared = decode(store.read(table, began - 1, 1)[0].body).event
    assert isinstance(prepared, e.ShoePrepared)
    if prepared.kind != "virtual":
        return None
    before = inside = 0
    ended: e.ShoeEnded | None = None
    at, over = began, False
    while ended is None and (found := store.read(table, at, PAGE)):
        for stored in found:
            if stored.number > last:
                return ShoeProof(prepared.shoe, prepared.commitment)
            if _OPENING in stored.body and stored.number > opened:
                over = True
            if b'"event":"CardDealt"' in stored.body and b'"carried":false' in stored.body and not over:
                before, inside = (before + 1, inside) if stored.number < opened else (before, inside + 1)
            if _ENDED in stored.body:
                event = decode(stored.body).event
                ended = event if isinstance(event, e.ShoeEnded) else None
                break
        at = found[-1].number
    if ended is None:
        return ShoeProof(prepared.shoe, prepared.commitment)
    return ShoeProof(prepared.shoe, prepared.commitment, ended.order, ended.salt, before + 1, before + inside)


async def _book(request: Req, view: DurableView, opened: int) -> Rulebook:
    """The rulebook a round was played by."""
    setups = context_of(request).setups
    name = await asyncio.to_thread(setups.rulebook, view.store, view.id, opened)
    return view.table.books.get(name) or view.table.book


def _zone(book: Rulebook) -> ZoneInfo:
    return ZoneInfo(book.time_zone)


async def _shown(request: Req, view: DurableView, own: Own, language: Language) -> dict[str, Any]:
    """A round of the history as its page shows it."""
    book = await _book(request, view, own.opened)
    told: Result | None = None
    if own.hands[0]:
        hands = tuple(tuple(map(Card, hand)) for hand in own.hands)
        told = result(language, book, own.number, (hands[0], hands[1]), own.lines)
    pictures = [[draw.card(Card(card), words=picture_words(language)) for card in hand] for hand in own.hands]
    return {
        "number": own.number,
        "at": write_moment(language, own.at, _zone(book)),
        "state": own.state,
        "corrected": own.corrected,
        "result": told,
        "meanings": meanings(book, cited(told), language),
        "hands": pictures,
        "book": book.id,
    }
