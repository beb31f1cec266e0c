"""Sends the checkpoints of the log to the witnesses a house lists, and keeps what they sign.

Each witness has a thread of its own, so that one that is slow or gone holds up nobody. What they sign lies
beside the checkpoint it is of. A witness that has seen more than there is here, or another log of that size,
is told of loudly: then this record is not the one it saw.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic
from typing import Final

import httpx
from sqlalchemy import Connection, func, insert, select

from lammer.floor.record.contract import Store
from lammer.floor.record.log.log_tables import latest_head, log_cosignatures, read_tile
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused
from lammer.transparency.notes import WITNESS, PublicKey, Signature, Unreadable
from lammer.transparency.tiles import subtrees_from
from lammer.transparency.tree import consistency_path
from lammer.transparency.tree_heads import AddCheckpoint, read_size

SECONDS: Final = 10.0
"""Seconds a witness may take to answer."""

ANOTHER_LOG: Final = Phrase("it saw another log than the one that is here")

_log = logging.getLogger("lammer.floor.record.log.witnesses")


@dataclass(frozen=True, slots=True)
class ListedWitness:
    """A witness: its key, and the address it takes checkpoints at."""

    key: PublicKey
    address: str


@dataclass(frozen=True, slots=True)
class Standing:
    """How a witness stands: whether it saw the log lately, how long ago, and what went wrong since."""

    name: str
    up_to_date: bool
    seconds: float
    trouble: Phrase | None = None


def parse_witnesses(written: str) -> tuple[ListedWitness, ...]:
    """Witnesses as a setting lists them: key, a space, address; with commas between.

    >>> parse_witnesses("")
    ()
    >>> parse_witnesses("w+1 https://w.example")
    Traceback (most recent call last):
    lammer.rulebook.refusal.Refused: Refused malformed_input: A witness is written as its key and...
    """
    listed = []
    for part in filter(None, map(str.strip, written.split(","))):
        key, _, address = part.partition(" ")
        try:
            read = PublicKey.read(key)
        except Unreadable:
            read = None
        if read is None or read.kind != WITNESS or not address.strip().startswith(("http://", "https://")):
            raise Refused(
                "malformed_input",
                "A witness is written as its key and its address: {part}.",
                next_step="lammer witness key prints the key.",
                part=repr(part[:60]),
            )
        listed.append(ListedWitness(read, address.strip().rstrip("/")))
    return tuple(listed)


def tables_that_stop(written: str) -> Callable[[str], bool]:
    """Whether a table begins no round while witnesses are behind, as the setting says it.

    >>> stops = tables_that_stop("high-1, high-2")
    >>> stops("high-1"), stops("low-1"), tables_that_stop("true")("low-1"), tables_that_stop("")("low-1")
    (True, False, True, False)
    """
    if written.strip().lower() in {"true", "1", "yes", "on"}:
        return lambda table: True
    names = frozenset(filter(None, map(str.strip, written.split(","))))
    if len(names) == 1 and names <= {"false", "False", "0", "no", "off"}:
        return lambda table: False
    return names.__contains__


class Witnesses:
    """The witnesses of a house; `quorum` of them have to have seen the log within so many seconds."""

    def __init__(
        self, store: Store, listed: Iterable[ListedWitness], quorum: int, late_seconds: float
    ) -> None:
        self.listed = tuple(listed)
        self.quorum = quorum
        self._store, self._late = store, late_seconds
        self._seen: dict[PublicKey, float] = {}
        self._trouble: dict[PublicKey, Phrase | None] = {}
        self._over = Event()
        self._moved = {witness.key: Event() for witness in self.listed}
        self._threads: list[Thread] = []

    def start(self) -> None:
        """Begin to send, one thread a witness."""
        begun = monotonic()
        for witness in self.listed:
            self._seen[witness.key] = begun
            thread = Thread(target=self._run, args=(witness,), name="lammer-witness", daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        self._over.set()
        for moved in self._moved.values():
            moved.set()
        for thread in self._threads:
            thread.join(SECONDS)

    def wake(self) -> None:
        """There is a checkpoint to be seen; what nothing moved in was seen already."""
        for moved in self._moved.values():
            moved.set()

    def up_to_date(self) -> int:
        """How many witnesses have seen the log lately."""
        return sum(monotonic() - seen <= self._late for seen in self._seen.values())

    @property
    def behind(self) -> bool:
        """Whether fewer have seen it than the house asks for."""
        return self.up_to_date() < self.quorum

    def standing(self) -> list[Standing]:
        """Each witness, in the order the house lists them."""
        now = monotonic()
        return [
            Standing(
                witness.key.name,
                now - self._seen[witness.key] <= self._late,
                now - self._seen[witness.key],
                self._trouble.get(witness.key),
            )
            for witness in self.listed
            if witness.key in self._seen
        ]

    def _run(self, witness: ListedWitness) -> None:
        moved = self._moved[witness.key]
        with httpx.Client(timeout=SECONDS) as client:
            while not self._over.is_set():
                moved.wait()
                moved.clear()
                if self._over.is_set():
                    return
                try:
                    if self.show(witness, client):
                        self._seen[witness.key] = monotonic()
                        self._trouble[witness.key] = None
                except (httpx.HTTPError, httpx.InvalidURL, Refused, OSError) as error:
                    self._trouble[witness.key] = Phrase("it does not answer")
                    _log.warning("witness %s did not answer: %s", witness.key.name, error)
                except Exception:
                    self._trouble[witness.key] = Phrase("it does not answer")
                    _log.exception("witness %s could not be asked", witness.key.name)

    def show(self, witness: ListedWitness, client: httpx.Client) -> bool:
        """Show a witness the last checkpoint; whether it has cosigned it."""
        with self._store.reading() as connection:
            old = _last_seen(connection, witness.key.name)
            if (head := latest_head(connection)) is not None and old == head.head.size:
                return True
        answer = self._ask(witness, client, old)
        if answer is not None and answer.status_code == 409:
            try:
                answer = self._ask(witness, client, read_size(answer.text.strip()))
            except Unreadable:
                # One that has our size, and another root there, says no size it could go on from.
                self._trouble[witness.key] = ANOTHER_LOG
                _log.error("witness %s answers what is no size", witness.key.name)
                return False
        if answer is None:
            return False
        if answer.status_code != 200:
            another = answer.status_code in {409, 422}
            self._trouble[witness.key] = (
                ANOTHER_LOG if another else Phrase("it declined with {status}", status=answer.status_code)
            )
            level = logging.ERROR if another else logging.WARNING
            _log.log(level, "witness %s declined: %s", witness.key.name, answer.status_code)
            return False
        return True

    def _ask(self, witness: ListedWitness, client: httpx.Client, old: int) -> httpx.Response | None:
        with self._store.reading() as connection:
            head = latest_head(connection)
            if head is None:
                return None
            size = head.head.size
            if old > size:
                _log.error(
                    "witness %s has seen %s entries of a log that has %s here: this is not the record it saw",
                    witness.key.name,
                    old,
                    size,
                )
                self._trouble[witness.key] = ANOTHER_LOG
                return None
            path = consistency_path(old, size, subtrees_from(lambda tile: read_tile(connection, tile), size))
        body = AddCheckpoint(old, tuple(path), head.note).body
        answer = client.post(f"{witness.address}/add-checkpoint", content=body)
        if answer.status_code == 200:
            lines = (_line_of(witness.key, row, head.note.text) for row in answer.text.splitlines())
            line = next(filter(None, lines), None)
            if line is None:
                self._trouble[witness.key] = Phrase("it answered with no signature of its key")
                _log.error("witness %s answered with no signature of its key", witness.key.name)
                return None
            row = {"size": size, "witness": witness.key.name, "line": line}

            def work(connection: Connection) -> None:
                known = select(log_cosignatures.c.size).where(
                    log_cosignatures.c.size == size, log_cosignatures.c.witness == witness.key.name
                )
                if connection.scalar(known) is None:
                    connection.execute(insert(log_cosignatures).values(row))

            self._store.write(work).result()
        return answer


def _last_seen(connection: Connection, witness: str) -> int:
    query = select(func.max(log_cosignatures.c.size)).where(log_cosignatures.c.witness == witness)
    return connection.scalar(query) or 0


def _line_of(key: PublicKey, line: str, text: str) -> str | None:
    """A line if it is a cosignature of this key over this checkpoint."""
    try:
        read = Signature.read(line)
    except Unreadable:
        return None
    return read.line if read.key_id == key.id and key.checks(text, read.signature) else None
