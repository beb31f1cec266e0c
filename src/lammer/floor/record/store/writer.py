"""The one thread that writes: it takes everything that waits, and commits it as one transaction.

While a commit is on its way to the disk, the next group gathers; so the disk sets the pace and
nobody waits for a timer. The thread lives as long as the store: a full disk or a lost connection fails
what was waiting, and the next group tries again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import perf_counter, sleep
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy import Connection

from lammer.floor.record.contract import (
    Append,
    Appended,
    Head,
    Key,
    OnAppended,
    StoreUnavailable,
    WriterFigures,
)
from lammer.floor.record.store.group import KeptReply, Plan, Row, plan
from lammer.rulebook.refusal import Refused

T = TypeVar("T")
Deliver = Callable[[Callable[[], None]], object]

LARGEST_GROUP: Final = 256
HEAVIEST_GROUP_BYTES: Final = 4 << 20
MOST_TRIES: Final = 8
GATHER_SECONDS: Final = 0.002
"""How long the writer waits for more where fewer wait than the last time: a sync costs as much for one as for
many, and whoever bets alone does not wait.
"""

_log = logging.getLogger("lammer.floor.record")


class Clash(Exception):  # noqa: N818 (it is looked into, not reported)
    """The database would not take the group: an event, a key or a turn is not what was thought."""


class WriterBackend(Protocol):
    """What the writer needs of a database. Used by its thread alone; failures are `StoreUnavailable`."""

    def file(self, rows: Sequence[Row], beside: Callable[[Connection], None] | None = None) -> None:
        """Write all rows durably, or none: then `Clash`.

        `beside` is other work in the same transaction, done when the rows fit; what it raises undoes all.
        """

    def heads(self, tables: Sequence[str]) -> dict[str, Head]: ...
    def known(self, keys: Sequence[Key]) -> dict[tuple[str, str], KeptReply]: ...
    def epochs(self, tables: Sequence[str]) -> dict[str, int]: ...
    def work(self, work: Callable[[Connection], T]) -> T: ...
    def give_up(self) -> None:
        """Something failed: begin anew with a fresh connection."""

    def close(self) -> None: ...


@dataclass(slots=True)
class _Waiting:
    append: Append
    callback: OnAppended


class _Stop:
    """The last thing in the queue."""


@dataclass(slots=True)
class _Job:
    work: Callable[[Connection], Any]
    future: Future[Any] = field(default_factory=Future)


def at_once(settle: Callable[[], None]) -> None:
    """Tell the waiting in the writer's own thread."""
    settle()


