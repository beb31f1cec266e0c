"""A player's own history: every round they bet in at any table, what it came to, and the proof of it.

The proof of a round is its events as they may see them, for whoever reads everything each with the hash that
chains it to the one before; the commitment its shoe was bound to before the first card; and, once the shoe
has ended, the order and the salt that commitment was made of, so that anybody can work it out again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Any, Final
from urllib.parse import quote, urlencode

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from lammer import draw
from lammer.floor.access.sessions import Session
from lammer.floor.record.contract import Record
from lammer.floor.record.log.evidence import collect, write as write_evidence
from lammer.floor.record.log.log_secrets import log_secrets
from lammer.floor.record.past import PAGE, shoe_began, story
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.record.verify.verify import trusted_keys
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.evidence_seen import evidence_events
from lammer.floor.views.finding import REACH, RoundQuery, house_rounds
from lammer.floor.views.gaming_day import zone_of
from lammer.floor.views.hashes import hashes
from lammer.floor.views.round_truth import Outcome, RoundTruth, read_round
from lammer.floor.views.viewing import Viewer
from lammer.floor.web.context import AppContext, context_of
from lammer.floor.web.pages.felt.changes import outcome_text, words_of_changes
from lammer.floor.web.pages.felt.payouts import Result, result
from lammer.floor.web.pages.felt.receipts import receipt
from lammer.floor.web.pages.player.stories import event_rows, seen_by, story_writer
from lammer.floor.web.pages.rules.book_names import book_name
from lammer.floor.web.pages.site.clocks import Clock
from lammer.floor.web.pages.site.downloads import MEDIA, file_headers
from lammer.floor.web.pages.site.frame import Choice, choices
from lammer.floor.web.pages.site.refusing import Pages, must_read
from lammer.floor.web.pages.site.site import Req, asked_number, clock_of, page
from lammer.game.cards import Card
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.journal import decode
from lammer.table.seating import commitment
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_moment, write_money, write_signed, write_time
from lammer.wording.pictures import picture_words

ROUNDS: Final = 15
"""Rounds on a page."""
COUNTED: Final = 1_000
"""Rounds that are counted together; whoever played more of them counts them by their dates."""
EVENTS: Final = 400
"""Events on a page of a proof; the file has all of them."""
EVERYWHERE: Final = ""
"""No table in particular."""
_OPENING: Final = b'"event":"BettingOpened"'
_ENDED: Final = b'"event":"ShoeEnded"'
TableRound = tuple[str, RoundTruth]


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


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """Which of their rounds somebody wants to see: of a table, between two days, won or lost."""

    table: str = EVERYWHERE
    first: date | None = None
    last: date | None = None
    came_to: str = ""
    earlier_than: datetime | None = None

    def rounds_wanted(self, player: str, clock: Clock) -> RoundQuery:
        """The question this makes to the record; days are those of the reader's clock."""
        since = _midnight(self.first, clock) if self.first else None
        until = _midnight(self.last + timedelta(days=1), clock) if self.last else None
        ends = [moment for moment in (until, self.earlier_than) if moment is not None]
        return RoundQuery(since=since, until=min(ends, default=None), player=player)

    def fits(self, truth: RoundTruth) -> bool:
        """Whether a round came to what is asked for."""
        gain = truth.outcome.gain_of()
        return {"": True, "won": gain > 0, "lost": gain < 0}[self.came_to]

    def address(self, **more: str) -> str:
        """The same rounds, or where to go on."""
        days = {"first": self.first, "last": self.last}
        asked = {"table": self.table, "came_to": self.came_to}
        asked |= {name: day.isoformat() for name, day in days.items() if day is not None}
        if self.earlier_than is not None:
            asked["before"] = self.earlier_than.isoformat()
        return f"/history?{urlencode({name: value for name, value in (asked | more).items() if value})}"


def _midnight(day: date, clock: Clock) -> datetime:
    return datetime.combine(day, time(), clock.zone)


@dataclass(frozen=True, slots=True)
class Totals:
    """What rounds come to together, in figures."""

    rounds: int
    staked: str
    gain: str
    way: str
    won: int
    lost: int
    even: int


