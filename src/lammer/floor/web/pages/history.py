"""A player's own history at a table: every round they bet in, what it came to, and the proof of it.

The proof of a round is its events as they may see them, for whoever reads everything each with the hash that
chains it to the one before; the commitment its shoe was bound to before the first card; and, once the shoe
has ended, the order and the salt that commitment was made of, so that anybody can work it out again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final
from zoneinfo import ZoneInfo

from litestar import Response, get
from litestar.params import FromPath

from lammer import draw
from lammer.floor.record.contract import Record, StoredEvent
from lammer.floor.record.past import PAGE, backwards, shoe_began, story
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.hashes import hashes
from lammer.floor.views.viewing import Viewer, names_open_cards
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.frame import Say
from lammer.floor.web.pages.payouts import Result, result
from lammer.floor.web.pages.receipts import receipt
from lammer.floor.web.pages.refusing import Pages, must_read
from lammer.floor.web.pages.site import Req, asked_number, language_of, page
from lammer.floor.web.pages.stories import event_rows, seen_by, story_writer
from lammer.game.cards import Card
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.journal import decode
from lammer.table.records import PaidLine
from lammer.table.seating import commitment
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_moment, write_time
from lammer.wording.pictures import picture_words

ROUNDS: Final = 15
"""Rounds on a page."""
REACH: Final = 50_000
"""Events gone through for one page; then the page links to where the search goes on."""
EVENTS: Final = 400
_OPENING: Final = b'"event":"BettingOpened"'
_CORRECTED: Final = b'"event":"RoundCorrected"'
_ENDED: Final = b'"event":"ShoeEnded"'


@dataclass(slots=True)
class OwnRound:
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


class History(Pages):
    """What a player played, and the proof."""

    path = "/tables/{table:str}/history"

    @get()
    async def rounds(self, request: Req, table: FromPath[str]) -> Response[Any]:
        session = must_read(request)
        view = await context_of(request).house.tables.seen(table)
        player, language = session.account.name, language_of(request)
        below = asked_number(request, "below")
        played, go_on = await asyncio.to_thread(own_rounds, view.store, table, player, below)
        round_values = [_round_values(request, view, own_round, language) for own_round in played]
        return page(
            request,
            "history.html",
            table=table,
            title=context_of(request).house.tables.listed[table].title,
            rounds=await asyncio.gather(*round_values),
            go_on=go_on,
        )

    @get("/{number:int}")
    async def proof(self, request: Req, table: FromPath[str], number: FromPath[int]) -> Response[Any]:
        session = must_read(request)
        context, language = context_of(request), language_of(request)
        view = await context.house.tables.seen(table)
        viewer = Viewer(session.account.name, session.account.role)
        corrections = view.table.corrected.get(number, 0)
        events, more = await asyncio.to_thread(
            story, view.store, table, view.number, number, 0, EVENTS, corrections
        )
        if not events:
            raise Refused("unknown_round", "Table {table} has no round {number}.", table=table, number=number)
        book = await _book(request, view, events[0].number)
        known = await asyncio.to_thread(hashes, view, [event.number for event in events], viewer)
        visible, zone = seen_by(viewer, events), ZoneInfo(book.time_zone)
        writer = story_writer(view, book, language, visible, viewer.name if viewer.role == "player" else "")
        own_round = read_own_round(
            [event.entry.event for event in events], number, events[0].number, events[0].entry.at, viewer
        )
        shoe = await asyncio.to_thread(shoe_of, view.store, table, events[0].number, view.number)
        return page(
            request,
            "proof.html",
            table=table,
            title=context.house.tables.listed[table].title,
            number=number,
            rows=event_rows(
                visible, writer, book.id, known, lambda at: write_time(language, at, zone, seconds=True)
            ),
            more=more,
            hashed=viewer.reads_all,
            shoe=shoe,
            round=await _round_values(request, view, own_round, language),
            zone=zone.key,
        )


def own_rounds(
    store: Record, table: str, player: str, below: int | None, most: int = ROUNDS
) -> tuple[list[OwnRound], int | None]:
    """The rounds a player bet in, the newest first, and the event below which to go on; None at the end."""
    last = store.head(table).number if below is None else below - 1
    named = b'"player":' + json.dumps(player, ensure_ascii=False).encode()
    inside: list[StoredEvent] = []
    corrected: dict[int, list[e.RoundCorrected]] = {}
    rounds = []
    for gone, stored in enumerate(backwards(store, table, last), 1):
        inside.append(stored)
        if _CORRECTED in stored.body:
            event = decode(stored.body).event
            assert isinstance(event, e.RoundCorrected)
            corrected.setdefault(event.round, []).append(event)
        if _OPENING not in stored.body:
            continue
        if any(named in stored.body for stored in inside):
            own_round = _decode_own_round(inside[::-1], player, corrected)
            if own_round is not None:
                rounds.append(own_round)
        inside = []
        if len(rounds) >= most or gone >= REACH:
            return rounds, stored.number
    return rounds, None


def _decode_own_round(
    inside: Sequence[StoredEvent], player: str, corrected: dict[int, list[e.RoundCorrected]]
) -> OwnRound | None:
    entries = [decode(stored.body) for stored in inside]
    bets = (e.BetPlaced, e.InsurancePlaced)
    if not any(isinstance(entry.event, bets) and entry.event.player == player for entry in entries):
        return None
    opening = entries[0].event
    assert isinstance(opening, e.BettingOpened)
    events = [entry.event for entry in entries]
    # Those made in the round itself were come by on the way too.
    later = [correction for correction in corrected.get(opening.round, ()) if correction not in events]
    events += reversed(later)
    viewer = Viewer(player, "player")
    return read_own_round(events, opening.round, entries[0].number, entries[0].at, viewer)


def read_own_round(
    events: Iterable[e.Event], number: int, opened: int, at: datetime, viewer: Viewer
) -> OwnRound:
    """A round for one player, read from its events."""
    own_round = OwnRound(number, opened, at)
    for event in events:
        match event:
            case e.RoundSettled():
                own_round.state, own_round.hands = "settled", (event.player, event.banker)
                own_round.lines = tuple(line for line in event.lines if line.player == viewer.name)
            case e.SettlementReopened():
                own_round.state, own_round.lines, own_round.corrected = "reopened", (), True
            case e.RoundVoided():
                own_round.state, own_round.lines, own_round.hands = "void", (), ((), ())
            case e.RoundConcluded():
                own_round.state = "concluded"
            case e.RoundInterrupted():
                own_round.state = "interrupted"
            case e.RoundCorrected() if event.round == number:
                own_round.corrected = True
                own_round.state = "void" if event.void else "settled"
                if names_open_cards(event.because):
                    own_round.hands = event.player, event.banker
                gone = {line.key for line in event.reversed}
                kept = [line for line in own_round.lines if line.key not in gone]
                kept += [line for line in event.posted if line.player == viewer.name]
                own_round.lines = tuple(sorted(kept, key=lambda line: line.key))
            case _:
                pass
    return own_round


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
    while ended is None and (stored_events := store.read(table, at, PAGE)):
        for stored in stored_events:
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
        at = stored_events[-1].number
    if ended is None:
        return ShoeProof(prepared.shoe, prepared.commitment)
    return ShoeProof(prepared.shoe, prepared.commitment, ended.order, ended.salt, before + 1, before + inside)


async def _book(request: Req, view: DurableView, opened: int) -> Rulebook:
    """The rulebook a round was played by."""
    setups = context_of(request).setups
    name = await asyncio.to_thread(setups.rulebook, view.store, view.id, opened)
    return view.table.books.get(name) or view.table.book


async def _round_values(
    request: Req, view: DurableView, own_round: OwnRound, language: Language
) -> dict[str, Any]:
    """A round of the history as its page shows it."""
    book = await _book(request, view, own_round.opened)
    round_result: Result | None = None
    t = partial(say, language)
    if own_round.hands[0]:
        hands = tuple(tuple(map(Card, hand)) for hand in own_round.hands)
        round_result = result(language, book, own_round.number, (hands[0], hands[1]), own_round.lines)
    pictures = [
        [draw.card(Card(card), words=picture_words(language)) for card in hand] for hand in own_round.hands
    ]
    return {
        "number": own_round.number,
        "at": write_moment(language, own_round.at, ZoneInfo(book.time_zone)),
        "title": _title(t, own_round.number, round_result),
        "state": _state(t, own_round.state),
        "corrected": own_round.corrected,
        "settled": round_result is not None,
        "receipt": receipt(language, book, round_result),
        "hands": list(zip((t("Player"), t("Banker")), pictures, strict=True)),
        "book": book.id,
    }


def _title(t: Say, number: int, result: Result | None) -> str:
    if result is None:
        return t("Round {number}", number=number)
    return t("Round {number}: {headline}", number=number, headline=result.headline)


def _state(t: Say, state: str) -> str:
    """How a round ended, or that it has not."""
    return {
        "under way": t("under way"),
        "settled": t("settled"),
        "void": t("void: every bet went back"),
        "concluded": t("ended without play"),
        "reopened": t("settlement reopened"),
        "interrupted": t("interrupted"),
    }[state]
