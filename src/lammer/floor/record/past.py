"""Reading a table's past from the record: the table as it stands, a page of its events, the story of a round.

Everything here blocks on the database and is asked from a worker thread. Nothing reads a table's whole
history: a table comes back from its snapshot, a round is found by halving, and what a later page needs of
the round it begins in is read backwards to the opening of its bets.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from lammer.floor.record.contract import Record, StoredEvent
from lammer.floor.record.revealed import HIDDEN, RevealedEvent
from lammer.floor.record.sealing import Snapshot
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Side
from lammer.table import events as e
from lammer.table.fold import evolve
from lammer.table.journal import Entry, decode
from lammer.table.recall import round_from
from lammer.table.setup import SetUp
from lammer.table.snapshot import Unreadable, thaw
from lammer.table.state import PAST_ROUNDS, Past, Table

log = logging.getLogger("lammer.floor")

PAGE: Final = 2_000
PROBE: Final = 100
LOOK_ON: Final = 40_000
"""Events read beyond a round for what was said of it later; corrections are found however far away."""

_OPENING: Final = b'"event":"BettingOpened"'
_SHOE: Final = b'"event":"ShoePrepared"'
_SET_UP: Final = b'"event":"TableSet"'
_CARD: Final = b'"event":"Card'


@dataclass(frozen=True, slots=True)
class ReadBack:
    """A table from the record: as it stands, at which event, when that was, and what was frozen of it."""

    table: Table
    number: int
    at: datetime | None
    frozen: int


def read_back(store: Record, books: Mapping[str, Rulebook], name: str) -> ReadBack:
    """A table from its latest snapshot, if that is of this record and can be read, and every event since."""
    table, number, at, frozen = Table(books), 0, None, 0
    snapshot = store.latest_snapshot(name)
    if snapshot is not None:
        try:
            table = thaw(books, store.seals.open_snapshot(snapshot).body)
            at = _must_be_of(store, snapshot)
            number = frozen = snapshot.number
        except Unreadable as why:
            log.warning("table %s: its snapshot cannot be used (%s); reading every event", name, why.why)
            table = Table(books)
    set_to: e.TableSet | None = None
    while page := store.read(name, number, PAGE):
        for stored in page:
            entry = store.seals.open(name, stored.body)
            if isinstance(entry.event, e.TableSet):
                set_to = entry.event
                _must_be_here(books, name, set_to.setup.rulebook)
            evolve(table, entry.event)
            at = entry.at
        number = page[-1].number
    if set_to is not None:
        _must_be_here(books, name, set_to.setup.rulebook, set_to.sha256)
    return ReadBack(table, number, at, frozen)


def _must_be_here(books: Mapping[str, Rulebook], name: str, book: str, sha256: str = "") -> None:
    """Refuse to go on by other rules than the table was set to."""
    if book not in books or (sha256 and books[book].sha256 != sha256):
        other = ", but another of that name" if book in books else ""
        raise Refused(
            "unknown_rulebook",
            "Table {name} was set to a {book} that is not here{other}.",
            next_step="Put that rulebook back as it was; give a changed one another version.",
            name=name,
            book=book,
            other=other,
        )


def _must_be_of(store: Record, snapshot: Snapshot) -> datetime:
    """When the event a snapshot was made after happened; the record has to have it."""
    there = store.read(snapshot.table, snapshot.number - 1, 1)
    if not there or (there[0].number, there[0].hash) != (snapshot.number, snapshot.hash):
        raise Unreadable("the record has another event there")
    return decode(there[0].body).at


@dataclass(slots=True)
class Felt:
    """The cards of a round as its events laid them, so that a card turned over can be named.

    >>> from datetime import UTC, datetime
    >>> def card_of(event): return felt.reveal(Entry(1, datetime(2026, 1, 1, tzinfo=UTC), "", "", event)).card
    >>> felt = Felt()
    >>> card_of(e.CardDealt("9H", "player", 1, False, True, False, "3.9")), card_of(e.CardOpened("player", 1))
    ('', '9H')
    """

    cards: dict[tuple[Side, int], tuple[str, bool]] = field(default_factory=dict)

    def reveal(self, entry: Entry) -> RevealedEvent:
        """The entry with the card it turned over; the felt with it."""
        match entry.event:
            case e.BettingOpened():
                self.cards.clear()
            case e.CardDealt(card=card, hand=hand, place=place, face_up=up):
                self.cards[hand, place] = card, up
            case e.CardOpened(hand=hand, place=place) if (hand, place) in self.cards:
                card = self.cards[hand, place][0]
                self.cards[hand, place] = card, True
                return RevealedEvent(entry, card)
            case (
                e.CardDetermined(hand=hand, place=place, card=card)
                | e.CardCorrected(hand=hand, place=place, card=card)
            ):
                up = self.cards.get((hand, place), ("", False))[1]
                self.cards[hand, place] = card, up
                return RevealedEvent(entry, card if up else HIDDEN)
            case e.CardsReconstructed(laid=laid) | e.CardsFound(laid=laid):
                self.cards.clear()
                places: Counter[str] = Counter()
                for put in laid:
                    places[put.hand] += 1
                    self.cards[put.hand, places[put.hand]] = put.card, put.face_up
            case _:
                pass
        return RevealedEvent(entry)


def reveal_stored(store: Record, table: str, stored_events: Sequence[StoredEvent]) -> list[RevealedEvent]:
    """Events from the record, each with the card it turned over."""
    entries = [decode(stored.body) for stored in stored_events]
    felt = Felt()
    turning = (e.CardOpened, e.CardDetermined, e.CardCorrected)
    first = next(
        (entry.event for entry in entries if isinstance(entry.event, (e.BettingOpened, *turning))), None
    )
    if isinstance(first, turning):
        for entry in _cards_before(store, table, entries[0].number):
            felt.reveal(entry)
    return [felt.reveal(entry) for entry in entries]


def _cards_before(store: Record, table: str, number: int) -> list[Entry]:
    """What happened to the cards of the round under way before this event."""
    entries: list[Entry] = []
    for stored in backwards(store, table, number - 1):
        if _OPENING in stored.body:
            break
        if _CARD in stored.body:
            entries.append(decode(stored.body))
    return entries[::-1]


def backwards(store: Record, table: str, number: int) -> Iterator[StoredEvent]:
    """The events of a table from this one down."""
    while number > 0:
        start = max(0, number - PAGE)
        yield from reversed(store.read(table, start, number - start))
        number = start


def shoe_began(store: Record, table: str, number: int) -> int:
    """The number of the event that brought the shoe in use at that event; 0 if there was none."""
    for stored in backwards(store, table, number):
        if _SHOE in stored.body:
            return stored.number
    return 0


def opening_of(store: Record, table: str, last: int, number: int) -> int | None:
    """The event that opened the bets of a round: rounds are numbered as events are."""
    opening = _first_opening(store, table, last, lambda opening: opening.round < number)
    return opening[0] if opening is not None and opening[1].round == number else None


def _first_opening(
    store: Record, table: str, last: int, is_before: Callable[[e.BettingOpened], bool]
) -> tuple[int, e.BettingOpened] | None:
    """The first event that opened bets and is not before what is looked for, by halving from `last` down."""
    low, high = 0, last
    while low < high:
        middle = (low + high) // 2
        opening = opening_after(store, table, middle)
        if opening is not None and is_before(opening[1]):
            low = opening[0]
        else:
            high = middle
    return opening_after(store, table, low)


def opening_after(store: Record, table: str, after: int) -> tuple[int, e.BettingOpened] | None:
    """The next event that opened bets."""
    size = PROBE
    while page := store.read(table, after, size):
        for stored in page:
            if _OPENING in stored.body:
                event = decode(stored.body).event
                assert isinstance(event, e.BettingOpened)
                return stored.number, event
        after, size = page[-1].number, PAGE
    return None


def recall_round(
    store: Record, books: Mapping[str, Rulebook], table: str, last: int, number: int, corrections: int
) -> Past | None:
    """A round as the record has it up to event `last`, corrected as often as it was; None if there is none.

    Its opening is found by halving, its set-up just before the first round that was opened under it, and what
    came of it later is looked for only as far as there is anything.
    """
    opened = opening_of(store, table, last, number)
    if opened is None:
        return None
    first = decode(store.read(table, opened - 1, 1)[0].body).event
    assert isinstance(first, e.BettingOpened)
    events = _events_of(store, table, opened, last, number, corrections)
    setup = set_up_of(store, table, opened, first.set_up)
    return round_from(books, setup, number, events, corrections)


def set_up_of(store: Record, table: str, opened: int, counted: int) -> SetUp:
    """The set-up a round was played under: the last one before the first round opened under that set-up."""
    opening = None
    if counted:
        opening = _first_opening(store, table, opened, lambda opening: opening.set_up < counted)
    for stored in backwards(store, table, opened if opening is None else opening[0]):
        if _SET_UP in stored.body:
            event = decode(stored.body).event
            assert isinstance(event, e.TableSet)
            return event.setup
    raise AssertionError(f"table {table}: a round was opened before the table was set up")


def _events_of(
    store: Record, table: str, opened: int, last: int, number: int, corrections: int
) -> Iterator[e.Event]:
    """The events of a round, and the corrections of it later on, however far away."""
    at, inside = opened - 1, True
    while at < last and (inside or corrections > 0) and (page := store.read(table, at, PAGE)):
        for stored in page:
            if stored.number > last:
                return
            was_inside = inside
            if _OPENING in stored.body and stored.number != opened:
                inside = False
            mine = _corrects(stored.body, number)
            corrections -= mine
            if was_inside or mine:
                yield decode(stored.body).event
        at = page[-1].number


def story(
    store: Record, table: str, last: int, number: int, after: int, limit: int, corrections: int = 0
) -> tuple[list[RevealedEvent], bool]:
    """A page of what happened in a round, and what was said of it later; and whether there is more.

    Empty where there is no such round. `last` is how far the record may be read, `corrections` how often the
    round was corrected: they are looked for until all are found.
    """
    opened = opening_of(store, table, last, number)
    if opened is None:
        return [], False
    stored_events: list[StoredEvent] = []
    inside, rounds, events_read = True, 0, 0
    at = max(opened - 1, after)
    if at >= opened:
        following = opening_after(store, table, opened)
        inside = following is None or at < following[0]
    while (corrections > 0 or (events_read < LOOK_ON and rounds <= PAST_ROUNDS)) and (
        page := store.read(table, at, PAGE)
    ):
        for stored in page:
            corrections -= _corrects(stored.body, number)
            if _OPENING in stored.body and stored.number != opened:
                inside, rounds = False, rounds + 1
            if inside or _names(stored.body, number):
                if len(stored_events) == limit:
                    return reveal_stored(store, table, stored_events), True
                stored_events.append(stored)
        at, events_read = page[-1].number, events_read + len(page)
    return reveal_stored(store, table, stored_events), False


def _names(body: bytes, number: int) -> bool:
    """Whether a later event is about this round."""
    if _corrects(body, number):
        return True
    return b'"name":"late_noticed_error","detail":"round %d: ' % number in body


def _corrects(body: bytes, number: int) -> bool:
    """Whether an event is a correction of this round."""
    return b'"event":"RoundCorrected","round":%d,' % number in body