def totals(language: Language, played: Iterable[RoundTruth]) -> Totals:
    """What these rounds of one player come to."""
    outcomes = [truth.outcome for truth in played]
    gains = [outcome.gain_of() for outcome in outcomes]
    gain = sum(gains)
    return Totals(
        len(outcomes),
        write_money(language, sum(outcome.staked for outcome in outcomes)),
        write_signed(language, gain),
        "up" if gain > 0 else "down" if gain < 0 else "",
        sum(gain > 0 for gain in gains),
        sum(gain < 0 for gain in gains),
        sum(gain == 0 for gain in gains),
    )


class OwnHistory(Pages):
    """What a player played, at every table."""

    path = "/history"

    @get()
    async def all_tables(self, request: Req) -> Response[Any]:
        return await history_page(request, request.query_params.get("table", EVERYWHERE))


class History(Pages):
    """What a player played at a table, and the proof."""

    path = "/tables/{table:str}/history"

    @get()
    async def rounds(self, request: Req, table: FromPath[str]) -> Response[Any]:
        return await history_page(request, table)

    @get("/{number:int}")
    async def proof(self, request: Req, table: FromPath[str], number: FromPath[int]) -> Response[Any]:
        session = must_read(request)
        context = context_of(request)
        view = await context.house.tables.seen(table)
        proven = await _proven_round(context, view, session, number)
        clock = clock_of(request, zone_of(view))
        visible, viewer = seen_by(proven.viewer, proven.events), proven.viewer
        after = asked_number(request, "after", 12) or 0
        following = [(event, seen) for event, seen in visible if event.number > after]
        shown = following[:EVENTS]
        known = await asyncio.to_thread(hashes, view, [event.number for event, _ in shown], viewer)
        writer = story_writer(
            view, proven.book, clock.language, visible, viewer.name if viewer.role == "player" else ""
        )
        return page(
            request,
            "proof.html",
            clock=clock,
            table=table,
            title=context.house.tables.listed[table].title,
            number=number,
            rows=event_rows(shown, writer, proven.book.id, known, partial(_time, clock)),
            after=after,
            more=shown[-1][0].number if len(following) > EVENTS else None,
            hashed=viewer.reads_all,
            shoe=proven.shoe,
            round=_round_values(proven.own, proven.book, clock, table, context),
        )

    @get("/{number:int}/proof.json")
    async def proof_file(self, request: Req, table: FromPath[str], number: FromPath[int]) -> Response[bytes]:
        """The same to take away: the events as they may be seen, and the shoe."""
        session = must_read(request)
        context = context_of(request)
        view = await context.house.tables.seen(table)
        proven = await _proven_round(context, view, session, number)
        known = await asyncio.to_thread(
            hashes, view, [event.number for event in proven.events], proven.viewer
        )
        events = [
            {**seen, **({"hash": known[event.number]} if event.number in known else {})}
            for event, seen in seen_by(proven.viewer, proven.events)
        ]
        proof = {
            "table": table,
            "round": number,
            "rulebook": {"id": proven.book.id, "sha256": proven.book.sha256},
            "shoe": proven.shoe,
            "events": events,
            "more": proven.more,
        }
        headers = file_headers(table, f"round-{number}", "proof", kind="json")
        return Response(msgspec.json.encode(proof), media_type=MEDIA["json"], headers=headers)

    @get("/{number:int}/evidence.json")
    async def evidence(self, request: Req, table: FromPath[str], number: FromPath[int]) -> Response[bytes]:
        """What shows without the house that this happened: for `docs/guides/verify_round.py`."""
        session = must_read(request)
        context = context_of(request)
        view = await context.house.tables.seen(table)
        proven = await _proven_round(context, view, session, number)
        return await evidence_file(context, view, proven.events, proven.viewer, number)


