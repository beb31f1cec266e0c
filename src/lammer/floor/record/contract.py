"""What a store promises, whichever database is behind it.

An append is acknowledged (its future resolves) only when it is on disk, and is committed in the order in
which it was handed in. It states the number of the last event it was decided on; if the table has
moved on, it is a `Conflict` and nothing is written. Appends may be handed in without waiting for those
before them: when one fails, those decided on it fail with it. A key makes a request count once:
the same key again gets the first reply back, for as long as replies are kept (see `forgetting`).

`StoreUnavailable` means *not acknowledged*. Nearly always nothing was written, but a connection lost
during the commit cannot tell: read the table's head again, or repeat the request with its key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

import msgspec
from sqlalchemy import Connection

from lammer.floor.record.chain import SIZE, StatedEvent
from lammer.floor.record.sealing import Seals, Snapshot
from lammer.rulebook.refusal import Refused

T = TypeVar("T")

LONGEST_NAME: Final = 200
LARGEST_BODY_BYTES: Final = 16 << 20


class Conflict(Refused):
    """The table has moved on since the append was decided."""

    def __init__(self, table: str, after: int, found: int) -> None:
        super().__init__(
            "table_moved_on",
            "Table {table} stands at event {found}, not at {after}; this was decided on another state.",
            next_step="Look at the table again and repeat the request.",
            table=table,
            found=found,
            after=after,
        )
        self.table, self.after, self.found = table, after, found


class Fenced(Refused):
    """Another process has taken the table; whoever held it before may write no more."""

    def __init__(self, table: str, epoch: int, found: int | None) -> None:
        now = "nobody" if found is None else f"the holder of turn {found}"
        super().__init__(
            "table_held_elsewhere",
            "Table {table} is held by {now}, not by that of turn {epoch}.",
            next_step="Send the request again; it will reach the process that holds the table.",
            table=table,
            now=now,
            epoch=epoch,
        )
        self.table, self.epoch, self.found = table, epoch, found


class KeyReused(Refused):
    """One key, two different requests."""

    def __init__(self, key: Key) -> None:
        super().__init__(
            "key_reused",
            "The idempotency key {key} belongs to another request.",
            next_step="Use a new key for a new request.",
            key=repr(key.key),
        )
        self.key = key


class Damaged(Refused):
    """What is read is not what was written: a disk that forgets, or somebody's hand. It is not used."""

    def __init__(self, what: str) -> None:
        super().__init__(
            "record_damaged",
            "{what}: what is read is not what was written.",
            next_step="Stop the house, keep the database as it is and run lammer verify; restore a copy.",
            what=what,
        )


class StoreUnavailable(Refused):
    """The database cannot be written or read just now; what was asked is not acknowledged."""

    def __init__(self, why: str) -> None:
        super().__init__(
            "store_unavailable",
            "The house's record cannot be reached or written just now ({why}); nothing is confirmed.",
            next_step="Repeat the request with the same key; it will count once.",
            why=why,
        )
        self.why = why


def is_name(name: str) -> bool:
    """Whether something can be the name of anything in the record; both databases are asked for nothing else.

    >>> is_name("t1"), is_name("t\\n"), is_name("")
    (True, False, False)
    """
    return 0 < len(name) <= LONGEST_NAME and name.isprintable()


def must_be_name(what: str, name: str) -> None:
    """Names go into both databases and come out the same: printable, and not without end."""
    if not is_name(name):
        raise Refused(
            "malformed_input",
            "{what} is a printable name of at most {longest_name} letters: {name}.",
            what=what,
            longest_name=LONGEST_NAME,
            name=repr(name[:40]),
        )


class Key(msgspec.Struct, frozen=True, gc=False):
    """What makes a request count once: who asks, the key they chose, and the SHA-256 of what they ask."""

    client: str
    key: str
    digest: bytes

    def __post_init__(self) -> None:
        must_be_name("A client", self.client)
        must_be_name("An idempotency key", self.key)
        assert len(self.digest) == SIZE, "a digest is a SHA-256"


