"""`lammer verify`: everything the record says is worked out anew from the events alone, and held against it.

Chain, state, every settlement, the ledger, every purse against the tables; then what was derived from the
events and is used again: snapshots and kept answers; then checkpoints and their signatures, those of the file
and those of the record. What does not match is told to the event; nothing is repaired.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Final

from sqlalchemy import select, text

from lammer.floor.record.chain import follows, from_line, genesis
from lammer.floor.record.checkpoints import NOT_TRUSTED, SELDOM_SECONDS, check_checkpoints, lines_of, walk
from lammer.floor.record.clock import times_of
from lammer.floor.record.contract import Record, StoredEvent
from lammer.floor.record.findings import at_event
from lammer.floor.record.log_check import LogCheck, LoggedSource
from lammer.floor.record.log_secrets import LogSecrets
from lammer.floor.record.monotonic_clock import Now, moment, utc_now
from lammer.floor.record.past import recall_round
from lammer.floor.record.purses import check_purses, purses
from lammer.floor.record.reading import TABLES
from lammer.floor.record.row_journal import check_journal
from lammer.floor.record.signing_key import PUBLIC, public_key
from lammer.floor.record.verify_database import check_database
from lammer.floor.record.verify_replies import check_replies
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.journal import Entry
from lammer.table.ledger import postings, purse as account_of
from lammer.table.state import Recall
from lammer.table.verify import verify as verify_table
from lammer.transparency.notes import Note

TOO_LONG: Final = 3
"""So many times the time between two checkpoints without one are told."""


@dataclass(frozen=True, slots=True)
class VerifiedTable:
    """One table: how many events were gone through, and everything that does not hold."""

    table: str
    events: int
    rounds: int
    wrong: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Tail:
    """What came after the last checkpoint: whoever holds the database could write it anew unnoticed."""

    events: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Logged:
    """How many entries the log of the house has; `blind` ones could not be opened for want of a secret."""

    entries: int
    blind: int


@dataclass(frozen=True, slots=True)
class Verification:
    """A whole record."""

    tables: tuple[VerifiedTable, ...]
    checkpoints: int
    tail: Tail = Tail(0, 0.0)
    wrong: tuple[Phrase, ...] = field(default=())
    log: Logged = Logged(0, 0)

    @property
    def holds(self) -> bool:
        return not self.wrong and not any(table.wrong for table in self.tables)


def verify(
    record: Record,
    books: Mapping[str, Rulebook],
    *,
    tables: Collection[str] = (),
    since: datetime | None = None,
    checkpoints: Path | None = None,
    trusted: Collection[bytes] = (),
    every: float | None = None,
    now: Now = utc_now,
    secrets: LogSecrets | None = None,
    held: Collection[Note] = (),
) -> Verification:
    """Verify these tables, or all of them; with `since`, only what came later is told.

    Everything is gone through from the first event in any case: what is later stands on it. With
    `checkpoints` the file is held against the record too; `trusted` are public keys.
    `every` is the time between checkpoints, in seconds: where it is known, their absence is told.
    `secrets` open the entries of the house's log; `held` are checkpoints of it that were kept elsewhere.
    """
    record = record.as_it_lies()
    known = record.tables()
    for name in tables:
        if name not in known:
            raise Refused(
                "unknown_table",
                "The record has no table {name}.",
                next_step="It has {known}.",
                name=repr(name[:40]),
                known=", ".join(known),
            )
    money = _Purses.read(record)
    log = LogCheck.of(record, secrets)
    verified = tuple(_table(record, books, name, since, money, log) for name in (tables or known))
    wrong, forgotten = ([], None) if tables else check_journal(record)
    if not tables:
        wrong += check_database(record)
        wrong += check_purses(money.held, money.moved)
        log.check_others()
    log.check_tree(trusted, held)
    wrong += check_replies(record, tables, forgotten)
    # The file is read before the record's checkpoints: it is never ahead of them.
    lines: list[bytes] = []
    if checkpoints is not None and checkpoints.exists():
        lines = list(lines_of(checkpoints))
    elif checkpoints is not None and record.latest_checkpoint() is not None:
        wrong.append(Phrase("the checkpoints in {file} are not there", file=checkpoints))
    counted = _CountedLines(chain(lines, _later_checkpoints(record, len(lines))))
    doubts = check_checkpoints(record, counted, trusted)
    if counted.count and not trusted:
        doubts = [doubt for doubt in doubts if not doubt.endswith(NOT_TRUSTED)]
        doubts.append(Phrase("there is no public key to check the checkpoints with: name one with --key"))
    wrong += doubts
    wrong += log.wrong
    tail = _tail(record)
    if every is not None:
        wrong += _missing_checkpoints(record, tail, every, now())
    return Verification(verified, counted.count, tail, tuple(wrong), Logged(log.size, log.blind))


@dataclass(frozen=True, slots=True)
class _Purses:
    """The purses and where the tables stood at one moment; and what the tables up to there moved.

    The house may go on meanwhile: what a table says after that moment is about other balances.
    """

    held: dict[str, tuple[int, int]]
    heads: dict[str, int]
    moved: Counter[str] = field(default_factory=Counter)

    @classmethod
    def read(cls, record: Record) -> _Purses:
        with record.reading() as connection:
            held = {row.player: (row.balance, row.issued) for row in connection.execute(select(purses))}
            heads = {row.table_id: row.number for row in connection.execute(text(TABLES))}
        return cls(held, heads)

    def take(self, table: str, entry: Entry) -> None:
        """What one event moved between a purse and its table."""
        event = entry.event
        if isinstance(event, e.ChipsBrought | e.ChipsTaken) and entry.number <= self.heads.get(table, 0):
            account = account_of(event.player)
            self.moved[event.player] += sum(
                posting.amount for posting in postings(event) if posting.account == account
            )


def _tail(record: Record) -> Tail:
    """How much there is beyond the last checkpoint, and how long after it the last of it happened."""
    line, signed, at = record.latest_checkpoint(), {}, None
    if line is not None:
        with suppress(Refused):
            last = from_line(line).checkpoint
            signed, at = {head.table: head.version for head in last.heads}, moment(last.at)
    heads = record.heads().items()
    beyond = {table: head.number for table, head in heads if head.number > signed.get(table, 0)}
    first = at or min(times_of(record, dict.fromkeys(beyond, 1)), default=None)
    latest = max(times_of(record, beyond), default=None)
    seconds = (latest - first).total_seconds() if latest and first else 0.0
    events = sum(number - signed.get(table, 0) for table, number in beyond.items())
    return Tail(events, max(0.0, seconds))


def _missing_checkpoints(record: Record, tail: Tail, every: float, now: datetime) -> Iterator[Phrase]:
    """Checkpoints that should be there and are not."""
    if record.latest_checkpoint() is None:
        first = min(times_of(record, dict.fromkeys(record.tables(), 1)), default=None)
        if first is not None and (now - first).total_seconds() > every:
            yield Phrase(
                "there is no checkpoint, and events since {moment}: removed, or never made",
                moment=first.isoformat(),
            )
    elif tail.seconds > TOO_LONG * max(every, SELDOM_SECONDS):
        yield Phrase(
            "the last checkpoint is {seconds} seconds older than the last event:"
            " later ones were removed, or could not be made",
            seconds=f"{tail.seconds:,.0f}",
        )


class _CountedLines:
    """Lines on their way through, and how many they were."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self.lines, self.count = lines, 0

    def __iter__(self) -> Iterator[bytes]:
        for line in self.lines:
            self.count += 1
            yield line


