"""Verification: everything the record says is worked out anew from the events alone, and held against it.

Chain, checkpoints and their signatures, state, every settlement, the ledger. What does not match is told to
the event; nothing is repaired.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from lammer.floor.checkpoints import check_chain, check_checkpoints, lines_of, walk
from lammer.floor.keys import PUBLIC, public_key
from lammer.floor.store.contract import Record
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.table.journal import Entry, decode
from lammer.table.verify import verify as verify_table


@dataclass(frozen=True, slots=True)
class Verified:
    """One table: how many events were gone through, and everything that does not hold."""

    table: str
    events: int
    rounds: int
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verification:
    """A whole record."""

    tables: tuple[Verified, ...]
    checkpoints: int
    wrong: tuple[str, ...] = field(default=())

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
) -> Verification:
    """Verify these tables, or all of them; with `since`, only what came later is told.

    Everything is gone through from the first event in any case: what is later stands on it. With
    `checkpoints` the file and its signatures are held against the record; `trusted` are public keys.
    """
    known = record.tables()
    for name in tables:
        if name not in known:
            raise Refused(
                "unknown_table",
                f"The record has no table {name[:40]!r}.",
                next_step=f"It has {', '.join(known)}.",
            )
    made = tuple(_table(record, books, name, since) for name in (tables or known))
    if checkpoints is None or not checkpoints.exists():
        return Verification(made, 0)
    lines = list(lines_of(checkpoints))
    return Verification(made, len(lines), tuple(check_checkpoints(record, lines, trusted)))


def _table(record: Record, books: Mapping[str, Rulebook], name: str, since: datetime | None) -> Verified:
    wrong: list[str] = []
    if (broken := check_chain(record, name)) is not None:
        wrong.append(broken)
    seen = _Seen()
    try:
        table, doubts = verify_table(books, seen.read(record, name))
        rounds = table.rounds
        wrong += [f"table {name}, {doubt}" for doubt in doubts if since is None or seen.after(doubt, since)]
    except Refused as refused:
        rounds = 0
        wrong.append(f"table {name}, event {seen.count + 1}: {refused.sentence}")
    return Verified(name, seen.count, rounds, tuple(wrong))


class _Seen:
    """The entries of a table on their way through, with the moment of each."""

    def __init__(self) -> None:
        self.count = 0
        self.moments: list[datetime] = []

    def read(self, record: Record, name: str) -> Iterator[Entry]:
        for stored in walk(record, name):
            entry = decode(stored.body)
            self.count += 1
            self.moments.append(entry.at)
            yield entry

    def after(self, doubt: str, since: datetime) -> bool:
        """Whether what is doubted happened since; a doubt begins with `event N`."""
        number = int(doubt.split()[1].rstrip(":"))
        return number > len(self.moments) or self.moments[number - 1] >= since


def trusted_keys(folder: Path, files: Iterable[Path] = ()) -> list[bytes]:
    """The public keys that may have signed: the house's own, and those handed in."""
    paths = [path for path in (folder / PUBLIC, *files) if path.exists()]
    return [public_key(path.read_bytes()) for path in paths]
