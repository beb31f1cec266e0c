"""One table as a process holds it: the state, where the record stands, and who is told.

A call is decided at once on the state that includes everything decided before it, and answered when its
events are on disk. If the record does not take them, what was decided on top of them is gone with them: no
more is decided until everything on its way has come back and the table is read from the record again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from time import monotonic
from typing import Final

from lammer.floor.balancing import must_balance
from lammer.floor.past import PAGE, ReadBack, read_back, recall_round, told_of
from lammer.floor.remembered import Remembered
from lammer.floor.store.contract import Append, Appended, Key, KeyReused, Snapshot, Store, StoreUnavailable
from lammer.floor.viewing import Told, told
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.commands import Call
from lammer.table.fold import evolve
from lammer.table.journal import Entry, come_back, decode, encode
from lammer.table.play import decide
from lammer.table.snapshot import Kept, freeze
from lammer.table.state import Table

log = logging.getLogger("lammer.floor")

SNAPSHOT_EVERY: Final = 1_000
"""Events between snapshots: what a start has to read again, at most about that many."""
BYTES_AN_EVENT: Final = 1_000
"""A large snapshot is made less often: reading so many bytes takes as long as folding an event."""
WORTH_FREEZING: Final = 200
"""Events since the last snapshot that make one at closing worth while."""
REST: Final = 5.0
"""Seconds before a table whose record cannot be folded is tried again."""
PAUSE: Final = 0.2
"""The same where the record merely cannot be reached."""

Published = Callable[["Hosted", tuple[Told, ...]], None]
See = Callable[[tuple[Told, ...]], bytes]


@dataclass(slots=True, eq=False)
class Hosted:
    """A table, decided up to `number`, on disk up to `durable`. For one event loop alone.

    `held` says that this process decides for it; otherwise it only follows what another writes.
    `returning` says that a round which was under way when it was taken is still to be interrupted.
    """

    id: str
    store: Store
    books: Mapping[str, Rulebook]
    published: Published
    remembered: Remembered
    steady: Callable[[], float] = monotonic
    table: Table = field(init=False)
    number: int = 0
    durable: int = 0
    at: datetime | None = None
    epoch: int | None = None
    held: bool = False
    returning: bool = False
    broken: Refused | None = None
    looks_up_until: float = 0.0
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    taking: asyncio.Lock = field(default_factory=asyncio.Lock)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _in_flight: int = 0
    _waiting: list[tuple[int, asyncio.Future[bool]]] = field(default_factory=list)
    _drained: asyncio.Event = field(default_factory=asyncio.Event)
    _rest: float = 0.0
    _frozen: int = 0
    _size: int = 0
    _kept: Kept = field(default_factory=dict)
    _snapshot: tuple[int, bytes] | None = None
    _was_read: bool = False

    def __post_init__(self) -> None:
        self.table = Table(self.books)
        self.broken = StoreUnavailable("the table was not read yet")

    @property
    def sound(self) -> bool:
        """Whether it can decide at once."""
        return self.broken is None and not self.returning

    def moment(self, now: datetime) -> datetime:
        """The time of a call: now, but never before what is recorded, whatever the clock does."""
        return now if self.at is None or now > self.at else self.at

    def decide(self, call: Call) -> tuple[e.Event, ...]:
        """What a call comes to; nothing changes yet, and a refusal changes nothing at all."""
        if self.broken is not None:
            raise self.broken
        try:
            return decide(self.table, call)
        except Refused:
            raise
        except Exception:
            raise self._stop(f"deciding {type(call.command).__name__}") from None

    async def recall(self, number: int) -> None:
        """Have an earlier round at hand for what is decided next, if the table no longer keeps it."""
        table = self.table
        if number in table.past or not 0 < number < table.rounds:
            return
        while True:
            counted = table.corrected.get(number, 0)
            await self.handed_in()
            found = await asyncio.to_thread(
                recall_round, self.store, self.books, self.id, self.durable, number, counted
            )
            if table is self.table and table.corrected.get(number, 0) == counted:
                break
            table = self.table
        table.recall = lambda wanted, _: found if wanted == number else None

    def record(
        self, call: Call, events: Sequence[e.Event], key: Key | None = None, see: See | None = None
    ) -> asyncio.Future[bytes]:
        """Fold what was decided and hand it to the record; the reply is there when it is on disk."""
        try:
            made = tuple(self._folded(call, events))
            self.at = call.at
            must_balance(self.table, events)
            reply = b"" if see is None else see(made)
        except Exception:
            raise self._stop(f"folding {type(call.command).__name__}") from None
        return self._append(made, key, reply)

    def remember(self, key: Key, reply: bytes) -> asyncio.Future[bytes]:
        """Keep the answer to a request that changed nothing here, so that repeated it is the same."""
        return self._append((), key, reply)

    def _folded(self, call: Call, events: Sequence[e.Event]) -> Iterator[Told]:
        for number, event in enumerate(events, self.number + 1):
            evolve(self.table, event)
            yield told(self.table, Entry(number, call.at, call.by, call.role, event))

    def _stop(self, doing: str) -> Refused:
        """A rule of ours was broken: nothing is written, and what is in memory is not believed any more."""
        log.exception("table %s stopped: something of ours went wrong %s", self.id, doing)
        self.broken = Refused(
            "table_stopped",
            f"Table {self.id} stopped because something of ours is wrong; nothing was written.",
            next_step="Look at the table again; the pit has been told.",
        )
        return self.broken

    def _append(self, made: tuple[Told, ...], key: Key | None, reply: bytes) -> asyncio.Future[bytes]:
        if not made and key is None:
            return asyncio.ensure_future(self._when_on_disk(reply))
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        try:
            bodies = [encode(each.entry) for each in made]
            written = self.store.append(Append(self.id, self.number, bodies, key, reply, self.epoch))
        except Refused as refused:
            self.broken = StoreUnavailable(refused.sentence)
            raise
        except Exception:
            raise self._stop("writing it down") from None
        self.number += len(made)
        self._in_flight += 1
        if key is not None:
            self.remembered.add(key)
        if made:
            self._freeze_if_due()
        written.add_done_callback(partial(self._written, made, key, answer))
        return answer

    def _written(
        self,
        made: tuple[Told, ...],
        key: Key | None,
        answer: asyncio.Future[bytes],
        done: Future[Appended],
    ) -> None:
        """The record has taken it, or not; called in the order in which it was handed in."""
        self._in_flight -= 1
        error = done.exception()
        if error is None and not done.result().repeat:
            self._on_disk(made, done.result())
        else:
            if key is not None and (error is None or isinstance(error, KeyReused)):
                self.remembered.repeats(key.client)
            if made and self.broken is None:
                # What was decided never was: the record refused it, or knew its key from before.
                why = type(error).__name__ if error is not None else "it was asked before"
                self.broken, self._snapshot = StoreUnavailable(f"table {self.id}: {why}"), None
                self._tell_waiting()
        if not answer.done():
            if error is None:
                answer.set_result(done.result().reply)
            else:
                answer.set_exception(error if isinstance(error, Refused) else _failed(error))
                answer.exception()  # Whoever waited may be gone; then it is nobody's business.
        if not self._in_flight:
            self._drained.set()

    def _on_disk(self, made: tuple[Told, ...], appended: Appended) -> None:
        if self.broken is not None or not made:
            return  # Reading the table back tells everyone what is there.
        self.durable = appended.last
        if self._waiting:
            self._tell_waiting()
        if self._snapshot is not None and self._snapshot[0] == appended.last:
            number, body = self._snapshot
            self._snapshot = None
            saved = Snapshot(self.id, number, appended.hash, body)
            asyncio.get_running_loop().run_in_executor(None, self._save, saved)
        self._publish(made)

    async def _when_on_disk(self, reply: bytes) -> bytes:
        """That nothing happens was decided on what may still be on its way; so its answer waits for that."""
        if not await self.on_disk(self.number):
            raise StoreUnavailable(f"table {self.id}: what this was decided on never was")
        return reply

    async def handed_in(self) -> None:
        """Wait until everything handed in by now has come back, taken or not."""
        if not await self.on_disk(self.number):
            await self.drained()

    async def on_disk(self, number: int) -> bool:
        """Wait until what was decided up to there is on disk; False if it never will be."""
        if self.durable >= number or self.broken is not None:
            return self.broken is None
        waiter: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((number, waiter))
        return await waiter

    def _tell_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for number, waiter in waiting:
            if waiter.done():
                continue
            if self.broken is None and number > self.durable:
                self._waiting.append((number, waiter))
            else:
                waiter.set_result(self.broken is None)

    def _publish(self, made: tuple[Told, ...]) -> None:
        try:
            self.published(self, made)
        except Exception:
            log.exception("table %s: somebody could not be told", self.id)

    def _freeze_if_due(self) -> None:
        """A snapshot of what is decided, kept until that is on disk."""
        since = self.number - self._frozen
        if self._snapshot is None and since >= max(SNAPSHOT_EVERY, self._size // BYTES_AN_EVENT):
            self._frozen = self.number
            try:
                body = freeze(self.table, self._kept)
            except Exception:
                # The record has everything; what was decided is answered all the same.
                log.exception("table %s: no snapshot could be made at %s", self.id, self.number)
            else:
                self._size, self._snapshot = len(body), (self.number, body)

    def _save(self, snapshot: Snapshot) -> None:
        try:
            self.store.save_snapshot(snapshot)
        except Refused as refused:
            log.warning("table %s: no snapshot at %s: %s", self.id, snapshot.number, refused.sentence)

    async def ready(self, now: Callable[[], datetime]) -> None:
        """Read back what cannot be believed, and interrupt what was under way; refused while that fails."""
        while not self.sound:
            async with self.reading:
                await self._mend()
                if self.returning:
                    await self._come_back(now())

    async def drained(self) -> None:
        """Everything that was handed to the record has come back."""
        while self._in_flight:
            self._drained.clear()
            await self._drained.wait()

    async def _mend(self) -> None:
        if self.broken is None:
            return
        if self.steady() < self._rest:
            raise self.broken
        await self.drained()
        try:
            back, since = await asyncio.to_thread(self._read_back)
        except Exception as error:
            gone = isinstance(error, StoreUnavailable)
            self._rest = self.steady() + (PAUSE if gone else REST)
            if isinstance(error, Refused) and (gone or error.code == "unknown_rulebook"):
                self.broken = error
                raise
            raise self._stop("reading it back") from None
        self.table, self.at, self._frozen = back.table, back.at, back.frozen
        self.number = self.durable = back.number
        self.broken, self._kept, self._snapshot, self._was_read = None, {}, None, True
        if since:
            # What reached the disk although we were not told: everybody is told now.
            self._publish(tuple(since))

    def _read_back(self) -> tuple[ReadBack, list[Told]]:
        back = read_back(self.store, self.books, self.id)
        since: list[Told] = []
        if self._was_read:
            assert back.number >= self.durable, "the record has lost what it acknowledged"
            found = self.store.read(self.id, self.durable, back.number - self.durable)
            since = told_of(self.store, self.id, found)
        return back, since

    async def _come_back(self, now: datetime) -> None:
        try:
            entries = come_back(self.table, self.moment(now), self.number + 1)
            self.at = entries[-1].at if entries else self.at
            made = tuple(told(self.table, entry) for entry in entries)
        except Exception:
            raise self._stop("coming back") from None
        await self._append(made, None, b"")
        self.returning = False

    async def put_away(self) -> None:
        """A last snapshot before the house closes, so that the next start is quick."""
        await self.drained()
        if self.sound and self.number - self._frozen >= WORTH_FREEZING:
            self._frozen = self.number
            body = freeze(self.table, self._kept)
            head = await asyncio.to_thread(self.store.head, self.id)
            if head.number == self.number:
                await asyncio.to_thread(self._save, Snapshot(self.id, head.number, head.hash, body))

    async def catch_up(self) -> None:
        """Take in what another process wrote; nothing to do where this one decides."""
        async with self.reading:
            if self.held:
                return
            # What was on its way when the table was lost may still be refused, and is then not believed.
            await self.drained()
            await self._mend()
            while found := await asyncio.to_thread(self.store.read, self.id, self.durable, PAGE):
                made = []
                try:
                    for stored in found:
                        entry = decode(stored.body)
                        evolve(self.table, entry.event)
                        made.append(told(self.table, entry))
                except Exception:
                    raise self._stop("following another process") from None
                self.number = self.durable = found[-1].number
                self.at = made[-1].entry.at
                self._publish(tuple(made))


def _failed(error: BaseException) -> Refused:
    log.error("an append failed", exc_info=error)
    return StoreUnavailable(type(error).__name__)