def _later_checkpoints(record: Record, after: int) -> Iterator[bytes]:
    """The checkpoints the record has beyond those of the file."""
    while page := record.checkpoints(after):
        yield from page
        after += len(page)


def _table(
    record: Record,
    books: Mapping[str, Rulebook],
    name: str,
    since: datetime | None,
    money: _Purses,
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
        self, name: str, since: datetime | None, mark: int, money: _Purses, logged: LoggedSource
    ) -> None:
        self.name, self.since, self.mark, self.money, self.logged = name, since, mark, money, logged
        self.count = 0
        self.broken: int | None = None
        self.marked = b""
        self._first = 1 if since is None else 0
        self._number, self._hash = 0, genesis(name)

    def read(self, record: Record) -> Iterator[Entry]:
        for stored in walk(record, self.name):
            self._follow(stored)
            entry = record.seals.open(self.name, stored.body)
            self.count += 1
            self.money.take(self.name, entry)
            if not self._first and self.since is not None and entry.at >= self.since:
                self._first = self.count
            yield entry

    def recall(self, record: Record, books: Mapping[str, Rulebook]) -> Recall:
        """Finds earlier rounds as they stood before the event that is looked at."""
        return lambda number, corrections: recall_round(
            record, books, self.name, self.count, number, corrections
        )

    def follow_on(self, record: Record) -> None:
        """The chain to its end, where the entries were not read so far."""
        for stored in walk(record, self.name, self._number):
            self._follow(stored)

    def _follow(self, stored: StoredEvent) -> None:
        number = self._number + 1
        if self.broken is None and not follows(self._hash, self.name, number, stored.stated):
            self.broken = number
        self._number, self._hash = stored.number, stored.hash
        self.logged.see(stored.number, stored.body)
        if stored.number == self.mark:
            self.marked = stored.hash

    def is_since(self, doubt: Phrase) -> bool:
        """Whether what is doubted happened since."""
        number = doubt.values["number"]
        return number > self.count or (self._first > 0 and number >= self._first)


def trusted_keys(folder: Path, files: Iterable[Path] = ()) -> list[bytes]:
    """The public keys that may have signed: those handed in, and only where none is the house's own.

    Whoever could change the record could change the key that lies beside it too.
    """
    paths = list(files)
    own = folder / PUBLIC
    try:
        return [public_key(path.read_bytes()) for path in paths or ([own] if own.exists() else [])]
    except OSError as error:
        raise Refused(
            "malformed_input",
            "The key {file} cannot be read: {why}.",
            file=error.filename,
            why=error.strerror,
        ) from None
