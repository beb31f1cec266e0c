"""One table as a process holds it: what is decided, how much of it is on disk, and who is told.

A call is decided at once on a table that includes everything decided before it, and answered when its events
are on disk. Readers get the durable `view` and nothing else. If the record does not take what was decided,
that is gone, with all that was decided on top of it: no more is decided until everything on its way has come
back, and then on a fresh copy of what is on disk.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from time import monotonic
from typing import Final

from lammer.floor.record.contract import Append, Appended, Key, Store, StoreUnavailable
from lammer.floor.record.past import PAGE, read_back
from lammer.floor.record.purses import Beside
from lammer.floor.record.revealed import RevealedEvent, reveal
from lammer.floor.record.sealing import Snapshot
from lammer.floor.tables.balancing import must_balance
from lammer.floor.tables.recent_keys import RecentKeys
from lammer.floor.views.durable_view import (
    DurableView,
    copy_of,
    have_at_hand,
    show_rows,
    show_what_was_read,
    show_written,
    unread_view,
)
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.commands import Call
from lammer.table.fold import evolve
from lammer.table.journal import Entry, come_back
from lammer.table.play import decide
from lammer.table.snapshot import WrittenRounds, freeze
from lammer.table.state import Table

log = logging.getLogger("lammer.floor")

SNAPSHOT_EVERY: Final = 1_000
"""Events between snapshots: what a start has to read again, at most about that many."""
BYTES_AN_EVENT: Final = 1_000
"""A large snapshot is made less often: reading so many bytes takes as long as folding an event."""
WORTH_FREEZING: Final = 200
"""Events since the last snapshot that make one at closing worth while."""
REST_SECONDS: Final = 5.0
"""Seconds before a table whose record cannot be folded is tried again."""
PAUSE_SECONDS: Final = 0.2
"""The same where the record merely cannot be reached."""
REPORTED_AS_IS: Final = frozenset({"store_unavailable", "record_damaged", "unknown_rulebook"})
"""Why a table cannot be read, where the cause is not ours: whoever asks is told just that."""

Published = Callable[[DurableView, tuple[RevealedEvent, ...]], None]
See = Callable[[tuple[RevealedEvent, ...]], bytes]


@dataclass(slots=True, eq=False)
class LiveTable:
    """A table, decided up to `number`; what is on disk is in its `view`. For one event loop alone.

    `held` says that this process decides for it; otherwise it only follows what another writes.
    `returning` says that a round which was under way when it was taken is still to be interrupted.
    `deciding` is the table calls are decided on, ahead of the disk; None until this process decides.
    `broken` is why nothing can be decided, and nothing that was decided is believed.
    """

    id: str
    store: Store
    books: Mapping[str, Rulebook]
    published: Published
    recent_keys: RecentKeys
    steady: Callable[[], float] = monotonic
    view: DurableView = field(init=False)
    deciding: Table | None = None
    number: int = 0
    at: datetime | None = None
    epoch: int | None = None
    held: bool = False
    returning: bool = False
    broken: Refused | None = None
    reading_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    taking_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    scan_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _in_flight: int = 0
    _waiting: list[tuple[int, asyncio.Future[bool]]] = field(default_factory=list)
    _drained: asyncio.Event = field(default_factory=asyncio.Event)
    _rest: float = 0.0
    _frozen: int = 0
    _size: int = 0
    _kept: WrittenRounds = field(default_factory=dict)
    _was_read: bool = False

    def __post_init__(self) -> None:
        self.view = unread_view(self.id, self.store, self.books)
        self._break(StoreUnavailable("the table was not read yet"))

    @property
    def sound(self) -> bool:
        """Whether it can decide at once."""
        return self.deciding is not None and self.broken is None and not self.returning

    @property
    def waits_for_disk(self) -> bool:
        """Whether something handed in has not come back yet, at a table that was read before."""
        return self._was_read and self._in_flight > 0

    @property
    def durable(self) -> int:
        """The last event on disk."""
        return self.view.number

    def must_decide(self) -> Table:
        """The table to decide on, or why nothing can be decided."""
        if self.broken is not None:
            raise self.broken
        if self.deciding is None:
            raise StoreUnavailable(f"table {self.id} is not decided here")
        return self.deciding

    def _break(self, why: Refused) -> None:
        """Believe nothing that was decided and is not on disk; readers never saw it."""
        self.broken, self.deciding, self.view.stopped = why, None, True
        self._tell_waiting()

    def moment(self, now: datetime) -> datetime:
        """The time of a call: now, but never before what is recorded, whatever the clock does."""
        return now if self.at is None or now > self.at else self.at

    def decide(self, call: Call) -> tuple[e.Event, ...]:
        """What a call comes to; nothing changes yet, and a refusal changes nothing at all."""
        table = self.must_decide()
        try:
            return decide(table, call)
        except Refused:
            raise
        except Exception:
            raise self._stop(f"deciding {type(call.command).__name__}") from None

    async def recall(self, number: int) -> None:
        """Have an earlier round at hand for what is decided next, if the table no longer keeps it."""
        table = self.must_decide()
        if number not in table.past and 0 < number < table.rounds:
            await self.handed_in()
            await have_at_hand(self.view, table, number)

    def record(
        self,
        call: Call,
        events: Sequence[e.Event],
        key: Key | None = None,
        see: See | None = None,
        beside: Beside | None = None,
    ) -> asyncio.Future[bytes]:
        """Fold what was decided and hand it to the record; the reply is there when it is on disk.

        `beside` is what happens to other rows of the record with it, or neither does.
        """
        table = self.must_decide()
        try:
            revealed_events = tuple(self._fold(table, call, events))
            self.at = call.at
            must_balance(table, events)
            reply = b"" if see is None else see(revealed_events)
        except Exception:
            raise self._stop(f"folding {type(call.command).__name__}") from None
        return self._append(revealed_events, key, reply, beside)

    def remember(self, key: Key, reply: bytes) -> asyncio.Future[bytes]:
        """Keep the answer to a request that changed nothing here, so that repeated it is the same."""
        return self._append((), key, reply)

    def _fold(self, table: Table, call: Call, events: Sequence[e.Event]) -> Iterator[RevealedEvent]:
        for number, event in enumerate(events, self.number + 1):
            evolve(table, event)
            yield reveal(table, Entry(number, call.at, call.by, call.role, event))

    def _stop(self, doing: str) -> Refused:
        """A rule of ours was broken: nothing is written, and what is in memory is not believed any more."""
        log.exception("table %s stopped after an internal error while %s", self.id, doing)
        stopped = Refused(
            "table_stopped",
            "Table {table} stopped because something of ours is wrong; nothing was written.",
            next_step="Look at the table again; the pit has been told.",
            table=self.id,
        )
        self._break(stopped)
        return stopped

    def _append(
        self,
        revealed_events: tuple[RevealedEvent, ...],
        key: Key | None,
        reply: bytes,
        beside: Beside | None = None,
    ) -> asyncio.Future[bytes]:
        if not revealed_events and key is None:
            return asyncio.ensure_future(self._when_on_disk(reply))
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        try:
            bodies = [self.store.seals.seal(self.id, revealed.entry) for revealed in revealed_events]
            append = Append(self.id, self.number, bodies, key, reply, self.epoch, beside)
            self.store.hand_in(append, partial(self._take_outcome, revealed_events, answer))
        except Refused as refused:
            self._break(StoreUnavailable(refused.sentence))
            raise
        except Exception:
            raise self._stop("writing it down") from None
        self.number += len(revealed_events)
        self._in_flight += 1
        if key is not None:
            self.recent_keys.add(key)
        return answer

    def _take_outcome(
        self,
        revealed_events: tuple[RevealedEvent, ...],
        answer: asyncio.Future[bytes],
        outcome: Appended | Exception,
    ) -> None:
        """The record has taken it, or not; called in the order in which it was handed in, never at once."""
        self._in_flight -= 1
        taken = isinstance(outcome, Appended)
        if isinstance(outcome, Appended) and not outcome.repeat:
            self._show_on_disk(revealed_events, outcome)
        elif revealed_events and self.broken is None:
            # The record did not take these events, or knew the key from before.
            why = "it was asked before" if taken else type(outcome).__name__
            self._break(StoreUnavailable(f"table {self.id}: {why}"))
        if not answer.done():
            if isinstance(outcome, Appended):
                answer.set_result(outcome.reply)
            else:
                answer.set_exception(
                    outcome if isinstance(outcome, Refused) else _unavailable(self.id, outcome)
                )
                answer.exception()  # Marks it as looked at: whoever waited may be gone.
        if not self._in_flight:
            self._drained.set()

    def _show_on_disk(self, revealed_events: tuple[RevealedEvent, ...], appended: Appended) -> None:
        if self.broken is not None or not revealed_events:
            return  # Reading on from the record tells everyone what is there.
        try:
            show_written(self.view, appended, revealed_events)
        except Exception:
            # It is on disk and answered; what is shown is read from there again.
            self._was_read = False
            self._stop("showing what was written")
            return
        if self._waiting:
            self._tell_waiting()
        self._freeze_if_due(appended)
        self._publish(revealed_events)

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

    def _publish(self, revealed_events: tuple[RevealedEvent, ...]) -> None:
        try:
            self.published(self.view, revealed_events)
        except Exception:
            log.exception("table %s: an event could not be published to its readers", self.id)

    def _freeze_if_due(self, appended: Appended) -> None:
        """A snapshot of what is on disk, now and then."""
        if self.durable - self._frozen < max(SNAPSHOT_EVERY, self._size // BYTES_AN_EVENT):
            return
        self._frozen = self.durable
        try:
            body = freeze(self.view.table, self._kept)
        except Exception:
            # The record has everything; what was decided is answered all the same.
            log.exception("table %s: no snapshot could be made at event %s", self.id, self.durable)
            return
        self._size = len(body)
        saved = Snapshot(self.id, appended.last, appended.hash, body)
        asyncio.get_running_loop().run_in_executor(None, self._save, saved)

    def _save(self, snapshot: Snapshot) -> None:
        try:
            self.store.save_snapshot(self.store.seals.seal_snapshot(snapshot))
        except Refused as refused:
            log.warning(
                "table %s: the snapshot at event %s could not be written: %s",
                self.id,
                snapshot.number,
                refused.sentence,
            )

    async def ready(self, now: Callable[[], datetime]) -> None:
        """Read back what cannot be believed, and interrupt what was under way; refused while that fails."""
        while not self.sound:
            async with self.reading_lock:
                await self._mend()
                if self.returning:
                    await self._come_back(now())

    async def drained(self) -> None:
        """Everything that was handed to the record has come back."""
        while self._in_flight:
            self._drained.clear()
            await self._drained.wait()

    async def _mend(self) -> None:
        """Decide on what is on disk from here on, whatever was decided before."""
        if self.broken is None and self.deciding is not None:
            return
        await self._read_on()
        try:
            self.deciding, self.number, self.at = copy_of(self.view), self.view.number, self.view.at
        except Exception:
            raise self._stop("copying it") from None

    async def _read_on(self) -> None:
        """Show all that is on disk, also what reached it although we were not told."""
        if self.broken is not None and self.steady() < self._rest:
            raise self.broken
        await self.drained()
        try:
            if not self._was_read:
                back = await asyncio.to_thread(read_back, self.store, self.books, self.id)
                show_what_was_read(self.view, back)
                self._frozen, self._was_read = back.frozen, True
            elif self.broken is not None:
                head = await asyncio.to_thread(self.store.head, self.id)
                assert head.number >= self.durable, "the record has lost what it acknowledged"
            while page := await asyncio.to_thread(self.store.read, self.id, self.durable, PAGE):
                self._publish(show_rows(self.view, page))
        except Exception as error:
            gone = isinstance(error, StoreUnavailable)
            self._rest = self.steady() + (PAUSE_SECONDS if gone else REST_SECONDS)
            if isinstance(error, Refused) and error.code in REPORTED_AS_IS:
                if not gone:
                    log.error("table %s cannot be read: %s", self.id, error.sentence)
                self._break(error)
                raise
            self._was_read = False  # What is shown may lack a part of what went wrong: it is read anew.
            raise self._stop("reading it from the record") from None
        self.broken, self.view.stopped = None, False

    async def _come_back(self, now: datetime) -> None:
        table = self.must_decide()
        try:
            entries = come_back(table, self.moment(now), self.number + 1)
            self.at = entries[-1].at if entries else self.at
            revealed_events = tuple(reveal(table, entry) for entry in entries)
        except Exception:
            raise self._stop("coming back") from None
        await self._append(revealed_events, None, b"")
        self.returning = False

    async def put_away(self) -> None:
        """A last snapshot before the house closes, so that the next start is quick."""
        await self.drained()
        if self.sound and self.durable - self._frozen >= WORTH_FREEZING:
            number, body = self.durable, freeze(self.view.table, self._kept)
            self._frozen = number
            head = await asyncio.to_thread(self.store.head, self.id)
            if head.number == number:
                await asyncio.to_thread(self._save, Snapshot(self.id, number, head.hash, body))

    async def catch_up(self) -> None:
        """Take in what another process wrote; nothing to do where this one decides."""
        async with self.reading_lock:
            if not self.held:
                # What was on its way when the table was lost may have been taken still, or not.
                self.deciding = None
                await self._read_on()


def _unavailable(table: str, error: BaseException) -> Refused:
    log.error(
        "table %s: events were decided and could not be written; nobody was answered", table, exc_info=error
    )
    return StoreUnavailable(type(error).__name__)
