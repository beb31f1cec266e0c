"""One table of a record: everything it says is worked out anew from its events, and held against them.

The chain is followed to its end, and what each event moved between purses and the table is noted, for whoever
adds all tables up. It knows of no other table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import select, text

from lammer.floor.record.chain import follows, genesis
from lammer.floor.record.contract import Record, StoredEvent
from lammer.floor.record.findings import at_event
from lammer.floor.record.log.log_check import LogCheck, LoggedSource
from lammer.floor.record.past import recall_round
from lammer.floor.record.purses import purses
from lammer.floor.record.store.reading import TABLES
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.journal import Entry
from lammer.table.ledger import postings, purse as account_of
from lammer.table.state import Recall
from lammer.table.verify import verify as verify_table
from lammer.transparency.beacons import signed_by_chain


@dataclass(frozen=True, slots=True)
class VerifiedTable:
    """One table: how many events were gone through, and everything that does not hold."""

    table: str
    events: int
    rounds: int
    wrong: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class PurseCheck:
    """The purses and where the tables stood at one moment; and what the tables up to there moved.

    The house may go on meanwhile: what a table says after that moment is about other balances.
    """

    held: dict[str, tuple[int, int]]
    heads: dict[str, int]
    moved: Counter[str] = field(default_factory=Counter)

    @classmethod
    def read(cls, record: Record) -> PurseCheck:
        with record.reading() as connection:
            held = {row.player: (row.balance, row.issued) for row in connection.execute(select(purses))}
            heads = {row.table_id: row.number for row in connection.execute(text(TABLES))}
        return cls(held, heads)

    def take(self, table: str, entry: Entry) -> None:
        """What one event moved between a purse and its table."""
        event = entry.event
        if isinstance(event, (e.ChipsBrought, e.ChipsTaken)) and entry.number <= self.heads.get(table, 0):
            account = account_of(event.player)
            self.moved[event.player] += sum(
                posting.amount for posting in postings(event) if posting.account == account
            )


def verify_one(
    record: Record,
    books: Mapping[str, Rulebook],
    name: str,
    since: datetime | None,
    money: PurseCheck,
    log: LogCheck,
) -> VerifiedTable:
    snapshot = record.latest_snapshot(name)
    walked = _TableEvents(name, since, 0 if snapshot is None else snapshot.number, money, log.reader(name))
    frozen = {} if snapshot is None else {snapshot.number: record.seals.open_snapshot(snapshot).body}
    wrong: list[Phrase] = []
    try:
        table, doubts = verify_table(books, walked.read(record), frozen, walked.recall(record, books))
        rounds = table.rounds
        wrong = [_at_table(name, doubt) for doubt in doubts if walked.is_since(doubt)]
    except Refused as refused:
        rounds = 0
        wrong.append(at_event(name, walked.count + 1, Phrase(refused.message, **refused.values)))
    wrong += walked.false_rounds
    walked.follow_on(record)
    walked.logged.end()
    if walked.broken is not None:
        wrong.insert(0, at_event(name, walked.broken, Phrase("it does not follow from what is before it")))
    if snapshot is not None and walked.marked != snapshot.hash:
        wrong.append(at_event(name, snapshot.number, Phrase("the snapshot is of another one")))
    return VerifiedTable(name, walked.count, rounds, tuple(wrong))


def _at_table(name: str, doubt: Phrase) -> Phrase:
    return Phrase("table {table}, {doubt}", table=name, doubt=doubt)


class _TableEvents:
    """The entries of a table on their way through; the chain is followed, and what is asked for noted.

    `broken` is the first event that does not follow, `marked` the hash of the event of that number.
    """

    def __init__(
        self, name: str, since: datetime | None, mark: int, money: PurseCheck, logged: LoggedSource
    ) -> None:
        self.name, self.since, self.mark, self.money, self.logged = name, since, mark, money, logged
        self.count = 0
        self.false_rounds: list[Phrase] = []
        self.broken: int | None = None
        self.marked = b""
        self._first = 1 if since is None else 0
        self._number, self._hash = 0, genesis(name)
        self._logged_upto = 0

    def read(self, record: Record) -> Iterator[Entry]:
        for stored in self._walk(record, 0):
            self._follow(stored)
            entry = record.seals.open(self.name, stored.body)
            self.count += 1
            self._see_beacon(entry)
            self.money.take(self.name, entry)
            if not self._first and self.since is not None and entry.at >= self.since:
                self._first = self.count
            yield entry

    def _see_beacon(self, entry: Entry) -> None:
        """A round nobody but its chain can sign: with another the house could choose among shoes."""
        beacon = entry.event.beacon if isinstance(entry.event, e.ShoePrepared) else None
        if beacon is None:
            return
        try:
            signature, previous = bytes.fromhex(beacon.signature), bytes.fromhex(beacon.previous)
            good = signed_by_chain(
                beacon.scheme, bytes.fromhex(beacon.key), beacon.round, signature, previous
            )
        except ValueError:
            good = False
        if not good:
            doubt = Phrase("the round of the beacon is not signed by its chain")
            self.false_rounds.append(at_event(self.name, entry.number, doubt))

    def recall(self, record: Record, books: Mapping[str, Rulebook]) -> Recall:
        """Finds earlier rounds as they stood before the event that is looked at."""
        return lambda number, corrections: recall_round(
            record, books, self.name, self.count, number, corrections
        )

    def follow_on(self, record: Record) -> None:
        """The chain to its end, where the entries were not read so far."""
        for stored in self._walk(record, self._number):
            self._follow(stored)

    def _walk(self, record: Record, after: int) -> Iterator[StoredEvent]:
        """Every event in order, a page at a time; the log is held against each page."""
        while page := record.read(self.name, after):
            self._see_logged(page)
            yield from page
            after = page[-1].number

    def _see_logged(self, page: Sequence[StoredEvent]) -> None:
        """Those the log was not held against before; where the walk was cut off, a page comes again."""
        first, last = page[0].number, page[-1].number
        if last <= self._logged_upto:
            return
        news = [stored for stored in page if stored.number > self._logged_upto]
        if last - first + 1 == len(page):
            self.logged.see(news[0].number, [stored.body for stored in news])
        else:
            # The chain does not hold there either.
            for stored in news:
                self.logged.see(stored.number, (stored.body,))
        self._logged_upto = last

    def _follow(self, stored: StoredEvent) -> None:
        number = self._number + 1
        if self.broken is None and not follows(self._hash, self.name, number, stored.stated):
            self.broken = number
        self._number, self._hash = stored.number, stored.hash
        if stored.number == self.mark:
            self.marked = stored.hash

    def is_since(self, doubt: Phrase) -> bool:
        """Whether what is doubted happened since."""
        number = doubt.values["number"]
        return number > self.count or (self._first > 0 and number >= self._first)
