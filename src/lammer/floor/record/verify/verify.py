"""`lammer verify`: everything the record says is worked out anew from the events alone, and held against it.

Chain, state, every settlement, the ledger, every purse against the tables; then what was derived from the
events and is used again: snapshots and kept answers; then checkpoints and their signatures, those of the file
and those of the record. What does not match is told to the event; nothing is repaired.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Final

from lammer.floor.record.chain import from_line
from lammer.floor.record.checkpoints import NOT_TRUSTED, SELDOM_SECONDS, check_checkpoints, lines_of
from lammer.floor.record.clock import times_of
from lammer.floor.record.contract import Record
from lammer.floor.record.log.log_check import LogCheck
from lammer.floor.record.log.log_secrets import LogSecrets
from lammer.floor.record.monotonic_clock import Now, moment, utc_now
from lammer.floor.record.purses import check_purses
from lammer.floor.record.row_journal import check_journal
from lammer.floor.record.signing_key import PUBLIC, public_key
from lammer.floor.record.verify.verify_database import check_database
from lammer.floor.record.verify.verify_elsewhere import Elsewhere
from lammer.floor.record.verify.verify_replies import check_replies
from lammer.floor.record.verify.verify_table import PurseCheck, VerifiedTable, verify_one
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused
from lammer.transparency.notes import Note

TOO_LONG: Final = 3
"""So many times the time between two checkpoints without one are told."""


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
    elsewhere: Elsewhere | None = None,
) -> Verification:
    """Verify these tables, or all of them; with `since`, only what came later is told.

    Everything is gone through from the first event in any case: what is later stands on it. With
    `checkpoints` the file is held against the record too; `trusted` are public keys.
    `every` is the time between checkpoints, in seconds: where it is known, their absence is told. With
    `elsewhere` the tables of a large record are gone through by several processes.
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
    money = PurseCheck.read(record)
    log = LogCheck.of(record, secrets)
    names = tuple(tables or known)
    if elsewhere is not None and elsewhere.is_worth_it(money.heads, names):
        verified = elsewhere.verify(names, since, money, log)
    else:
        verified = tuple(verify_one(record, books, name, since, money, log) for name in names)
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
