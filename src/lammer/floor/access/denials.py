"""Every attempt that was denied, kept for the auditor: when, who, from where, what, and why not.

Who is an account or a key of the house's, never what a stranger typed; from where is a mark, not an
address. What is denied is noted at once and written a moment later by a thread of its own, all that came
together in one transaction; the same denial repeated within that moment is one line that says how often. A
flood thus costs the tables nothing and the disk little, and nothing goes uncounted. Lines are never changed
or removed.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from threading import Event, Lock, Thread
from typing import Any, Final

from sqlalchemy import Connection, func, insert, select

from lammer.floor.access.address_marks import AddressMarks
from lammer.floor.record.contract import Store
from lammer.floor.record.monotonic_clock import Now, microseconds, moment, utc_now
from lammer.floor.record.people import denials, next_number
from lammer.rulebook.refusal import Refused

PAUSE: Final = 0.25
RETRY: Final = 2.0
MOST_WAITING: Final = 1_000
MORE: Final = "(more of the same moment)"
LONGEST_TEXT: Final = 200
LARGEST_PAGE: Final = 1_000

_log = logging.getLogger("lammer.floor.access.denials")


@dataclass(frozen=True, slots=True)
class Denial:
    """A line of the book: the same thing denied `times` times between `at` and `last_at`.

    Its fields are in the order of the table's columns.
    """

    number: int
    at: datetime
    last_at: datetime
    times: int
    who: str
    role: str
    key: str
    address: str
    what: str
    code: str
    table: str


@dataclass(frozen=True, slots=True)
class _DenialKey:
    """What makes two denials the same, by column; the address is still the real one, and not for long."""

    what: str
    code: str
    who: str = ""
    role: str = ""
    key_id: str = ""
    address: str = ""
    table_id: str = ""


@dataclass(frozen=True, slots=True)
class _Times:
    at: int
    last_at: int
    times: int = 1

    def and_then(self, later: _Times) -> _Times:
        return replace(self, last_at=later.last_at, times=self.times + later.times)


class Denials:
    def __init__(self, store: Store, now: Now = utc_now, *, pause: float = PAUSE) -> None:
        self._store = store
        self._now = now
        self._pause = pause
        self._marks = AddressMarks(store)
        self._waiting: dict[_DenialKey, _Times] = {}
        self._noting = Lock()
        self._writing = Lock()
        self._noted, self._closing = Event(), Event()
        self._thread: Thread | None = None

    def note(
        self,
        what: str,
        code: str,
        *,
        who: str = "",
        role: str = "",
        key: str = "",
        address: str = "",
        table: str = "",
    ) -> None:
        """Take down a denial. Never waits: safe in an event loop."""
        denied = _DenialKey(*map(_printable, (what, code, who, role, key, address, table)))
        at = microseconds(self._now())
        with self._noting:
            self._add(denied, _Times(at, at))
            if self._thread is None:
                self._thread = Thread(target=self._run, name="lammer-denials", daemon=True)
                self._thread.start()
        self._noted.set()

    def flush(self) -> None:
        """Everything noted so far is on disk when this returns."""
        with self._writing:
            with self._noting:
                waiting, self._waiting = self._waiting, {}
            if not waiting:
                return
            try:
                marks = {denied: self._marks.address(denied.address) for denied in waiting}
                self._store.write(lambda connection: _write(connection, waiting, marks)).result()
            except BaseException:
                with self._noting:
                    later, self._waiting = self._waiting, waiting
                    for denied, times in later.items():
                        self._add(denied, times)
                raise

    def close(self) -> None:
        """Write what is left, and stop."""
        self._closing.set()
        self._noted.set()
        if self._thread is not None:
            self._thread.join()
        self.flush()

    def read(self, after: int = 0, limit: int = 100) -> list[Denial]:
        """Lines numbered above `after`, oldest first: go on after the last one to see the next page."""
        query = select(denials).where(denials.c.number > after).order_by(denials.c.number)
        query = query.limit(max(0, min(limit, LARGEST_PAGE)))
        with self._store.reading() as connection:
            return [_denial(row) for row in connection.execute(query)]

    def last_number(self) -> int:
        """The number of the newest denial, once everything noted is written; 0 where there is none."""
        self.flush()
        with self._store.reading() as connection:
            return connection.execute(select(func.max(denials.c.number))).scalar() or 0

    def _add(self, denied: _DenialKey, times: _Times) -> None:
        if len(self._waiting) >= MOST_WAITING and denied not in self._waiting:
            denied = _DenialKey(MORE, denied.code)
        before = self._waiting.get(denied)
        self._waiting[denied] = times if before is None else before.and_then(times)

    def _run(self) -> None:
        while not self._closing.is_set():
            self._noted.wait()
            self._noted.clear()
            self._closing.wait(self._pause)
            try:
                self.flush()
            except Refused as refused:
                _log.warning("denied requests could not be written yet and wait in memory: %s", refused.code)
                self._try_again()
            except Exception:
                _log.exception("denials could not be written")
                self._try_again()

    def _try_again(self) -> None:
        self._noted.set()
        self._closing.wait(RETRY)


def _write(
    connection: Connection, waiting: Mapping[_DenialKey, _Times], marks: Mapping[_DenialKey, str]
) -> None:
    first = next_number(connection, denials)
    rows = [
        asdict(denied) | asdict(times) | {"number": number, "address": marks[denied]}
        for number, (denied, times) in enumerate(waiting.items(), first)
    ]
    connection.execute(insert(denials), rows)


def _denial(row: Any) -> Denial:
    number, at, last_at, *more = row
    return Denial(number, moment(at), moment(last_at), *more)


def _printable(sent: str) -> str:
    """Text either database takes, whatever was sent."""
    short = sent[:LONGEST_TEXT]
    return (
        short if short.isprintable() else "".join(letter if letter.isprintable() else "?" for letter in short)
    )