class Append(msgspec.Struct, frozen=True):
    """Events to be written to a table standing at `after`; under a key, with the reply to remember.

    With a key, `bodies` may be empty: a request that changed nothing is remembered too. `epoch`
    is the writer's turn at the table, from `take`; without one nothing is fenced.

    `beside` is work on other rows in the same transaction: all of it happens, or nothing does. What it
    refuses, the append is told. Under a key that was known it is not done again.
    """

    table: str
    after: int
    bodies: Sequence[bytes]
    key: Key | None = None
    reply: bytes | None = None
    epoch: int | None = None
    beside: Callable[[Connection], None] | None = None

    def __post_init__(self) -> None:
        must_be_name("A table", self.table)
        assert self.bodies or self.key is not None, "an append without events needs a key"
        assert self.after >= 0, "events are numbered from 1"
        for body in self.bodies:
            if len(body) > LARGEST_BODY_BYTES:
                raise Refused(
                    "malformed_input",
                    "An event of {bytes} bytes is too large to be kept.",
                    bytes=format(len(body), ","),
                )


class Appended(msgspec.Struct, frozen=True, gc=False):
    """Events `first` to `last` of the table are on disk; `hash` is that of the last.

    `repeat` says that the key was known: nothing was written now, and `reply` is the first one.
    An append without events has `last == first - 1`.
    """

    table: str
    first: int
    last: int
    hash: bytes
    reply: bytes
    repeat: bool = False


OnAppended = Callable[[Appended | Exception], None]
"""Called once with what became of an append: that it is on disk, or why it is not."""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it lies in the store; `written_at` in microseconds since 1970, UTC, and not hashed.

    `answer` is the digest of the answer that was kept with it, if one was.
    """

    number: int
    body: bytes
    hash: bytes
    written_at: int
    answer: bytes | None = None

    @property
    def stated(self) -> StatedEvent:
        """As the chain looks at it."""
        return self.number, self.body, self.hash, self.answer


class Head(msgspec.Struct, frozen=True, gc=False):
    """Where a table stands: the number and hash of its last event; 0 and its genesis before the first."""

    number: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Lease:
    """Who decides for a table. `epoch` grows with each turn; `until`: microseconds, the database's clock."""

    table: str
    owner: str
    epoch: int
    until: int


@dataclass(slots=True)
class WriterFigures:
    """What the writer has done since it was opened, and what waits for it; `seconds` were spent writing."""

    commits: int = 0
    appends: int = 0
    failed: int = 0
    seconds: float = 0.0
    waiting: int = 0


class Record(Protocol):
    """The reading half. Safe from any thread; each call sees one consistent state.

    `seals` opens what is sealed in it, as far as whoever opened the record may.
    """

    @property
    def seals(self) -> Seals: ...
    def read(self, table: str, after: int = 0, limit: int = 1000) -> list[StoredEvent]: ...
    def head(self, table: str) -> Head: ...
    def heads(self) -> dict[str, Head]: ...
    def tables(self) -> list[str]: ...
    def latest_snapshot(self, table: str) -> Snapshot | None: ...
    def checkpoints(self, after: int = 0, limit: int = 1000) -> list[bytes]: ...
    def latest_checkpoint(self) -> bytes | None: ...
    def leases(self) -> dict[str, Lease]: ...
    def reading(self) -> AbstractContextManager[Connection]: ...
    def as_it_lies(self) -> Record:
        """The same, read without checking the hashes: for whoever reports what is wrong."""

    def close(self) -> None: ...


class Rows(Protocol):
    """What is kept beside the events: who may come in. `write` does its work in one durable transaction."""

    def reading(self) -> AbstractContextManager[Connection]: ...
    def write(self, work: Callable[[Connection], T]) -> Future[T]: ...
    def close(self) -> None: ...


class Store(Record, Protocol):
    """The reading and the writing half."""

    def recall(self, keys: Sequence[Key]) -> dict[Key, Appended | KeyReused]: ...
    def append(self, append: Append) -> Future[Appended]: ...
    def hand_in(self, append: Append, callback: OnAppended) -> None: ...
    def write(self, work: Callable[[Connection], T]) -> Future[T]: ...
    def written(self) -> WriterFigures: ...
    def save_snapshot(self, snapshot: Snapshot) -> None: ...
    def append_checkpoint(self, number: int, line: bytes) -> None: ...
    def take(self, table: str, owner: str, seconds: float) -> int | None: ...
    def renew(self, owner: str, seconds: float) -> dict[str, int]: ...
    def release(self, table: str, owner: str, epoch: int) -> None: ...
    def follow(self, callback: Callable[[str, int], None]) -> Callable[[], None]: ...