async def evidence_file(
    context: AppContext, view: DurableView, events: Sequence[RevealedEvent], viewer: Viewer, number: int
) -> Response[bytes]:
    """The evidence of a round in the log of the house, as far as this viewer may have it."""
    folder = context.settings.folder

    def collected() -> bytes:
        listed = [] if context.witnesses is None else [one.key for one in context.witnesses.listed]
        wanted = evidence_events(view, events, viewer)
        evidence = collect(
            view.store, log_secrets(folder), view.id, number, wanted, trusted_keys(folder), listed
        )
        return write_evidence(evidence)

    body = await asyncio.to_thread(collected)
    headers = file_headers(view.id, f"round-{number}", "evidence", kind="json")
    return Response(body, media_type=MEDIA["json"], headers=headers)


async def history_page(request: Req, table: str) -> Response[Any]:
    """The rounds somebody played, with totals; at one table, or at all of them."""
    session = must_read(request)
    context = context_of(request)
    tables = context.house.tables.listed
    if not tables:
        return page(request, "history.html", has_tables=False)
    everywhere = await context.house.tables.seen_of(tables)
    views = everywhere if table == EVERYWHERE else {table: await context.house.tables.seen(table)}
    if not views:
        return page(request, "history.html", has_tables=False)
    clock = clock_of(request, zone_of(next(iter(views.values()))))
    asked = _asked(request, table, clock)
    viewer = Viewer(session.account.name, "player")
    wanted = asked.rounds_wanted(viewer.name, clock)
    since_in = RoundQuery(since=session.started, player=viewer.name)
    line = context.history_line
    found, earlier = await line.do(viewer.name, lambda: _own_rounds(context, viewer, list(views), wanted))
    in_session, _ = await line.do(
        viewer.name, lambda: _own_rounds(context, viewer, list(everywhere), since_in)
    )
    played = [(name, truth) for name, truth in found if asked.fits(truth)]
    turned = max(1, asked_number(request, "page", 3) or 1)
    shown = played[ROUNDS * (turned - 1) : ROUNDS * turned]
    books = await asyncio.gather(*(_book(context, views[name], truth.opened) for name, truth in shown))
    language = clock.language
    return page(
        request,
        "history.html",
        clock=clock,
        has_tables=True,
        table=table,
        title=tables[table].title if table else "",
        asked=asked,
        tables=[
            Choice(EVERYWHERE, say(language, "All tables"), table == EVERYWHERE),
            *choices(((listed.id, listed.title) for listed in tables.values()), table),
        ],
        came_to=choices(
            (
                ("", say(language, "won or lost")),
                ("won", say(language, "won")),
                ("lost", say(language, "lost")),
            ),
            asked.came_to,
        ),
        totals=totals(language, (truth for _, truth in played)),
        session_totals=totals(language, (truth for _, truth in in_session)),
        signed_in=clock.moment(session.started),
        rounds=[
            _round_values(truth, book, clock, name, context)
            for (name, truth), book in zip(shown, books, strict=True)
        ],
        later=asked.address(page=str(turned - 1)) if turned > 1 else "",
        further=asked.address(page=str(turned + 1)) if len(played) > ROUNDS * turned else "",
        counted_since=clock.moment(earlier) if earlier else "",
        earlier=asked.address(before=earlier.isoformat()) if earlier else "",
    )


def _asked(request: Req, table: str, clock: Clock) -> HistoryQuery:
    """Which rounds an address asks for; what cannot be read is refused."""
    query = request.query_params
    came_to = query.get("came_to", "")
    try:
        first, last = (
            date.fromisoformat(query.get(name, "")) if query.get(name) else None for name in ("first", "last")
        )
        before = datetime.fromisoformat(query["before"]) if query.get("before") else None
        in_reach = last is None or last < date.max
    except ValueError:
        in_reach = False
    if not in_reach or came_to not in ("", "won", "lost"):
        raise Refused("malformed_input", "What is looked for cannot be read.", next_step="A day is a date.")
    if before is not None and before.tzinfo is None:
        before = before.replace(tzinfo=clock.zone)
    return HistoryQuery(table, first, last, came_to, before)


def _own_rounds(
    context: AppContext, viewer: Viewer, tables: Sequence[str], wanted: RoundQuery
) -> tuple[list[TableRound], datetime | None]:
    store = context.house.store
    return house_rounds(store, tables, wanted, limit=COUNTED, marks=context.marks, viewer=viewer)