class Writer:
    """Takes appends and other work from any thread; `deliver` decides in which thread futures resolve."""

    def __init__(
        self, backend: WriterBackend, deliver: Deliver, moved: Callable[[Mapping[str, Head]], None]
    ) -> None:
        self._backend = backend
        self._deliver = deliver
        self._moved = moved
        self._queue: SimpleQueue[_Waiting | _Job | _Stop] = SimpleQueue()
        self._heads: dict[str, Head] = {}
        self._done = WriterFigures()
        self._last_group = 0
        self._door = Lock()
        self._closed = False
        self._begin()

    def _begin(self) -> None:
        self._thread = Thread(target=self._run, name="lammer-writer", daemon=True)
        self._thread.start()

    def append(self, append: Append, callback: OnAppended) -> None:
        """Take it; `callback` is called once it is on disk, or with why it is not."""
        self._put(_Waiting(append, callback))

    def work(self, work: Callable[[Connection], T]) -> Future[T]:
        job = _Job(work)
        job.future.set_running_or_notify_cancel()
        self._put(job)
        return job.future

    def written(self) -> WriterFigures:
        """What was done so far."""
        return replace(self._done, waiting=self._queue.qsize())

    def close(self) -> None:
        """Finish what was handed in, then stop."""
        with self._door:
            if not self._closed:
                self._closed = True
                self._queue.put(_Stop())
        self._thread.join()

    def _put(self, item: _Waiting | _Job) -> None:
        with self._door:
            if self._closed:
                raise StoreUnavailable("it is closed")
            self._queue.put(item)

    def _run(self) -> None:
        item = self._queue.get()
        while not isinstance(item, _Stop):
            if self._may_be_joined(item) and self._queue.qsize() + 1 < self._last_group:
                sleep(GATHER_SECONDS)
            item = self._take_up(item) or self._queue.get()
        self._backend.close()

    @staticmethod
    def _may_be_joined(item: _Waiting | _Job) -> bool:
        """Whether others can be written with it: other work is done alone, and so is what moves a purse."""
        return isinstance(item, _Waiting) and item.append.beside is None

    def _take_up(self, item: _Waiting | _Job) -> _Waiting | _Job | _Stop | None:
        """Do what is next, with all that goes with it; what comes after that, if it was seen."""
        if isinstance(item, _Job):
            self._do(item)
            return None
        if not self._may_be_joined(item):
            self._settle([item])
            return None
        group, follower = self._gather(item)
        self._settle(group)
        return follower

    def _gather(self, first: _Waiting) -> tuple[list[_Waiting], _Waiting | _Job | _Stop | None]:
        """Everything that waits, up to the first thing that is no plain append or no longer fits."""
        group, weight = [first], _weight(first)
        while len(group) < LARGEST_GROUP and weight < HEAVIEST_GROUP_BYTES:
            try:
                item = self._queue.get_nowait()
            except Empty:
                break
            if isinstance(item, _Job | _Stop) or not self._may_be_joined(item):
                return group, item
            group.append(item)
            weight += _weight(item)
        return group, None

    def _do(self, job: _Job) -> None:
        """A piece of other work, in a transaction of its own."""
        begun = perf_counter()
        try:
            result = self._backend.work(job.work)
        except BaseException as error:
            if isinstance(error, StoreUnavailable):
                self._done.failed += 1
                self._reset()
            failure = error
            self._hand_over(lambda: job.future.set_exception(failure))
        else:
            self._count(begun, 0)
            self._hand_over(lambda: job.future.set_result(result))

    def _settle(self, group: list[_Waiting]) -> None:
        """Write a group, and tell everyone in it."""
        begun = perf_counter()
        try:
            group_plan = self._file([waiting.append for waiting in group])
        except StoreUnavailable as error:
            self._done.failed += 1
            self._reset()
            self._tell(group, [StoreUnavailable(error.why) for _ in group])
        except Refused as refused:
            # The work beside the append was refused: nothing was written, and the known heads still hold.
            self._tell(group, [refused])
        except Exception as error:
            self._reset()
            if len(group) == 1:
                _log.exception("table %s: its events could not be written", group[0].append.table)
                self._tell(group, [error])
            else:
                for waiting in group:
                    self._settle([waiting])
        else:
            self._last_group = len(group)
            self._count(begun, len(group))
            self._heads.update(group_plan.heads)
            self._tell(group, group_plan.outcomes, group_plan.heads)

    def _count(self, begun: float, appends: int) -> None:
        self._done.commits += 1
        self._done.appends += appends
        self._done.seconds += perf_counter() - begun

    def _file(self, group: Sequence[Append]) -> Plan:
        """Plan on what is known, file it, and look closer where the database or the plan says no."""
        tables = list(dict.fromkeys(append.table for append in group))
        known: dict[tuple[str, str], KeptReply] = {}
        epochs: dict[str, int] | None = None
        beside = group[0].beside  # Such an append is a group of its own.
        for _ in range(MOST_TRIES):
            unseen = [table for table in tables if table not in self._heads]
            if unseen:
                self._heads |= self._backend.heads(unseen)
            group_plan = plan(group, self._heads, known, epochs)
            if epochs is not None or not group_plan.doubtful:
                try:
                    if group_plan.rows:
                        self._backend.file(group_plan.rows, beside)
                except Clash:
                    pass
                else:
                    # The group is on disk now, so its requests may be answered.
                    return group_plan
            known = self._backend.known([append.key for append in group if append.key is not None])
            epochs = self._backend.epochs([append.table for append in group if append.epoch is not None])
            for table in tables:
                self._heads.pop(table, None)
        raise StoreUnavailable("too many processes write to one table")

    def _reset(self) -> None:
        """After a failure nothing remembered is trusted."""
        self._heads.clear()
        try:
            self._backend.give_up()
        except Exception:
            _log.exception("the connection to the database could not be closed")

    def _tell(
        self,
        group: Sequence[_Waiting],
        outcomes: Sequence[Appended | Exception],
        heads: Mapping[str, Head] | None = None,
    ) -> None:
        def settle() -> None:
            for waiting, outcome in zip(group, outcomes, strict=True):
                try:
                    waiting.callback(outcome)
                except Exception:
                    _log.exception("the callback of an append failed")
            if heads:
                self._moved(heads)

        self._hand_over(settle)

    def _hand_over(self, settle: Callable[[], None]) -> None:
        try:
            self._deliver(settle)
        except Exception:
            # The event loop is gone; those who wait are told from this thread.
            settle()


def _weight(waiting: _Waiting) -> int:
    return sum(map(len, waiting.append.bodies))