@dataclass(frozen=True, slots=True)
class ProvenRound:
    """A round with all that its proof is made of, as its reader may see it."""

    viewer: Viewer
    events: list[Any]
    more: bool
    book: Rulebook
    own: RoundTruth
    shoe: ShoeProof | None


async def _proven_round(context: AppContext, view: DurableView, session: Session, number: int) -> ProvenRound:
    """A round of a table as somebody may see it, every event of it, and what they won there."""
    corrections = view.table.corrected.get(number, 0)
    events, more = await asyncio.to_thread(
        story, view.store, view.id, view.number, number, 0, REACH, corrections
    )
    if not events:
        raise Refused("unknown_round", "Table {table} has no round {number}.", table=view.id, number=number)
    opened = events[0].number
    book = await _book(context, view, opened)
    shoe = await asyncio.to_thread(shoe_of, view.store, view.id, opened, view.number)
    viewer = Viewer(session.account.name, session.account.role)
    own = read_round((event.entry for event in events), Viewer(viewer.name, "player"))
    return ProvenRound(viewer, events, more, book, own, shoe)


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


async def _book(context: AppContext, view: DurableView, opened: int) -> Rulebook:
    """The rulebook a round was played by."""
    name = await asyncio.to_thread(context.setups.rulebook, view.store, view.id, opened)
    return view.table.books.get(name) or view.table.book


def _time(clock: Clock, at: datetime) -> str:
    return write_time(clock.language, at, clock.zone, seconds=True)


def _round_values(
    truth: RoundTruth, book: Rulebook, clock: Clock, table: str, context: AppContext
) -> dict[str, Any]:
    """A round of the history as its page shows it."""
    language, outcome = clock.language, truth.outcome
    round_result = _result_of(language, book, truth.number, outcome)
    pictures = [
        [draw.card(Card(card), words=picture_words(language)) for card in hand]
        for hand in (outcome.player, outcome.banker)
    ]
    sides = say(language, "Player"), say(language, "Banker")
    return {
        "number": truth.number,
        "table": context.house.tables.listed[table].title,
        "anchor": f"round-{table}-{truth.number}",
        "proof": f"/tables/{quote(table)}/history/{truth.number}",
        "at": f"{write_moment(language, truth.at, clock.zone)} {clock.name}",
        "title": _title(language, truth.number, outcome, round_result),
        "state": _state(language, outcome),
        "corrected": truth.corrected,
        "changes": words_of_changes(truth, book, clock),
        "settled": bool(outcome.player),
        "receipt": receipt(language, book, round_result),
        "hands": list(zip(sides, pictures, strict=True)),
        "book": book_name(language, book),
    }


def _result_of(language: Language, book: Rulebook, number: int, outcome: Outcome) -> Result | None:
    """What a round came to for its player, line by line; None where there is nothing to say of it."""
    if not outcome.player or outcome.state not in ("settled", "void"):
        return None
    hands = tuple(map(Card, outcome.player)), tuple(map(Card, outcome.banker))
    return result(language, book, number, hands, outcome.lines)


def _title(language: Language, number: int, outcome: Outcome, round_result: Result | None) -> str:
    """A round by its number and what it came to; where cards and record differ, the record is right."""
    if outcome.state not in ("settled", "void"):
        return say(language, "Round {number}", number=number)
    by_cards = round_result is not None and round_result.winner == outcome.winner
    headline = round_result.headline if by_cards and round_result else outcome_text(language, outcome)
    return say(language, "Round {number}: {headline}", number=number, headline=headline)


def _state(language: Language, outcome: Outcome) -> str:
    """How a round ended, or that it has not."""
    if outcome.state == "void" and any(line.outcome != "returned" for line in outcome.lines):
        # Side bets that the cards had decided keep their result.
        return say(language, "void")
    return {
        "under way": say(language, "under way"),
        "settled": say(language, "settled"),
        "void": say(language, "void: every bet went back"),
        "concluded": say(language, "ended without play"),
        "reopened": say(language, "settlement reopened"),
        "interrupted": say(language, "interrupted"),
    }[outcome.state]
